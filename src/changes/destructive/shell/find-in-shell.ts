import { type Finding, type FindNested, type Harm, shifted, UNKNOWN } from '../finding.ts'
import type { Redirect, ShellCommand, WordPart } from './command.ts'
import { assign, echoed, expand, expandWhole, isDownload, type Variables } from './expand.ts'
import { judgeCommand } from './judge-command.ts'
import { readShellCommands } from './read-commands.ts'
import { unwrap } from './unwrap.ts'

const device =
  /^\/dev\/(?:sd[a-z]|hd[a-z]|vd[a-z]|xvd|nvme\d|mmcblk|disk\d|rdisk|mapper\/|md\d|mem$)/
const declarations = new Set(['export', 'local', 'declare', 'typeset', 'readonly'])
const decoders = new Set(['base64', 'xxd', 'openssl', 'rev', 'tr', 'gunzip', 'zcat', 'uudecode'])
const shells = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash', 'fish'])

/** Destructive commands of a shell script or command line. Linear in the text; never throws. */
export function findInShell(text: string, look: FindNested): readonly Finding[] {
  const findings: Finding[] = []
  const variables: Variables = new Map()
  visit(readShellCommands(text))
  return findings

  function visit(commands: readonly ShellCommand[]): void {
    for (const command of commands) {
      for (const part of partsOf(command)) if (part.kind === 'commands') visit(part.commands)
      if (command.words.length === 0) {
        for (const assignment of command.assignments) assign(assignment, variables)
      }
      judge(command)
    }
  }

  function judge(command: ShellCommand): void {
    const argv = argumentsOf(command)
    if (declarations.has(argv[0] ?? '')) declare(argv.slice(1))
    const place = placeOf(command, argv[0])
    const add = (harm: Harm) => findings.push({ ...harm, meaning: argv.join(' '), ...place })
    if (isForkBomb(command)) {
      add({ category: 'system', why: 'It starts copies of itself until the machine stands still.' })
    }
    for (const harm of judgeRedirects(command.redirects)) add(harm)
    for (const call of unwrap(argv)) {
      for (const harm of judgeCommand(call, look)) add(harm)
      for (const finding of judgeInput(call, command)) {
        findings.push('isPlaced' in finding ? finding : { ...finding, ...pipeline(command) })
      }
    }
  }

  function declare(words: readonly string[]): void {
    for (const word of words) {
      const [, name, value] = /^(\w+)=([\s\S]*)$/.exec(word) ?? []
      if (name !== undefined && value !== undefined) variables.set(name, [value])
    }
  }

  /** What a shell or a database client is given on its standard input. */
  function judgeInput(argv: readonly string[], command: ShellCommand): readonly Finding[] {
    const [program = ''] = argv
    const language = readsFromInput(argv)
    if (language === null) return []
    const found: Finding[] = []
    for (const { operator, target, body } of command.redirects) {
      if (body !== null) {
        const inner = look(language, text.slice(body.start, body.end))
        found.push(...shifted(inner, body.start).map((each) => ({ ...each, isPlaced: true })))
      } else if (operator === '<<<') found.push(...look(language, expandWhole(target, variables)))
    }
    const from = command.pipedFrom
    if (from === null) return found
    const meaning = `${program} ${argumentsOf(from).join(' ')}`
    const add = (why: string) => found.push({ category: 'system', why, meaning, start: 0, end: 0 })
    const said = echoed(from)
    if (said !== null) found.push(...look(language, said))
    if (language === 'shell' && isDownloadPipe(from)) {
      add('It runs a script straight from the network, whatever that holds.')
    } else if (language === 'shell' && decoders.has(unwrap(argumentsOf(from))[0]?.[0] ?? '')) {
      add('It runs commands that are decoded first, so that nobody can read them here.')
    }
    return found
  }

  function argumentsOf(command: ShellCommand): readonly string[] {
    return command.words.flatMap((word) => expand(word, variables))
  }
}

/** What the calls of one command line destroy; the program may be another one's argument. */
export function judgeArguments(argv: readonly string[], look: FindNested): readonly Harm[] {
  return unwrap(argv).flatMap((call) => judgeCommand(call, look))
}

interface Place {
  readonly start: number
  readonly end: number
}

/** Where input decides what happens, people are shown the whole pipeline. */
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
    if (isDownload(at)) return true
    at = at.pipedFrom
  }
  return false
}

function* partsOf(command: ShellCommand): Iterable<WordPart> {
  for (const word of command.words) yield* word.parts
  for (const { values } of command.assignments) for (const value of values) yield* value.parts
  for (const { target, body } of command.redirects) {
    yield* target.parts
    if (body !== null) yield* body.commands
  }
}

function isForkBomb({ words, pipedFrom }: ShellCommand): boolean {
  const [first] = words
  const [before] = pipedFrom?.words ?? []
  if (first === undefined || before === undefined || words.length !== 1) return false
  const name = (parts: readonly WordPart[]) =>
    parts.map((part) => ('text' in part ? part.text : UNKNOWN)).join('')
  const own = name(first.parts)
  return own === name(before.parts) && pipedFrom?.definition === own
}

function judgeRedirects(redirects: readonly Redirect[]): readonly Harm[] {
  return redirects.flatMap(({ operator, target }): readonly Harm[] => {
    if (!operator.includes('>')) return []
    const path = target.parts.map((part) => (part.kind === 'text' ? part.text : UNKNOWN)).join('')
    if (device.test(path)) {
      return [{ category: 'filesystem', why: 'It writes over a disk, past its file system.' }]
    }
    return path === '/proc/sysrq-trigger'
      ? [{ category: 'system', why: 'It tells the kernel to stop or restart the machine.' }]
      : []
  })
}

/** The language that a program without a script to run reads from its standard input. */
function readsFromInput(argv: readonly string[]): 'shell' | 'sql' | 'python' | 'javascript' | null {
  const [program = '', ...words] = argv
  const operands = words.filter((word) => !word.startsWith('-'))
  if (shells.has(program)) {
    return operands.length === 0 || words.some((word) => /^-[a-z]*s$/.test(word)) ? 'shell' : null
  }
  if (program === 'ssh') return 'shell'
  if (
    /^(?:psql|mysql|mariadb|sqlite3|sqlcmd|sqlplus|cockroach|duckdb|clickhouse-client|isql)$/.test(
      program,
    )
  ) {
    return 'sql'
  }
  const isBare = operands.length === 0 || operands[0] === '-'
  if (/^python[\d.]*$/.test(program) && isBare) return 'python'
  if (/^mongo(?:sh)?$/.test(program)) return 'javascript'
  return program === 'node' && isBare ? 'javascript' : null
}
