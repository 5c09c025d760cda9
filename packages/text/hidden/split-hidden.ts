/** Splits a text from its trailing hidden lines; earlier ones came with quoted text. */
export function splitHidden(text: string): {
  readonly words: string
  readonly hidden: readonly string[]
} {
  const lines = text.trimEnd().split(/\r?\n/)
  const isHidden = (line: string) => /^<!-- executor:[^\r\n]{1,1300} -->[ \t]*$/.test(line)
  const end = lines.findLastIndex((line) => !isHidden(line)) + 1
  return { words: lines.slice(0, end).join('\n').trimEnd(), hidden: lines.slice(end) }
}
