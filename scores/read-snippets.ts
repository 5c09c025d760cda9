/** A text that its language allows, and texts that one mistake made of such a text. */
export interface Snippets {
  readonly valid: readonly Snippet[]
  readonly mistakes: readonly Mistake[]
}

export interface Snippet {
  readonly name: string
  readonly path: string
  readonly text: string
}

export interface Mistake extends Snippet {
  /** The text as it was before the mistake. */
  readonly before: string
}

/**
 * Reads the snippets of one language. A file begins with `path: NAME`. `@@ name` (or `@@ name | path`)
 * heads a valid text. `@! mistake of name` heads an edit of that text: lines with `-` are its part
 * that is replaced, found exactly once; lines with `+` replace it, and a `~` at their end drops the
 * rest of the text. Throws where an edit does not fit.
 */
export function readSnippets(source: string): Snippets {
  const [first = '', ...rest] = source.split('\n')
  const path = /^path: (\S+)$/.exec(first)?.[1]
  if (path === undefined) throw new Error('Snippets begin with `path: NAME`.')
  const valid: Snippet[] = []
  const mistakes: Mistake[] = []
  for (const { kind, title, lines } of sections(rest)) {
    if (kind === '@@') {
      const [name = '', own = path] = title.split(' | ')
      valid.push({ name, path: own, text: `${lines.join('\n').trimEnd()}\n` })
    } else mistakes.push(readMistake(title, lines, valid))
  }
  return { valid, mistakes }
}

function sections(lines: readonly string[]) {
  const found: { kind: string; title: string; lines: string[] }[] = []
  for (const line of lines) {
    if (/^@[@!] /.test(line))
      found.push({ kind: line.slice(0, 2), title: line.slice(3), lines: [] })
    else found.at(-1)?.lines.push(line)
  }
  return found
}

function readMistake(title: string, lines: readonly string[], valid: readonly Snippet[]): Mistake {
  const snippet = valid.find(({ name }) => title.endsWith(` of ${name}`))
  if (!snippet) throw new Error(`No snippet for the mistake "${title}".`)
  const part = (mark: string) =>
    lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(1))
  const old = part('-').join('\n')
  const parts = snippet.text.split(old)
  if (old === '' || parts.length !== 2) {
    throw new Error(`The part to replace is there ${parts.length - 1} times: "${title}".`)
  }
  const [head = '', tail = ''] = parts
  const text = `${head}${part('+').join('\n')}${lines.includes('~') ? '' : tail}`
  return { ...snippet, name: title, before: snippet.text, text }
}
