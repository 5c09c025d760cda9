import { type ChangeSet, contentAfter, contentBefore } from '../../core/domain/change-set.ts'
import type { Task } from '../../core/domain/task.ts'
import { isTestFile } from '../tampering/is-test-file.ts'

const code = /\.(?:[cm]?[jt]sx?|pyi?|go|rs|java|kts?|scala|cs|rb|php|swift|c|cc|cpp)$/i
const comment = /^(?:\/\/|#(?!\[)|\*|\/\*|--|"""|''')/

/** Lines that only hold the others: heads of functions and classes, imports, types, brackets. */
const frame =
  /^(?:[{}()[\];,]*|(?:export |default |public |private |protected |static |async |abstract |final |pub(?:\(\w+\))? |open |override |unsafe )*(?:function|class|interface|type|def|fn|func|fun|impl|struct|enum|trait|module|namespace|package|import|from|use|using|require|include|mod)\b.*[{:(,;]?|@\w.*|else:?|end|<\?php|(?:export )?\{.*\}(?: from .*)?;?|[\w<>[\], ]+ \w+\([^)]*\)[^;=]*\{)$/

/** What a function does that does nothing: throws that it is not there yet, or answers with nothing. */
const nothing =
  /^(?:pass|\.\.\.|(?:return )?(?:todo|unimplemented)!\(.*\);?|raise NotImplementedError\b.*|raise (?:Exception|RuntimeError)\(.*not (?:yet )?implemented.*|throw new (?:Error|\w*(?:NotImplemented|UnsupportedOperation)\w*|RuntimeException|LogicException)\(.*\);?|panic!?\(.*\);?|return(?: (?:null|nil|None|undefined|0|-1|''|""|``|\[\]|\{\}|false|False|nullptr|void 0))?;?)$/

const oneLine =
  /(?:=>|\)\s*(?::[^={]+)?)\s*\{\s*(.*?)\s*\}[;,)]*$|^(?:async )?def [^#]*\)(?:\s*->\s*[^:]+)?:\s*(\S.*)$/

const asks =
  /\b(?:stubs?|skeletons?|scaffold\w*|placeholders?|not implemented|unimplemented|no-?op|empty|dummy|mock|interfaces?|abstract|signatures?|throws?|raises?|rejects?|returns? (?:null|nil|none|undefined|0|false|nothing|empty|an empty))\b/i

/**
 * Where everything executable that a change adds does nothing, the first such line as `path: line`;
 * `null` for a change that does something, or whose task asks for just that.
 */
export function findOnlyStubs(
  changes: ChangeSet,
  task: Pick<Task, 'title' | 'details'>,
): string | null {
  if (asks.test(`${task.title}\n${task.details}`)) return null
  const added = addedTo(changes)
  const telling = added.flatMap(({ path, line }) => {
    const body = bodyOf(line)
    return body === null ? [] : [{ path, line, isStub: nothing.test(body) || body === '' }]
  })
  const [first] = telling
  return first !== undefined && telling.every(({ isStub }) => isStub)
    ? `${first.path}: ${first.line.slice(0, 120)}`
    : null
}

/** What says of itself that it is not there yet. */
const unfinished =
  /not (?:yet )?implemented|\bNotImplemented|\btodo!|\bunimplemented!|UnsupportedOperation|\bTODO\b/i

/** Functions that a change adds and that only say so, as `path: line`; and how many lines of code it adds. */
export function findStubs(changes: ChangeSet): {
  readonly stubs: readonly string[]
  readonly lines: number
} {
  const added = addedTo(changes)
  const stubs = added.filter(({ line, path }, index) => {
    const body = bodyOf(line)
    if (body === null || !nothing.test(body)) return false
    const head = added[index - 1]
    const isEmpty = /^(?:pass|\.\.\.)$/.test(body) && body !== line
    const isLeft =
      /^(?:pass|\.\.\.)$/.test(line) && head?.path === path && /^(?:async )?def\b/.test(head.line)
    return unfinished.test(body) || isEmpty || isLeft
  })
  return {
    stubs: stubs.map(({ path, line }) => `${path}: ${line.slice(0, 120)}`),
    lines: added.length,
  }
}

/** Lines of code that a change adds to what is no test. */
const addedTo = (changes: ChangeSet) =>
  changes.flatMap((change) => {
    const text = contentAfter(change)
    const { path } = change
    if (text === undefined || !code.test(path) || isTestFile(path, [])) return []
    return addedLines(contentBefore(change) ?? '', text).map((line) => ({ path, line }))
  })

/** What a line does; `null` for one that only holds others. A body on the line of its head counts. */
function bodyOf(line: string): string | null {
  const found = oneLine.exec(line)
  const inner = found?.[1] ?? found?.[2]
  if (inner !== undefined && (inner === '' || nothing.test(inner))) return inner
  return frame.test(line) && inner === undefined ? null : line
}

/** Lines of the second text that the first has not, without comments and white space. */
function addedLines(before: string, after: string): readonly string[] {
  const known = new Map<string, number>()
  for (const line of linesOf(before)) known.set(line, (known.get(line) ?? 0) + 1)
  return linesOf(after).filter((line) => {
    const left = known.get(line) ?? 0
    known.set(line, left - 1)
    return left <= 0
  })
}

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !comment.test(line))
