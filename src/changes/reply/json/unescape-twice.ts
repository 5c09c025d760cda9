const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

/**
 * A text that was escaped once too often, as it was meant: it has no line end, but `\n` outside
 * its quotes, where code has none. Any other text is left as it is.
 */
export function unescapeTwice(text: string): string {
  return text.includes('\n') || !hasBareLineEnd(text) ? text : unescapeOnce(text)
}

/** `\n`, `\t`, `\"` and `\\` as what they stand for. */
export function unescapeOnce(text: string): string {
  return text.replace(/\\(["nrt/\\])/g, (_, letter: string) => escapes[letter] ?? letter)
}

/** `\"` is a quote of the text itself; `"`, `'` and back-ticks enclose what may hold `\n` rightly. */
function hasBareLineEnd(text: string): boolean {
  let quote = ''
  for (const [token] of text.matchAll(/\\.|["'`]/g)) {
    if (quote === '' && token === '\\n') return true
    if (token === quote) quote = ''
    else if (quote === '' && token.length === 1) quote = token
  }
  return false
}
