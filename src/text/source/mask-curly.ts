/** Comments, strings, characters and raw strings of languages with braces, closed or not. */
const CURLY =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"""[\s\S]*?(?:"""|$)|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:\\[^\n']{1,10}|[^'\\\n])'|`[^`]*(?:`|$)/g

/** As above; strings may span lines, and `#` begins a comment. */
const PHP =
  /\/\/[^\n]*|#(?!\[)[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\]|\\[\s\S])*"?|'(?:[^'\\]|\\[\s\S])*'?/g

/** The text with the insides of comments and strings blanked: same length, same lines, quotes kept. */
export function maskCurly(text: string, language: string): string {
  return text.replace(language === 'php' ? PHP : CURLY, (found) => {
    const quoted = '"\'`'.includes(found[0] ?? '')
    const closed = found.length > 1 && found.endsWith(found[0] ?? '')
    if (!quoted) return blank(found)
    return `${found[0]}${blank(found.slice(1, closed ? -1 : undefined))}${closed ? found[0] : ''}`
  })
}

/** White space of the same length and as many lines. */
export function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}
