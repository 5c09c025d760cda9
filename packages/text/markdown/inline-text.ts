interface Piece {
  readonly kind: 'text' | 'code' | 'comment'
  readonly raw: string
}

/** What a reader sees: no HTML comments except those shown in backticks. Line numbers stay. */
export function visibleText(text: string): string {
  if (!text.includes('<!--')) return text
  return cutInline(text)
    .map(({ kind, raw }) => (kind === 'comment' ? raw.replace(/[^\n]+/g, '') : raw))
    .join('')
}

export function codeSpans(text: string): string[] {
  if (!text.includes('`')) return []
  return cutInline(text)
    .filter(({ kind }) => kind === 'code')
    .map(({ raw }) => withoutFence(raw).trim())
    .filter((code) => code !== '')
}

/** Counts backticks, because a pattern takes quadratic time on a long run of them. */
function withoutFence(span: string): string {
  const width = /^`+/.exec(span)?.[0].length ?? 0
  return span.slice(width, -width)
}

export function withoutCodeSpans(text: string): string {
  if (!text.includes('`')) return text
  return cutInline(text)
    .map(({ kind, raw }) => (kind === 'code' ? ' ' : raw))
    .join('')
}

/** The words without emphasis, strike-through and link targets; backticks stay. */
export function plainWords(text: string): string {
  if (!/[*_~[]|\s\s|[^\S ]/.test(text)) return text.trim()
  return text
    .replace(/(?<![/*\w`])\*\*(?=[^\s*])([^*]+)\*\*(?![/*\w])/g, '$1')
    .replace(/(?<![\w`])__(?=[^\s_])([^_]+)__(?![\w`.])/g, '$1')
    .replace(/~~(?=\S)([^~]+)~~/g, '$1')
    .replace(/!?\[([^[\]]+)\]\([^()\s]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
}

/**
 * Finds code spans and comments as CommonMark does: whichever opens first wins, and a run of
 * backticks closes at the next run of the same length.
 */
export function cutInline(text: string): Piece[] {
  const findRun = runFinder(text)
  const lastClose = text.lastIndexOf('-->')
  const pieces: Piece[] = []
  const opener = /`+|<!--/g
  let shown = 0
  for (let match = opener.exec(text); match; match = opener.exec(text)) {
    const comment = match[0] === '<!--'
    const end = comment
      ? commentEnd(text, match.index, lastClose)
      : findRun(match[0].length, opener.lastIndex)
    if (end === null) continue
    pieces.push({ kind: 'text', raw: text.slice(shown, match.index) })
    pieces.push({ kind: comment ? 'comment' : 'code', raw: text.slice(match.index, end) })
    shown = end
    opener.lastIndex = end
  }
  pieces.push({ kind: 'text', raw: text.slice(shown) })
  return pieces
}

// Linear for any text: searches nothing after the last close.
function commentEnd(text: string, start: number, lastClose: number): number | null {
  if (start + 2 > lastClose) return null
  const close = text.indexOf('-->', start + 2)
  return close === -1 ? null : close + 3
}

// Linear for any text: each length of run has its own list, read only forwards.
function runFinder(text: string): (length: number, from: number) => number | null {
  const starts = new Map<number, number[]>()
  for (const run of text.matchAll(/`+/g)) {
    const known = starts.get(run[0].length)
    if (known) known.push(run.index)
    else starts.set(run[0].length, [run.index])
  }
  const next = new Map<number, number>()
  return (length, from) => {
    const list = starts.get(length) ?? []
    let place = next.get(length) ?? 0
    while (place < list.length && (list[place] ?? 0) < from) place += 1
    next.set(length, place)
    const start = list[place]
    return start === undefined ? null : start + length
  }
}
