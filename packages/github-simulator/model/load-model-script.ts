import { type Document, LineCounter, parseDocument } from 'yaml'
import { InvalidScript } from './invalid-script.ts'
import type { ModelScript } from './model-script.ts'
import { answer, rule } from './script-schema.ts'

/**
 * Reads a script from YAML or JSON: the list that `ModelScript` describes, where `contains: /…/i`
 * is a regular expression.
 * @throws InvalidScript naming every problem with its line.
 */
export function loadModelScript(text: string): ModelScript {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const [broken] = document.errors
  if (broken !== undefined) throw invalid([broken.message.split('\n')[0] ?? ''])
  const entries = resolve(document)
  if (!Array.isArray(entries)) throw invalid(['line 1: expected a list of answers and rules'])

  const lineOf = (path: readonly PropertyKey[]): number => {
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length), true)
      if (isNode(node)) return lines.linePos(node.range[0]).line
    }
    return 1
  }
  const problems: string[] = []
  const script: ModelScript = entries.flatMap((entry: unknown, index) => {
    // Chosen by hand: a union's error would not say which shape was meant.
    const read = isRule(entry) ? rule.safeParse(entry) : answer.safeParse(entry)
    if (read.success) return [read.data]
    for (const issue of read.error.issues) {
      const path = [index, ...issue.path]
      problems.push(`line ${lineOf(path)}, ${path.join('.')}: ${issue.message}`)
    }
    return []
  })
  if (problems.length > 0) throw invalid(problems)
  return script
}

const invalid = (problems: readonly string[]): InvalidScript =>
  new InvalidScript(`The model script is not valid: ${problems.join('; ')}`)

const isRule = (entry: unknown): boolean =>
  typeof entry === 'object' && entry !== null && ('when' in entry || 'answers' in entry)

const isNode = (node: unknown): node is { readonly range: readonly [number, number, number] } =>
  typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)

/** An alias may lead nowhere, or blow up; the parser only says so now. */
function resolve(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    throw invalid([error instanceof Error ? error.message : String(error)])
  }
}
