/** What a model that works with tools looks at next. */
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
 * @param locates true where it finds the right file in a list of paths
 */
export function chooseLook(
  task: Task,
  missing: Missing,
  conversation: string,
  made: ReadonlySet<string>,
  locates: boolean,
): ToolCall | null {
  if (made.size >= mostLooks) return null
  const calls = [...looksAtPaths(task, missing, conversation, locates), ...looksAtNames(missing)]
  return calls.find((call) => !made.has(JSON.stringify(call))) ?? null
}

function* looksAtPaths(
  task: Task,
  { paths }: Missing,
  conversation: string,
  locates: boolean,
): Generator<ToolCall> {
  for (const path of paths) {
    if (!isPathShown(conversation, path)) continue
    const isFound = new RegExp(`^${quoted(path)}:\\d`, 'm').test(conversation)
    const isNamed = task.text.includes(path)
    if (isFound || isNamed || locates) yield* readsOf(task, path, conversation)
  }
  if (paths.length === 0) return
  yield { tool: 'search', arguments: { words: wordsOf(task.text).slice(0, 4).join(' ') } }
  for (const word of wordsOf(task.text).slice(0, 4)) {
    yield { tool: 'grep', arguments: { words: word } }
  }
  yield { tool: 'list_files', arguments: {} }
}

/** The whole file, and then the part of a long one that it has not seen. */
function* readsOf(task: Task, path: string, conversation: string): Generator<ToolCall> {
  yield { tool: 'read_file', arguments: { path } }
  const lines = (task.files.get(path) ?? '').split('\n')
  for (let from = 1; from < lines.length; from += 150) {
    const part = lines.slice(from - 1, from + 149)
    if (part.every((line) => isShown(conversation, line))) continue
    yield { tool: 'read_file', arguments: { path, from, to: Math.min(from + 149, lines.length) } }
  }
}

function* looksAtNames({ names }: Missing): Generator<ToolCall> {
  for (const name of names) yield { tool: 'grep', arguments: { words: name } }
}

const quoted = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

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
