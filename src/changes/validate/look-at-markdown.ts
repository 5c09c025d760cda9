import type { Ports } from '../../core/ports.ts'
import type { FileProblem } from './file-problem.ts'
import { checkText } from './parse-text.ts'

/** Languages whose examples are usually whole enough to be parsed, by the fence's first word. */
const EXAMPLES: Readonly<Record<string, { readonly path: string; readonly language: string }>> = {
  js: { path: 'example.js', language: 'javascript' },
  javascript: { path: 'example.js', language: 'javascript' },
  jsx: { path: 'example.jsx', language: 'jsx' },
  ts: { path: 'example.ts', language: 'typescript' },
  typescript: { path: 'example.ts', language: 'typescript' },
  tsx: { path: 'example.tsx', language: 'tsx' },
  json: { path: 'example.json', language: 'json' },
  jsonc: { path: 'example.jsonc', language: 'jsonc' },
  yaml: { path: 'example.yaml', language: 'yaml' },
  yml: { path: 'example.yaml', language: 'yaml' },
  toml: { path: 'example.toml', language: 'toml' },
  css: { path: 'example.css', language: 'css' },
  python: { path: 'example.py', language: 'python' },
  py: { path: 'example.py', language: 'python' },
}

/** An example that leaves something out, or shows a session, is not meant to parse. */
const FRAGMENT = /(?:\.{3}|…)|^(?:>>>|\$|>|[+-]) /m

const MOST_EXAMPLES = 30

interface Fence {
  readonly line: number
  readonly language: string
  readonly lines: string[]
  closed: boolean
}

/** Hints about the code fences of a document: one left open, and examples that do not parse. */
export async function lookAtMarkdown(
  text: string,
  syntax: Ports['syntax'],
): Promise<readonly FileProblem[]> {
  const hints: FileProblem[] = []
  for (const fence of findFences(text).slice(0, MOST_EXAMPLES)) {
    if (!fence.closed) hints.push(hint('unclosed_fence', 'This code fence is never closed.', fence))
    else hints.push(...(await lookAtExample(fence, syntax)))
  }
  return hints
}

async function lookAtExample(
  fence: Fence,
  syntax: Ports['syntax'],
): Promise<readonly FileProblem[]> {
  const example = Object.hasOwn(EXAMPLES, fence.language) ? EXAMPLES[fence.language] : undefined
  const text = fence.lines.join('\n')
  if (!example || FRAGMENT.test(text)) return []
  const read = await checkText({ ...example, text }, syntax)
  const first = read === 'not checked' ? undefined : read.problems[0]
  if (!first) return []
  const message = `This ${fence.language} example does not parse: ${first.message}`
  const line = fence.line + first.line
  return [{ type: 'example', message, line, column: first.column }]
}

function findFences(text: string): readonly Fence[] {
  const fences: Fence[] = []
  let mark = ''
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const found = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})[ \t]*([\w+#.-]*)(.*)$/.exec(line)
    const fence = fences.at(-1)
    if (mark === '' && found) {
      mark = found[1] ?? ''
      const language = (found[2] ?? '').toLowerCase()
      fences.push({ line: index + 1, language, lines: [], closed: false })
    } else if (fence && found?.[1]?.startsWith(mark) && !found[2] && !found[3]?.trim()) {
      fence.closed = true
      mark = ''
    } else if (mark !== '') fence?.lines.push(line)
  }
  return fences
}

function hint(type: string, message: string, { line }: Fence): FileProblem {
  return { type, message, line, column: 1 }
}
