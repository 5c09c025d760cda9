import { type ChangeSet, contentAfter, contentBefore } from '../../change/change.ts'
import { codeFile, isTestFile } from '../../source/source.ts'
import type { Words } from '../judging.ts'

const comment = /^(?:\/\/|#(?!\[)|\*|\/\*|--|"""|''')/

/** Lines that only frame others: heads of functions and classes, imports, types, brackets. */
const frame =
  /^(?:[{}()[\];,]*|(?:export |default |public |private |protected |static |async |abstract |final |pub(?:\(\w+\))? |open |override |unsafe )*(?:function|class|interface|type|def|fn|func|fun|impl|struct|enum|trait|module|namespace|package|import|from|use|using|require|include|mod)\b.*[{:(,;]?|@\w.*|else:?|end|<\?php|(?:export )?\{.*\}(?: from .*)?;?|[\w<>[\], ]+ \w+\([^)]*\)[^;=]*\{)$/

/** A body that does nothing: it throws "not implemented" or returns an empty value. */
const nothing =
  /^(?:pass|\.\.\.|(?:return )?(?:todo|unimplemented)!\(.*\);?|raise NotImplementedError\b.*|raise (?:Exception|RuntimeError)\(.*not (?:yet )?implemented.*|throw new (?:Error|\w*(?:NotImplemented|UnsupportedOperation)\w*|RuntimeException|LogicException)\(.*\);?|panic!?\(.*\);?|return(?: (?:null|nil|None|undefined|0|-1|''|""|``|\[\]|\{\}|false|False|nullptr|void 0))?;?)$/

const oneLine =
  /(?:=>|\)\s*(?::[^={]+)?)\s*\{\s*(.*?)\s*\}[;,)]*$|^(?:async )?def [^#]*\)(?:\s*->\s*[^:]+)?:\s*(\S.*)$/

const asks =
  /\b(?:stubs?|skeletons?|scaffold\w*|placeholders?|not implemented|unimplemented|no-?op|empty|dummy|mock|interfaces?|abstract|signatures?|throws?|raises?|rejects?|returns? (?:null|nil|none|undefined|0|false|nothing|empty|an empty))\b/i

/**
 * Returns the first added line as `path: line` when no executable line that a change adds does
 * anything; `null` when one does, or when the task asks for stubs.
 */
export function findOnlyStubs(changes: ChangeSet, task: Words): string | null {
  if (asks.test(`${task.title}\n${task.details}`)) return null
  const telling = addedTo(changes).filter(({ body }) => body !== null)
  const [first] = telling
  return first !== undefined && telling.every(({ isStub }) => isStub) ? shown(first) : null
}

/** Code that calls itself unfinished. */
const unfinished =
  /not (?:yet )?implemented|\bNotImplemented|\btodo!|\bunimplemented!|UnsupportedOperation|\bTODO\b/i
const isHead = /^(?:async )?def\b/

/** Finds unfinished functions that a change adds, as `path: line`, and counts its added lines. */
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
  /** The two lines above it, nearest first. */
  readonly above: readonly [string, string]
  /** The head of the enclosing class. */
  readonly holder: string
}

interface AddedLine extends CodeLine {
  readonly path: string
  /** What it does; `null` when it only frames other lines or is a complete declaration. */
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
      // Returning another value in place of a computation changes what the code does.
      const isValue = replaces && body.startsWith('return')
      return { ...each, path, body, isStub: !isValue && !isGuard(body, each) }
    })
  })

/** Returns true when the body is meant to be empty. */
function declares({ line, above, holder }: CodeLine, body: string): boolean {
  const isWhole = body === '' ? keepsArguments.test(line) : /^class\b/.test(above[0])
  return isWhole || isDeclared.test(holder) || above.some((each) => isAbstract.test(each))
}

/** Refuses some input, and is no body: `if (a < 0) {` above `throw new Error('negative')`. */
const isGuard = (body: string, { above: [head] }: CodeLine): boolean =>
  /^(?:panic|throw|raise)\b/.test(body) && !unfinished.test(body) && control.test(head)
const control =
  /^(?:[}\s]*else\b|(?:if|elif|for|while|switch|case|default|match|catch|except|rescue|try|unless|when)\b)/

/** Files that hold only types. */
const declarations = /\.(?:pyi|d\.[cm]?ts)$/i
/** Classes whose methods are implemented elsewhere or meant to do nothing. */
const isDeclared =
  /\b(?:ABC|ABCMeta|Protocol|Interface|abstract|Abstract\w*|Base\w*|Null\w*|No-?[Oo]p\w*)\b/
const isAbstract = /^@(?:\w+\.)*(?:abstract\w*|overload)\b/
/** Constructors and records, whose only purpose is to hold their arguments. */
const keepsArguments =
  /\bconstructor\s*\(|\b__construct\b|\b(?:record|data class)\b|^(?:(?:public|private|protected|internal|explicit|constexpr) )*[A-Z]\w*\s*\(/

/** A longer line is data or generated. */
const longestLine = 300

/** Returns what a line does, including a body on its head's line; `null` for a framing line. */
function bodyOf(line: string): string | null {
  if (line.length > longestLine) return line
  const found = oneLine.exec(line)
  const inner = found?.[1] ?? found?.[2]
  if (inner !== undefined && (inner === '' || nothing.test(inner))) return inner
  return frame.test(line) && inner === undefined ? null : line
}

/** Returns the lines that `others` lacks. */
function without(lines: readonly CodeLine[], others: readonly CodeLine[]): readonly CodeLine[] {
  const known = new Map<string, number>()
  for (const { line } of others) known.set(line, (known.get(line) ?? 0) + 1)
  return lines.filter(({ line }) => {
    const left = known.get(line) ?? 0
    known.set(line, left - 1)
    return left <= 0
  })
}

/** Splits a text into lines without comments and white space. */
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
