import { type ChangeSet, contentAfter, contentBefore } from '../../core/domain/change-set.ts'
import type { Task } from '../../core/domain/task.ts'
import { codeFile, isTestFile } from '../../text/source/test-files.ts'

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
  const telling = addedTo(changes).filter(({ body }) => body !== null)
  const [first] = telling
  return first !== undefined && telling.every(({ isStub }) => isStub) ? shown(first) : null
}

/** What says of itself that it is not there yet. */
const unfinished =
  /not (?:yet )?implemented|\bNotImplemented|\btodo!|\bunimplemented!|UnsupportedOperation|\bTODO\b/i
const isHead = /^(?:async )?def\b/

/** Functions that a change adds and that only say so, as `path: line`; and how many lines of code it adds. */
export function findStubs(changes: ChangeSet): {
  readonly stubs: readonly string[]
  readonly lines: number
} {
  const added = addedTo(changes)
  const stubs = added.filter(({ body, isStub, line, above }) => {
    if (!isStub || body === null || body === '') return false
    const isEmpty = /^(?:pass|\.\.\.)$/.test(body) && (body !== line || isHead.test(above[0]))
    return isEmpty || unfinished.test(body)
  })
  return { stubs: stubs.map(shown), lines: added.length }
}

const shown = ({ path, line }: AddedLine): string => `${path}: ${line.slice(0, 120)}`

interface CodeLine {
  readonly line: string
  /** The line above it, and the one above that. */
  readonly above: readonly [string, string]
  /** The head of the class that it stands in. */
  readonly holder: string
}

interface AddedLine extends CodeLine {
  readonly path: string
  /** What it does; `null` where it only holds others, or declares and is complete so. */
  readonly body: string | null
  readonly isStub: boolean
}

const addedTo = (changes: ChangeSet): readonly AddedLine[] =>
  changes.flatMap((change) => {
    const text = contentAfter(change)
    const { path } = change
    if (text === undefined || !codeFile.test(path) || declarations.test(path)) return []
    if (isTestFile(path)) return []
    const [before, after] = [linesOf(contentBefore(change) ?? ''), linesOf(text)]
    const replaces = without(before, after).some(
      ({ line }) => !nothing.test(bodyOf(line) ?? 'pass'),
    )
    return without(after, before).map((each) => {
      const body = bodyOf(each.line)
      if (body !== null && body !== '' && !nothing.test(body))
        return { ...each, path, body, isStub: false }
      if (body === null || declares(each, body)) return { ...each, path, body: null, isStub: false }
      // Another value in the place of what was computed is a change of what the code does.
      return { ...each, path, body, isStub: !(replaces && body.startsWith('return')) }
    })
  })

/** Whether an empty body is all that there is to be. */
function declares({ line, above, holder }: CodeLine, body: string): boolean {
  const isWhole = body === '' ? keepsArguments.test(line) : /^class\b/.test(above[0])
  return isWhole || isDeclared.test(holder) || above.some((each) => isAbstract.test(each))
}

/** Types alone. */
const declarations = /\.(?:pyi|d\.[cm]?ts)$/i
/** Of such a class others say what its functions do, or nobody is to. */
const isDeclared =
  /\b(?:ABC|ABCMeta|Protocol|Interface|abstract|Abstract\w*|Base\w*|Null\w*|No-?[Oo]p\w*)\b/
const isAbstract = /^@(?:\w+\.)*(?:abstract\w*|overload)\b/
/** Constructors and records: to have their arguments is all that they are for. */
const keepsArguments =
  /\bconstructor\s*\(|\b__construct\b|\b(?:record|data class)\b|^(?:(?:public|private|protected|internal|explicit|constexpr) )*[A-Z]\w*\s*\(/

/** Of more characters is data, or made by a tool. */
const longestLine = 300

/** What a line does; `null` for one that only holds others. A body on the line of its head counts. */
function bodyOf(line: string): string | null {
  if (line.length > longestLine) return line
  const found = oneLine.exec(line)
  const inner = found?.[1] ?? found?.[2]
  if (inner !== undefined && (inner === '' || nothing.test(inner))) return inner
  return frame.test(line) && inner === undefined ? null : line
}

/** Those of the first that the second has not. */
function without(lines: readonly CodeLine[], others: readonly CodeLine[]): readonly CodeLine[] {
  const known = new Map<string, number>()
  for (const { line } of others) known.set(line, (known.get(line) ?? 0) + 1)
  return lines.filter(({ line }) => {
    const left = known.get(line) ?? 0
    known.set(line, left - 1)
    return left <= 0
  })
}

/** Without comments and white space. */
function linesOf(text: string): readonly CodeLine[] {
  const found: CodeLine[] = []
  let holder = { head: '', depth: 0 }
  for (const whole of text.split('\n')) {
    const line = whole.trim()
    if (line === '' || comment.test(line)) continue
    const depth = whole.length - whole.trimStart().length
    if (depth <= holder.depth && line !== '{') holder = { head: '', depth: 0 }
    const above = [found.at(-1)?.line ?? '', found.at(-2)?.line ?? ''] as const
    found.push({ line, above, holder: holder.head })
    if (/\bclass \w/.test(line)) holder = { head: line, depth }
  }
  return found
}
