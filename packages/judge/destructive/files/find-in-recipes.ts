import { type Finding, type FindNested, UNKNOWN, within } from '../finding.ts'

/**
 * Finds destructive commands in the recipes of a Makefile or justfile: indented lines below a
 * target. Fills in variables whose values the file contains.
 */
export function findInRecipes(
  kind: 'makefile' | 'justfile',
  text: string,
  look: FindNested,
): readonly Finding[] {
  const variables = kind === 'makefile' ? readVariables(text) : new Map<string, string>()
  const findings: Finding[] = []
  let isRecipe = false
  for (const { start, end, written } of logicalLines(text)) {
    const isIndented = kind === 'makefile' ? written.startsWith('\t') : /^[ \t]/.test(written)
    if (!isIndented) {
      if (written.trim() === '' || /^\s*#/.test(written)) continue
      isRecipe = /^[^\s=#][^=]*:(?!=)/.test(written)
      const inline =
        kind === 'makefile' ? /^[^=;#]*:(?![:=])[^=;#]*;(.*)$/.exec(written)?.[1] : undefined
      if (inline !== undefined) findings.push(...recipe(inline, start, end))
      continue
    }
    if (isRecipe) findings.push(...recipe(written, start, end))
  }
  return findings

  function recipe(written: string, start: number, end: number): readonly Finding[] {
    const lead = /^[ \t]*/.exec(written)?.[0].length ?? 0
    const command = written.replace(/^[ \t]*[@+-]*[ \t]*/, '')
    const script =
      kind === 'makefile'
        ? fillIn(command, variables)
        : command.replace(/\{\{[^{}]{0,300}\}\}/g, UNKNOWN)
    return within(look('shell', script), { start: start + lead, end })
  }
}

function* logicalLines(text: string): Iterable<{ start: number; end: number; written: string }> {
  let start = 0
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    at = end + 1
    if (/\\\r?$/.test(text.slice(Math.max(start, end - 2), end)) && newline >= 0) continue
    yield { start, end, written: text.slice(start, end) }
    start = at
  }
}

/** Reads variables with one plain value; `RM` is make's own. */
function readVariables(text: string): ReadonlyMap<string, string> {
  const variables = new Map([['RM', 'rm -f']])
  const assigned = new Set<string>()
  for (const [, name = '', value = ''] of text.matchAll(
    /^(?:export[ \t]+)?(\w+)[ \t]*(?:\?|:{0,2})=[ \t]*([^\n#]{0,500})/gm,
  )) {
    if (assigned.has(name) || /[$\\]/.test(value)) variables.delete(name)
    else variables.set(name, value.trim())
    assigned.add(name)
  }
  return variables
}

const fillIn = (command: string, variables: ReadonlyMap<string, string>): string =>
  command.replace(
    /\$\$|\$[({](\w+)[)}]|\$\([^()]{0,300}\)|\$[@<^*%?+|]/g,
    (found, name?: string) => {
      if (found === '$$') return '$'
      return (name && variables.get(name)) ?? UNKNOWN
    },
  )
