import type { Ports } from '../../core/ports.ts'
import { languageOf } from '../../text/source/languages.ts'
import { type CodeFence, readFences } from '../../text/words/bound-text.ts'
import { checkText } from './parse-text.ts'
import type { FileProblem } from './text-checks.ts'

/** Names of languages that are no file's ending. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['javascript', 'js'],
  ['typescript', 'ts'],
  ['python', 'py'],
])

/** Languages whose examples are usually whole enough to be parsed. */
const EXAMPLES: ReadonlySet<string> = new Set(
  'javascript jsx typescript tsx json jsonc yaml toml css python'.split(' '),
)

/** An example that leaves something out, or shows a session, is not meant to parse. */
const FRAGMENT = /(?:\.{3}|…)|^(?:>>>|\$|>|[+-]) /m

const MOST_EXAMPLES = 30

/** Hints about the code fences of a document: one left open, and examples that do not parse. */
export async function lookAtMarkdown(
  text: string,
  syntax: Ports['syntax'],
): Promise<readonly FileProblem[]> {
  const hints: FileProblem[] = []
  for (const fence of readFences(text).fences.slice(0, MOST_EXAMPLES)) {
    if (!fence.closed) hints.push(hint('unclosed_fence', 'This code fence is never closed.', fence))
    else hints.push(...(await lookAtExample(fence, syntax)))
  }
  return hints
}

async function lookAtExample(
  fence: CodeFence,
  syntax: Ports['syntax'],
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

function hint(type: string, message: string, { line }: CodeFence): FileProblem {
  return { type, message, line, column: 1 }
}
