import type { Document, LineCounter } from 'yaml'
import type { SyntaxProblem } from '../ports.ts'
import { TOO_DEEP } from './positions.ts'

/** Nesting on one line that would cost the parser seconds; people write three or four. */
const ABSURD_NESTING = /(?:[[{]\s*){200}|(?:[-?][ \t]+){200}/

/** Problems of YAML, one document or several. Unknown tags are fine; an alias needs its anchor. */
export async function parseYaml(text: string): Promise<readonly SyntaxProblem[]> {
  if (ABSURD_NESTING.test(text)) return [TOO_DEEP]
  const yaml = await import('yaml')
  const lines = new yaml.LineCounter()
  const parsed = yaml.parseAllDocuments(text, { prettyErrors: false, lineCounter: lines })
  const documents: readonly Document[] = Array.isArray(parsed) ? parsed : []
  return [
    ...(text.includes('%') ? strayDirectives(text) : []),
    ...documents.flatMap((document) => [
      ...document.errors.map(({ message, pos }) => problemAt(lines, pos[0], message)),
      ...(text.includes('*') ? strayAliases(document, yaml.visit, lines) : []),
    ]),
  ]
}

/** Of the directives before the first document: the parser takes them without one, and twice. */
function strayDirectives(text: string): readonly SyntaxProblem[] {
  let versions = 0
  let last = 0
  for (const [index, line] of text.split('\n').entries()) {
    if (/^%YAML\b/.test(line)) versions += 1
    if (versions > 1)
      return [{ message: '%YAML stands here a second time.', line: index + 1, column: 1 }]
    if (line.startsWith('%')) last = index + 1
    else if (!/^\s*(?:#|$)/.test(line)) return []
  }
  const message = 'A directive stands before a document, which begins with `---`.'
  return last === 0 ? [] : [{ message, line: last, column: 1 }]
}

function strayAliases(
  document: Document,
  visit: typeof import('yaml').visit,
  lines: LineCounter,
): readonly SyntaxProblem[] {
  const anchors = new Set<string>()
  const problems: SyntaxProblem[] = []
  visit(document, {
    Node(_key, node) {
      if ('anchor' in node && typeof node.anchor === 'string') anchors.add(node.anchor)
    },
    Alias(_key, alias) {
      if (anchors.has(alias.source)) return
      const message = `The alias *${alias.source} has no anchor &${alias.source} before it.`
      problems.push(problemAt(lines, alias.range?.[0] ?? 0, message))
    },
  })
  return problems
}

function problemAt(lines: LineCounter, offset: number, message: string): SyntaxProblem {
  if (message.includes('call stack')) return TOO_DEEP
  const { line, col } = lines.linePos(offset)
  return { message, line, column: col }
}
