const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\n': '' }

export const unescaped = (text: string): string =>
  text.replace(/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([\s\S]))/g, (_, hex, unicode, char) =>
    hex || unicode
      ? String.fromCharCode(Number.parseInt(hex ?? unicode, 16))
      : (escapes[char] ?? char),
  )

/** Where the inside of a literal starts and ends, and whether its backslashes are literal. */
export function quotesOf(literal: string) {
  const [, prefix = '', quote = ''] = /^([A-Za-z]*)("""|'''|"|')/.exec(literal) ?? []
  const start = prefix.length + quote.length
  const isClosed = literal.length >= start + quote.length && literal.endsWith(quote)
  return { start, end: literal.length - (isClosed ? quote.length : 0), isRaw: /r/i.test(prefix) }
}
