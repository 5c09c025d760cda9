import { entry, isEntries, isList, textsOf, type Value, valueText } from '../../../source/source.ts'
import { type FindNested, type Harm, harmsOf } from '../finding.ts'
import type { DestructiveCategory } from '../operation.ts'
import { harmless, isPlainFile } from '../shell/call.ts'
import { judgeArguments } from '../shell/find-in-shell.ts'
import { type CodeCall, judgeLine } from './code-call.ts'

export type CallJudge = (call: CodeCall, look: FindNested) => readonly Harm[]

export const always =
  (harms: readonly Harm[]): CallJudge =>
  () =>
    harms

export const when =
  (isSo: (call: CodeCall) => boolean, harms: readonly Harm[]): CallJudge =>
  (call) =>
    isSo(call) ? harms : harmless

export const harm = (category: DestructiveCategory, why: string): readonly Harm[] => [
  { category, why },
]

export const deletesFolders = harm('filesystem', 'It deletes folders with everything in them.')
const deletesUnknown = harm('filesystem', 'It deletes paths that are known only when it runs.')

export const everything: CallJudge = () => deletesFolders
/** Files or empty folders: harmless when the paths are plain to see. */
export const eachPath: CallJudge = ({ args }) =>
  args.length > 0 && args.every((value) => isPlainFile(valueText(value)))
    ? harmless
    : deletesUnknown
/** The same, with options and callbacks after the path. */
export const firstPath: CallJudge = ({ args, keywords }) => {
  if (entry(args[1], 'recursive') === true) return deletesFolders
  return isPlainFile(valueText(args[0] ?? keywords.get('path'))) ? harmless : deletesUnknown
}
/** A path that its own method deletes. */
export const ownPath: CallJudge = ({ args, held }) =>
  args.length > 1 || isPlainFile(valueText(held)) ? harmless : deletesUnknown
/** Node's `fs.rm(path, options)`. */
export const pathWithOptions: CallJudge = ({ args: [, options], count }) => {
  const recursive = entry(options, 'recursive')
  const isUnknown = count > 1 && !isEntries(options)
  return recursive === true || isUnknown ? deletesFolders : harm('filesystem', 'It deletes files.')
}

export const line: CallJudge = ({ args, keywords }, look) => {
  const command = args[0] ?? keywords.get('args')
  // With a shell, the items after the first are the shell's own arguments.
  const isShell = keywords.get('shell') === true && isList(command)
  return judgeLine(isShell ? textsOf(command)[0] : command, look)
}
/** A command line that runs on another machine. */
export const textLine: CallJudge = ({ args: [first] }, look) =>
  typeof first === 'string' ? harmsOf(look('shell', first)) : harmless
/** The words of a call of one program, from an argument on. */
export const words =
  (from = 0, ...before: readonly string[]): CallJudge =>
  ({ args }, look) =>
    judgeArguments([...before, ...args.slice(from).flatMap(textsOf)], look)
/** One text is a command line; several are a program and its arguments. */
export const lineOrWords: CallJudge = (call, look) =>
  call.args.length > 1 && typeof call.args[0] === 'string' ? words()(call, look) : line(call, look)
/** A program, and its arguments in one text. */
export const programAndLine: CallJudge = ({ args }, look) =>
  harmsOf(look('shell', args.map((value) => textsOf(value).join(' ')).join(' ')))
/** The command among options: `{ cmd: […] }`. */
export const commandOption: CallJudge = ({ args: [first] }, look) =>
  judgeLine(isEntries(first) ? entry(first, 'cmd') : first, look)
/** A program, and options that hold its arguments. */
export const programWithOptions: CallJudge = ({ args: [program, options] }, look) => {
  const rest = entry(options, 'args')
  return judgeLine([program, ...(isList(rest) ? rest : [])], look)
}
/** `new Command("rm").arg("-rf")` */
export const builder: CallJudge = ({ args, chained }, look) => {
  const more = chained.filter(({ name }) => /^args?$/.test(name)).flatMap((each) => each.args)
  return judgeArguments([...args.slice(0, 1), ...more].flatMap(textsOf), look)
}

const takesLine =
  /^(?:exec|execSync|execaCommand|execaCommandSync|command|commandSync|execP|execPromise)$/

/** Node's ways to start a process: a line, or a program with arguments and options. */
export const spawn: CallJudge = (call, look) => {
  const [command, second, third] = call.args
  if (call.isTagged || (takesLine.test(call.name) && !isList(second))) return line(call, look)
  const given = [valueText(command), ...(isList(second) ? textsOf(second) : [])]
  const shell = entry(isEntries(third) ? third : second, 'shell')
  const isShell = shell === true || typeof shell === 'string'
  return isShell ? harmsOf(look('shell', given.join(' '))) : judgeArguments(given, look)
}
export const tagged: CallJudge = (call, look) => (call.isTagged ? line(call, look) : harmless)

/** SQL among the first arguments, or under the names that clients use for it. */
export const sql: CallJudge = ({ args, keywords }, look) => {
  const given = [...args.slice(0, 3), keywords.get('sql'), keywords.get('query')]
  for (const value of given.flatMap((each) => (isList(each) ? each : [each]))) {
    const text = isEntries(value) ? entry(value, 'text', 'sql', 'query', 'statement') : value
    const found = typeof text === 'string' ? harmsOf(look('sql', text)) : harmless
    if (found.length > 0) return found.slice(0, 1)
  }
  return harmless
}

/** Clients whose methods are git's commands and take its arguments. */
export const git: CallJudge = ({ name, args }, look) => {
  const given = args.flatMap((value) => (isEntries(value) ? [...value.keys()] : textsOf(value)))
  const isMode = name === 'reset' && given[0] === 'hard'
  const isClean = name === 'clean'
  const options = isClean ? given.map((word) => word.replace(/^[a-z]+$/, '-$&')) : given
  const command = name === 'raw' ? [] : [name]
  return judgeArguments(['git', ...command, ...(isMode ? ['--hard'] : options)], look)
}

export const isEmpty = (value: Value): boolean =>
  (isEntries(value) && value.size === 0) || (isList(value) && value.length === 0)
/** No filter, an empty one, or Prisma's options with an empty `where`. */
export function selectsAll(filter: Value, count: number): boolean {
  if (count <= 0 || filter === null || isEmpty(filter)) return true
  if (!isEntries(filter) || !filter.has('where')) return false
  const where = entry(filter, 'where')
  return isEmpty(where) || where === null
}
