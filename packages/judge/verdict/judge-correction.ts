import { closestName } from '../../text/text.ts'
import { findDestructive } from '../destructive/find-destructive.ts'
import { literalOf } from '../destructive/shell/expand.ts'
import { readShellCommands, type ShellCommand } from '../destructive/shell/read-commands.ts'
import { isProtected } from '../gate/protected-paths.ts'
import type { Verification } from '../run/verify-folder.ts'
import { whyNotStarted } from './verify-change.ts'

/** The facts that a correction is judged by. */
export interface Correctable {
  /** The command line that could not run. */
  readonly original: string
  readonly role: 'tests' | 'lint' | 'accept' | 'setup'
  /** Files of the repository, including the change. */
  readonly paths: readonly string[]
  readonly roadmap: string
  readonly protectedPaths: readonly string[]
}

/** In characters. */
const longest = 300

/** Programs that always succeed or only print. */
const idle = new Set([
  ...['true', 'false', ':', 'exit', 'return', 'echo', 'printf', 'test', '[', '[[', 'sleep', 'wait'],
  ...['cat', 'ls', 'pwd', 'cd', 'set', 'export', 'which', 'type', 'command', 'help', 'man', 'yes'],
])
/** Programs that run their arguments or reach the network. */
const forbidden = new Set([
  ...['eval', 'exec', 'source', '.', 'sudo', 'doas', 'su', 'xargs', 'nohup', 'setsid', 'env', '!'],
  ...['curl', 'wget', 'ssh', 'scp', 'sftp', 'rsync', 'nc', 'ncat', 'telnet', 'ftp', 'git', 'gh'],
  ...['docker', 'podman', 'kubectl', 'crontab', 'at', 'kill', 'pkill', 'chmod', 'chown', 'mount'],
])
const takesCode = /^(?:sh|bash|dash|zsh|ksh|node|nodejs|deno|bun|python[\d.]*|perl|ruby|php|lua)$/
const codeFlag = /^(?:-[a-z]*[ce]|-r|-p|--eval|--print|eval)$/
/** Flags that run no test and still succeed. */
const emptying =
  /^(?:--?(?:help|version|pass-?with-?no-?tests|if-present|collect-only|co|list-?tests|list|dry-?run|just-print|no-run|bail=0|exit-zero|exit-0|continue-on-collection-errors|passWithNoTests|listTests|skip|skipTests|ignore)|-h|-V|-n|-DskipTests|-Dmaven\.test\.skip\S*|-x)(?:=.*)?$/i
const installing = /^(?:install|i|add|ci|get|download|update|upgrade|publish|login|exec|dlx|x)$/
const harmlessVariables = new Set(['CI', 'NODE_ENV', 'PYTHONPATH', 'RUBYLIB'])

type Tried<Ran> =
  /** A sentence for the author of the correction. */
  { readonly objection: string } | { readonly objection: null; readonly ran: Ran }

/** Judges a correction by its words, then, if it may run, by what it does. */
export async function tryCorrection<Ran extends { readonly after: Verification }>(
  line: string,
  known: Correctable,
  run: (line: string) => Promise<Ran>,
): Promise<Tried<Ran>> {
  const problem = await judgeCorrection(line, known)
  if (problem !== null) return { objection: problem }
  const ran = await run(line)
  const objection = objectionTo(ran.after, line, known)
  return objection === null ? { objection, ran } : { objection }
}

/** A corrected test command must have run a test: silence proves nothing. */
function objectionTo(after: Verification, line: string, { role }: Correctable): string | null {
  if (after.status === 'not_prepared') return `It failed: ${after.error.line}`
  if (role === 'setup') return null
  const report = after.report.commands.find(({ command }) => command === line)
  if (report === undefined) return 'It was not run.'
  const stillWrong = whyNotStarted(report)
  if (stillWrong !== null) return `It cannot be run either: ${stillWrong.line}`
  if (role === 'tests' && report.counts !== null) {
    const { passed, failed, skipped } = report.counts
    if (passed + failed + skipped === 0) return 'It ran no tests.'
  }
  return null
}

/**
 * Why a command line may not replace another, in a sentence for its author; `null` when it may. A correction is a
 * small variation that does the same work: it adds no operator, no program that proves nothing, no flag that skips
 * the tests, and nothing from outside the repository.
 */
export async function judgeCorrection(line: string, known: Correctable): Promise<string | null> {
  const { original } = known
  const text = line.trim()
  if (text === '') return 'It is empty.'
  if (text === original.trim()) return 'It is the same command.'
  if (text.length > longest) return `It is longer than ${longest} characters.`
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text)) return 'It must be one line of visible characters.'
  const operator = newOperator(text, original)
  if (operator !== null) return `It brings in ${operator}.`
  const commands = readShellCommands(text)
  const before = readShellCommands(original)
  const [first] = commands
  if (first === undefined) return 'It runs nothing.'
  const isMoved = commands.length > 1 && wordsOf(first)[0] === 'cd'
  const working = isMoved ? commands.slice(1) : commands
  if (working.length > before.length) return 'It runs more commands than the one it is for.'
  const old = before.flatMap(wordsOf)
  for (const command of commands) {
    const isPrefix = isMoved && command === first
    const reason = judgeWords(command, old, known) ?? (isPrefix ? null : judgeProgram(command, old))
    if (reason !== null) return reason
  }
  return (
    lostPath(old, commands.flatMap(wordsOf), known) ??
    unlike(text, original) ??
    ((await findDestructive({ path: 'correction.sh', text }))[0]?.why || null)
  )
}

const wordsOf = (command: ShellCommand): readonly string[] =>
  command.words.map((word) => literalOf(word) ?? '')

/** Operators outside quotes, each at most as often as before; `&&` is allowed for `cd`. */
function newOperator(text: string, original: string): string | null {
  const count = (line: string): ReadonlyMap<string, readonly string[]> => {
    const found: readonly string[] =
      line
        .replaceAll(/\\.|'[^']*'|"(?:[^"\\$`]|\\.)*"/g, ' ')
        .match(/\|\||\||;|&&?|[<>`#]|\$[({A-Za-z_]|(?<!\S)!(?!\S)/g) ?? []
    return Map.groupBy(found, (operator) => operator)
  }
  const old = count(original)
  for (const [operator, all] of count(text)) {
    const allowed = (old.get(operator)?.length ?? 0) + (operator === '&&' ? 1 : 0)
    if (all.length > allowed) return operator
  }
  return null
}

function judgeProgram(command: ShellCommand, old: readonly string[]): string | null {
  const [program = '', ...rest] = wordsOf(command)
  if (program === '') return 'Its program must be a plain word.'
  if (idle.has(program)) return `${program} proves nothing.`
  if (forbidden.has(program) && !old.includes(program)) return `${program} may not be used.`
  const runsCode = takesCode.test(program) && rest.some((word) => codeFlag.test(word))
  return runsCode && !(takesCode.test(old[0] ?? '') && old.some((word) => codeFlag.test(word)))
    ? 'It may not run code from the command line.'
    : null
}

function judgeWords(
  command: ShellCommand,
  old: readonly string[],
  { role, roadmap, protectedPaths }: Correctable,
): string | null {
  if (command.redirects.length > 0) return 'It may not read or write by redirection.'
  const variable = command.assignments.find(({ name }) => !harmlessVariables.has(name))
  if (variable !== undefined) return `It may not set ${variable.name}.`
  for (const word of wordsOf(command)) {
    if (word === '') return 'It may not have words that are only known when it runs.'
    if (old.includes(word)) continue
    if (emptying.test(word)) return `${word} lets nothing run.`
    if (role !== 'setup' && installing.test(word)) return `${word} needs a network.`
    if (/[a-z][\w+.-]*:\/\/|^[\w.-]+@[\w.-]+:/i.test(word)) return 'It may not name an address.'
    const value = word.replace(/^--?[\w-]+=/, '')
    if (/^[/~\\]|^[A-Za-z]:[\\/]|(?:^|\/)\.\.(?:\/|$)/.test(value)) {
      return 'It may only name paths inside the repository.'
    }
    const guard = isProtected(value, { roadmap, extra: protectedPaths, allowed: [] })
    if (guard !== null && /[./]/.test(value)) return `${word}: ${guard}.`
    if (/^\.git(?:\/|$)/i.test(value)) return `${word} is git's own.`
  }
  return null
}

/** Checks that the correction still names every existing file and folder of the original. */
function lostPath(
  old: readonly string[],
  now: readonly string[],
  { paths }: Correctable,
): string | null {
  const moved = now[0] === 'cd' ? (now[1] ?? '').replace(/\/$/, '') : null
  const exists = (path: string) =>
    path !== '' && paths.some((each) => each === path || each.startsWith(`${path}/`))
  for (const word of old.slice(1)) {
    const path = word.replace(/^\.\//, '').replace(/\/$/, '').replace(/::.*$/, '')
    // `npm test` names no folder, even when `test` is one.
    if (!exists(path) || word === 'test') continue
    const inside =
      moved !== null && path.startsWith(`${moved}/`) ? path.slice(moved.length + 1) : path
    if (!now.some((each) => each === word || each.includes(inside))) return `It leaves out ${word}.`
  }
  return null
}

function unlike(text: string, original: string): string | null {
  const tokensOf = (line: string): readonly string[] =>
    line.toLowerCase().match(/[a-z0-9_]{2,}/g) ?? []
  const tokens = tokensOf(text)
  const isKin = tokensOf(original).some(
    (token) => tokens.includes(token) || (token.length > 3 && closestName(token, tokens) !== null),
  )
  return isKin ? null : 'It has nothing in common with the command that failed.'
}
