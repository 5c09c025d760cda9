/** What a model that works with tools looks at next. */
import { lineChanges } from '../../harness/line-changes.ts'
import { isPathShown, isShown } from './find-names.ts'
import type { Task } from './task.ts'

export interface ToolCall {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** What the solution needs and the conversation does not show. */
export interface Missing {
  /** Files of the solution whose changed lines are not shown. */
  readonly paths: readonly string[]
  readonly names: readonly string[]
}

export const writeCall = ({ tool, arguments: given }: ToolCall): string =>
  `I need to look at this first.\n\`\`\`json\n${JSON.stringify({ tool, arguments: given })}\n\`\`\`\n`

/** More looks than this find nothing new: then it guesses. */
const mostLooks = 12

/**
 * The next look, or `null` when nothing is left to look at.
 *
 * @param made calls that were made already, as JSON
 * @param found paths that it has reason to open
 */
export function chooseLook(
  task: Task,
  missing: Missing,
  conversation: string,
  made: ReadonlySet<string>,
  found: ReadonlySet<string>,
): ToolCall | null {
  if (made.size >= mostLooks) return null
  const calls = [...looksAtPaths(task, missing, conversation, found), ...looksAtNames(missing)]
  return calls.find((call) => !made.has(JSON.stringify(call))) ?? null
}

function* looksAtPaths(
  task: Task,
  { paths }: Missing,
  conversation: string,
  found: ReadonlySet<string>,
): Generator<ToolCall> {
  for (const path of paths) {
    if (!isPathShown(conversation, path)) continue
    if (found.has(path)) yield* readsOf(task, path, conversation)
  }
  if (paths.length === 0) return
  yield { tool: 'search', arguments: { words: wordsOf(task.text).slice(0, 4).join(' ') } }
  for (const word of wordsOf(task.text).slice(0, 4)) {
    yield { tool: 'grep', arguments: { words: word } }
  }
  yield { tool: 'list_files', arguments: {} }
}

/** The whole file, and then the places of a long one that it has not seen: found by a name, read with their lines. */
function* readsOf(task: Task, path: string, conversation: string): Generator<ToolCall> {
  yield { tool: 'read_file', arguments: { path } }
  const file = task.solution.find((each) => each.path === path)
  const text = file?.before ?? ''
  const lines = text.split('\n')
  for (const { start, end } of lineChanges(text, file?.after ?? '')) {
    const part = lines.slice(Math.max(0, start - 1), end + 1)
    if (part.every((line) => isShown(conversation, line))) continue
    const near = lines.slice(0, start + 1).findLast((line) => /^\s*\S+.*\w{4,}.*[({:]/.test(line))
    const name = (near?.match(/\w{4,}/g) ?? []).at(-1)
    if (name !== undefined) yield { tool: 'grep', arguments: { words: name, path } }
    const [from, to] = [Math.max(1, start + 1 - around), Math.min(lines.length, end + around)]
    yield { tool: 'read_file', arguments: { path, from, to } }
  }
}

/** Lines that it reads before and after a place. */
const around = 20

function* looksAtNames({ names }: Missing): Generator<ToolCall> {
  for (const name of names) yield { tool: 'grep', arguments: { words: name } }
}

export const quoted = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

const common =
  /^(?:this|that|with|when|from|into|change|make|pass|fault|their|should|which|tests?|support|adds?|fix(?:es|ed)?|update|handle|allow|using|instead|where|have|also|more|only)$/i

/** The words of a task that say what it is about, longest first. */
export const wordsOf = (text: string): readonly string[] => {
  const words =
    text.replaceAll(/`[^`]*`/g, (name) => name.slice(1, -1)).match(/[A-Za-z_]\w{3,}/g) ?? []
  const telling = [...new Set(words)].filter((word) => !common.test(word))
  return telling.toSorted((a, b) => b.length - a.length)
}

/** A call that cannot be carried out, as weak models make them. */
export function spoilCall(call: ToolCall, kind: number): string {
  if (kind < 0.34) return writeCall({ ...call, tool: 'open_editor' })
  if (kind < 0.67) return writeCall(call).replace(/\}\n```/, '\n```')
  const given = Object.entries(call.arguments).map(([name, value]) => [
    name,
    typeof value === 'string' ? `${value}_` : value,
  ])
  return writeCall({ ...call, arguments: Object.fromEntries(given) })
}
