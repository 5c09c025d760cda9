import { type ChangeSet, type CodeProblem, contentAfter } from '../../change/change.ts'
import { endOfText, languageOf, type SyntaxProblem } from '../../source/source.ts'
import { type CodeFence, readFences } from '../../text/text.ts'
import type { JudgePorts } from '../judging.ts'
import { checkText, isParsed } from './parse-text.ts'
import {
  type FileProblem,
  findFences,
  findMarkers,
  findPlaceholders,
  findReplyRemains,
  findTrailingProse,
  lookAtMakefile,
} from './text-checks.ts'

/**
 * The findings on one file. `valid` means that no problem was found; only with `checked` does it
 * mean that a parser accepted the file. Without `checked`, people see "not checked", never "valid".
 */
export interface FileReport {
  readonly path: string
  readonly language: string
  readonly valid: boolean
  readonly checked: boolean
  readonly problems: readonly FileProblem[]
  /** Possible faults that invalidate nothing: complaints of parsers that reject real files, too. */
  readonly hints: readonly FileProblem[]
}

interface Finding {
  readonly checked: boolean
  readonly problems: readonly FileProblem[]
  /** Complaints of a parser that is not always right; `checked` is then false. */
  readonly doubts: readonly FileProblem[]
  readonly hints: readonly FileProblem[]
}

/** One mistake can confuse a parser many times over; the first few problems are enough. */
const MAX_PROBLEMS = 10

/**
 * Parses one text. With `before`, the replaced text, reports only problems that the change added: a
 * file that was already broken may be worked on. A parser that rejects real files makes a change
 * invalid only when it could read the earlier text.
 */
export async function validateFile(
  file: { path: string; text: string; before?: string | undefined },
  ports: Pick<JudgePorts, 'syntax'>,
): Promise<FileReport> {
  const { path, text, before } = file
  const language = languageOf(path, text)
  const now = await inspect(path, text, language, ports)
  const isClean = now.problems.length + now.doubts.length + now.hints.length === 0
  const old =
    isClean || before === undefined
      ? nothing
      : await inspect(path, before, languageOf(path, before), ports)
  const since = (kind: 'problems' | 'doubts' | 'hints') =>
    addedProblems({ text, problems: now[kind] }, { text: before ?? '', problems: old[kind] })
  const couldRead = old.checked && before?.trim() !== ''
  const isCertain = now.doubts.length > 0 && couldRead
  const problems = [...since('problems'), ...(isCertain ? now.doubts : [])]
  const hints = [...(isCertain ? [] : since('doubts')), ...since('hints')]
  return {
    ...{ path, language, valid: problems.length === 0, checked: now.checked || isCertain },
    problems: problems.slice(0, MAX_PROBLEMS),
    hints: hints.slice(0, MAX_PROBLEMS),
  }
}

const nothing: Finding = { checked: false, problems: [], doubts: [], hints: [] }

async function inspect(
  path: string,
  text: string,
  language: string,
  ports: Pick<JudgePorts, 'syntax'>,
): Promise<Finding> {
  const remains = findReplyRemains(text, language)
  if (remains.length > 0) return { ...nothing, checked: isParsed(language), problems: remains }
  const markers = findMarkers(text, language)
  if (language === 'markdown') {
    return { ...nothing, problems: markers, hints: await lookAtMarkdown(text, ports.syntax) }
  }
  const file = { path, text: text.replace(/^\uFEFF/, ''), language }
  const read = await checkText(file, ports.syntax)
  if (read === 'not checked') {
    const separators =
      language === 'makefile' ? lookAtMakefile(text) : findTrailingProse(text, language)
    return { ...nothing, problems: [...markers, ...placeholdersIn(text, language), ...separators] }
  }
  const placeholders = placeholdersIn(text, language)
  if (read.problems.length === 0) {
    // In a style sheet, markers cannot be in a string, and parse as something else.
    const problems = language === 'css' ? [...markers, ...placeholders] : placeholders
    return { ...nothing, checked: true, problems }
  }
  const evident = [
    ...markers,
    ...findFences(text, language),
    ...findTrailingProse(text, language),
  ].slice(0, 1)
  if (evident.length > 0) return { ...nothing, checked: true, problems: evident }
  const end = endOfText(text)
  const found = read.problems.map((problem) => place(problem, end))
  if (read.trust === 'sure') {
    return { ...nothing, checked: true, problems: [...placeholders, ...found] }
  }
  const kind = read.trust === 'doubtful' ? 'doubts' : 'hints'
  return { ...nothing, problems: placeholders, [kind]: found }
}

const placeholdersIn = (text: string, language: string): readonly FileProblem[] =>
  language === 'unknown' || language === 'text' ? [] : findPlaceholders(text)

/** Parsers that miss something at the end name an empty line; this names the last written one. */
function place(problem: SyntaxProblem, end: { line: number; column: number }): FileProblem {
  return { type: 'syntax', ...problem, ...(problem.line > end.line ? end : {}) }
}

export async function validateChanges(
  changes: ChangeSet,
  ports: Pick<JudgePorts, 'syntax'>,
): Promise<readonly CodeProblem[]> {
  const found = await Promise.all(
    changes.map(async (change) => {
      const text = contentAfter(change)
      if (text === undefined) return []
      const before = change.action === 'modify' ? change.before : undefined
      const { problems } = await validateFile({ path: change.path, text, before }, ports)
      return problems.map((problem) => ({ path: change.path, ...problem }))
    }),
  )
  return found.flat()
}

type Checked = Pick<FileReport, 'problems'> & { readonly text: string }

/**
 * Returns the problems that a change added. An old problem has the same message (except numbers) on
 * a line with the same text; if several lines have that text, it also keeps its distance from the
 * file's start or end.
 */
function addedProblems(now: Checked, before: Checked): readonly FileProblem[] {
  if (before.problems.length === 0) return now.problems
  const lines = trimmedLines(now.text)
  const oldLines = trimmedLines(before.text)
  const isOld = (problem: FileProblem) =>
    before.problems.some((old) => {
      if (old.type !== problem.type || gist(old.message) !== gist(problem.message)) return false
      const oldLine = oldLines[old.line - 1] ?? ''
      if (oldLine !== (lines[problem.line - 1] ?? '')) return false
      const samePlace =
        old.line === problem.line || oldLines.length - old.line === lines.length - problem.line
      return samePlace || oldLines.indexOf(oldLine) === oldLines.lastIndexOf(oldLine)
    })
  return now.problems.filter((problem) => !isOld(problem))
}

/** Messages quote line numbers, which an unrelated edit above shifts. */
const gist = (message: string): string => message.replace(/\d+/g, '#')

const trimmedLines = (text: string): readonly string[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.trim())

/** Languages whose names are not file endings. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['javascript', 'js'],
  ['typescript', 'ts'],
  ['python', 'py'],
])

/** Languages whose examples are usually complete enough to parse. */
const EXAMPLES: ReadonlySet<string> = new Set(
  'javascript jsx typescript tsx json jsonc yaml toml css python'.split(' '),
)

/** An example that omits something, or shows a session, is not meant to parse. */
const FRAGMENT = /(?:\.{3}|…)|^(?:>>>|\$|>|[+-]) /m

const MOST_EXAMPLES = 30

/** Finds hints about a document's code fences: one left open, and examples that do not parse. */
async function lookAtMarkdown(
  text: string,
  syntax: JudgePorts['syntax'],
): Promise<readonly FileProblem[]> {
  const hints: FileProblem[] = []
  for (const fence of readFences(text).fences.slice(0, MOST_EXAMPLES)) {
    const message = 'This code fence is never closed.'
    const { line } = fence
    if (!fence.closed) hints.push({ type: 'unclosed_fence', message, line, column: 1 })
    else hints.push(...(await lookAtExample(fence, syntax)))
  }
  return hints
}

async function lookAtExample(
  fence: CodeFence,
  syntax: JudgePorts['syntax'],
): Promise<readonly FileProblem[]> {
  const path = `example.${NAMES.get(fence.language) ?? fence.language}`
  const [language, text] = [languageOf(path), fence.lines.join('\n')]
  if (!EXAMPLES.has(language) || FRAGMENT.test(text)) return []
  const read = await checkText({ path, language, text }, syntax)
  const first = read === 'not checked' ? undefined : read.problems[0]
  if (!first) return []
  const message = `This ${fence.language} example does not parse: ${first.message}`
  const line = fence.line + first.line
  return [{ type: 'example', message, line, column: first.column }]
}
