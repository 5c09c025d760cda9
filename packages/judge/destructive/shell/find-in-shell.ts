import type { Redirection } from 'unbash'
import { type Finding, type FindNested, type Harm, shifted, within } from '../finding.ts'
import { assign, echoed, expandAll, expandWhole, isDownload, type Variables } from './expand.ts'
import { judgeCommand } from './judge-command.ts'
import { type Place, readShellCommands, type ShellCommand } from './read-commands.ts'
import { fedLanguage } from './script-arguments.ts'
import { unwrap } from './unwrap.ts'

const device =
  /^\/dev\/(?:sd[a-z]|hd[a-z]|vd[a-z]|xvd|nvme\d|mmcblk|disk\d|rdisk|mapper\/|md\d|mem$)/
const decoders = new Set(['base64', 'xxd', 'openssl', 'rev', 'tr', 'gunzip', 'zcat', 'uudecode'])

/** Finds destructive commands in a shell script or command line, in linear time. Never throws. */
export function findInShell(text: string, look: FindNested): readonly Finding[] {
  const findings: Finding[] = []
  const variables: Variables = new Map()
  for (const command of readShellCommands(text)) {
    const { words, assignments } = command
    for (const each of words.length === 0 ? assignments : words)
      if (each.type === 'Assignment') assign(each, variables)
    judge(command)
  }
  return findings

  function judge(command: ShellCommand): void {
    const argv = expandAll(command.words, variables)
    const place = placeOf(command, argv[0])
    const add = (harm: Harm) => findings.push({ ...harm, meaning: argv.join(' '), ...place })
    if (isForkBomb(command)) {
      add({
        category: 'system',
        why: 'It starts copies of itself until the machine stands still.',
      })
    }
    for (const harm of judgeRedirects(command.redirects)) add(harm)
    for (const call of unwrap(argv)) {
      for (const harm of judgeCommand(call, look)) add(harm)
      findings.push(...judgeInput(call, command))
    }
  }

  /** Judges the standard input of a shell or a database client. */
  function judgeInput(argv: readonly string[], command: ShellCommand): readonly Finding[] {
    const [program = ''] = argv
    const language = fedLanguage(argv)
    if (language === null) return []
    const found: Finding[] = []
    const whole = pipeline(command)
    for (const redirect of command.redirects) {
      if (redirect.type === 'HereDoc') {
        const inner = look(language, redirect.body.text)
        found.push(...shifted(inner, command.offset + redirect.body.pos))
      } else if (redirect.type === 'HereString' && redirect.target !== undefined)
        found.push(...within(look(language, expandWhole(redirect.target, variables)), whole))
    }
    const from = command.pipedFrom
    if (from === null) return found
    const meaning = `${program} ${expandAll(from.words, variables).join(' ')}`
    const add = (why: string) => found.push({ category: 'system', why, meaning, ...whole })
    const printed = echoed(from.words)
    if (printed !== null) found.push(...within(look(language, printed), whole))
    if (language === 'shell' && isDownloadPipe(from)) {
      add('It runs a script straight from the network, whatever that holds.')
    } else if (
      language === 'shell' &&
      decoders.has(unwrap(expandAll(from.words, variables))[0]?.[0] ?? '')
    ) {
      add('It runs commands that are decoded first and cannot be read here.')
    }
    return found
  }
}

/** Judges the calls of a command line; a program may be another one's argument. */
export const judgeArguments = (argv: readonly string[], look: FindNested): readonly Harm[] =>
  unwrap(argv).flatMap((call) => judgeCommand(call, look))

/** Where input decides what happens, people see the whole pipeline. */
function placeOf(command: ShellCommand, program: string | undefined): Place {
  const isFed = program === 'xargs' || program === 'parallel' || isForkBomb(command)
  return isFed ? pipeline(command) : command
}

function pipeline(command: ShellCommand): Place {
  let first = command
  for (let count = 0; first.pipedFrom !== null && count < 20; count += 1) first = first.pipedFrom
  return { start: first.start, end: command.end }
}

function isDownloadPipe(command: ShellCommand): boolean {
  let at: ShellCommand | null = command
  for (let count = 0; at !== null && count < 10; count += 1) {
    if (isDownload(at.words)) return true
    at = at.pipedFrom
  }
  return false
}

function isForkBomb({ words, pipedFrom }: ShellCommand): boolean {
  const [name, ...others] = words
  if (name === undefined || others.length > 0) return false
  return name.text === pipedFrom?.words[0]?.text && name.text === pipedFrom.definition
}

function judgeRedirects(redirects: readonly Redirection[]): readonly Harm[] {
  return redirects.flatMap((redirect): readonly Harm[] => {
    if (redirect.type !== 'Redirect' || !redirect.operator.includes('>')) return []
    const path = redirect.target?.value ?? ''
    if (device.test(path)) {
      return [{ category: 'filesystem', why: 'It writes over a disk, past its file system.' }]
    }
    return path === '/proc/sysrq-trigger'
      ? [{ category: 'system', why: 'It tells the kernel to stop or restart the machine.' }]
      : []
  })
}
