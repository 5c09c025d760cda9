/** Puts `part` between `<!-- generated: name -->` and `<!-- end: name -->`; `null` without these markers. */
export function renewPart(document: string, name: string, part: string): string | null {
  const start = `<!-- generated: ${name} -->\n`
  const from = document.indexOf(start)
  const to = document.indexOf(`<!-- end: ${name} -->`, from)
  if (from < 0 || to < 0) return null
  return `${document.slice(0, from + start.length)}${part}\n${document.slice(to)}`
}
