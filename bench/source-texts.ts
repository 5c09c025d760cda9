import { createRandom } from './statistics.ts'

/** A valid text of a language with about so many lines, the same for the same seed. */
type WriteText = (lines: number, seed: number) => string

export const nouns = [
  'invoice',
  'order',
  'customer',
  'parcel',
  'ledger',
  'ticket',
  'report',
  'account',
]
export const verbs = ['load', 'check', 'merge', 'format', 'count', 'close', 'split', 'send']

/** Pieces one after the other until there are enough lines. */
function fill(lines: number, seed: number, piece: (name: string, index: number) => string): string {
  const random = createRandom(seed)
  const pick = (words: readonly string[]) => words[Math.floor(random() * words.length)] ?? ''
  const parts: string[] = []
  for (let count = 0; count < lines; ) {
    const noun = pick(nouns)
    const part = piece(
      `${pick(verbs)}${noun.charAt(0).toUpperCase()}${noun.slice(1)}`,
      parts.length,
    )
    count += part.split('\n').length - 1
    parts.push(part)
  }
  return parts.join('')
}

const script = (typed: boolean): WriteText => {
  const type = (text: string) => (typed ? `: ${text}` : '')
  return (lines, seed) =>
    fill(
      lines,
      seed,
      (name, index) => `/** The ${name} of one day, as step ${index} needs it. */
export function ${name}${index}(items${type('readonly Item[]')}, limit${type('number')} = ${index})${type('string[]')} {
  const known = new Map(items.map(({ id, total }) => [id, total * ${index + 1}]))
  if (known.size === 0 || limit < 0) return []
  const found = [...known].filter(([, total]) => total > limit && /^[a-z]+$/.test('${name}'))
  return found.map(([id, total]) => \`\${id}: \${total.toFixed(2)} of \${limit}\`)
}

`,
    )
}

const json: WriteText = (lines, seed) =>
  `{\n${fill(lines, seed, (name, index) => `  "${name}${index}": { "id": ${index}, "on": true, "tags": ["a", "b"], "note": "\\u00fc ${name}" },\n`)}  "last": null\n}\n`

const yaml: WriteText = (lines, seed) =>
  fill(
    lines,
    seed,
    (name, index) => `${name}${index}:
  id: ${index}
  on: true
  tags: [first, second]
  note: "a ${name} of the day"
`,
  )

const python: WriteText = (lines, seed) =>
  fill(
    lines,
    seed,
    (name, index) => `def ${name}_${index}(items, limit=${index}):
    """The ${name} of one day."""
    known = {item.id: item.total * ${index + 1} for item in items}
    if not known or limit < 0:
        return []
    return [f"{key}: {total:.2f}" for key, total in known.items() if total > limit]


`,
  )

/** By extension. */
const writers: Readonly<Record<string, WriteText>> = {
  js: script(false),
  ts: script(true),
  json: json,
  yaml: yaml,
  py: python,
}

/** A text for this path, in the language that its extension says. */
export function textFor(path: string, lines: number, seed: number): string {
  const write = writers[path.split('.').at(-1) ?? '']
  if (write === undefined) throw new Error(`No texts are written for ${path}.`)
  return write(lines, seed)
}
