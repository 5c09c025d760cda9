import type { Document, LineCounter, YAMLMap } from 'yaml'
import type { SyntaxProblem } from '../../core/ports/syntax-checker.ts'
import { TOO_DEEP } from '../../text/source/positions.ts'

/** Nesting on one line that would cost the parser seconds; people write three or four. */
const ABSURD_NESTING = /(?:[[{]\s*){200}|(?:[-?][ \t]+){200}/

/** Problems of YAML, one document or several. Unknown tags are fine; an alias needs its anchor. */
export async function parseYaml(text: string): Promise<readonly SyntaxProblem[]> {
  if (ABSURD_NESTING.test(text)) return [TOO_DEEP]
  const yaml = await import('yaml')
  const lines = new yaml.LineCounter()
  const options = { prettyErrors: false, lineCounter: lines, uniqueKeys: false }
  const parsed = yaml.parseAllDocuments(text, options)
  const documents: readonly Document[] = Array.isArray(parsed) ? parsed : []
  return [
    ...(text.includes('%') ? strayDirectives(text) : []),
    ...documents.flatMap((document) => [
      ...document.errors.map(({ message, pos }) => problemAt(lines, pos[0], message)),
      ...wrongNodes(document, yaml, lines),
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

/** Aliases without an anchor before them, and keys that a map has twice; in the order of the text. */
function wrongNodes(
  { contents }: Document,
  yaml: typeof import('yaml'),
  lines: LineCounter,
): readonly SyntaxProblem[] {
  const anchors = new Set<string>()
  const problems: SyntaxProblem[] = []
  const waiting: unknown[] = [contents]
  while (waiting.length > 0) {
    const node = waiting.pop()
    if (yaml.isAlias(node) && !anchors.has(node.source)) {
      const message = `The alias *${node.source} has no anchor &${node.source} before it.`
      problems.push(problemAt(lines, node.range?.[0] ?? 0, message))
    } else if (yaml.isPair(node)) waiting.push(node.value, node.key)
    else if (yaml.isCollection(node)) {
      if (yaml.isMap(node)) problems.push(...repeatedKeys(node, yaml, lines))
      for (const item of node.items.toReversed()) waiting.push(item)
    }
    if (yaml.isNode(node) && 'anchor' in node && node.anchor) anchors.add(node.anchor)
  }
  return problems
}

/** The parser would compare each key with every other one: minutes for a file of 100,000 keys. */
function repeatedKeys(
  { items }: YAMLMap,
  yaml: typeof import('yaml'),
  lines: LineCounter,
): readonly SyntaxProblem[] {
  const seen = new Set<unknown>()
  return items.flatMap(({ key }) => {
    if (!yaml.isScalar(key)) return []
    const isRepeated = seen.has(key.value)
    seen.add(key.value)
    return isRepeated ? [problemAt(lines, key.range?.[0] ?? 0, 'Map keys must be unique')] : []
  })
}

function problemAt(lines: LineCounter, offset: number, message: string): SyntaxProblem {
  if (message.includes('call stack')) return TOO_DEEP
  const { line, col } = lines.linePos(offset)
  return { message, line, column: col }
}
