/** How a model's indentation differs from the file's, the same way on every line. */
export type Drift =
  | { readonly kind: 'add' | 'remove'; readonly prefix: string }
  /** The model wrote spaces where the file has tabs, `width` to one, or the other way round. */
  | { readonly kind: 'to_tabs' | 'to_spaces'; readonly width: number }

/** The one drift that leads from the model's lines to the file's, or `null`. Blank lines have none. */
export function driftBetween(written: readonly string[], real: readonly string[]): Drift | null {
  const pairs = written.flatMap((line, index) =>
    line.trim() === '' ? [] : [{ from: indentOf(line), to: indentOf(real[index] ?? '') }],
  )
  const candidates = pairs
    .map(({ from, to }) => driftOf(from, to))
    .filter((drift) => drift !== null)
  return (
    candidates
      .slice(0, 3)
      .find((drift) => pairs.every(({ from, to }) => move(from, drift) === to)) ?? null
  )
}

/** The replacement with the drift undone; `null` when a line is not indented enough for it. */
export function reindent(lines: readonly string[], drift: Drift): readonly string[] | null {
  const moved = lines.map((line) => {
    if (line.trim() === '') return line
    const indent = indentOf(line)
    const to = move(indent, drift)
    return to === null ? null : to + line.slice(indent.length)
  })
  return moved.every((line) => line !== null) ? moved : null
}

function driftOf(from: string, to: string): Drift | null {
  if (from === to) return null
  if (to.endsWith(from)) return { kind: 'add', prefix: to.slice(0, to.length - from.length) }
  if (from.endsWith(to)) return { kind: 'remove', prefix: from.slice(0, from.length - to.length) }
  if (/^ +$/.test(from) && /^\t+$/.test(to))
    return { kind: 'to_tabs', width: from.length / to.length }
  if (/^\t+$/.test(from) && /^ +$/.test(to))
    return { kind: 'to_spaces', width: to.length / from.length }
  return null
}

function move(indent: string, drift: Drift): string | null {
  switch (drift.kind) {
    case 'add':
      return drift.prefix + indent
    case 'remove':
      return indent.startsWith(drift.prefix) ? indent.slice(drift.prefix.length) : null
    case 'to_tabs': {
      const tabs = indent.length / drift.width
      return /^ *$/.test(indent) && Number.isInteger(tabs) ? '\t'.repeat(tabs) : null
    }
    case 'to_spaces':
      return /^\t*$/.test(indent) && Number.isInteger(drift.width)
        ? ' '.repeat(indent.length * drift.width)
        : null
  }
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}
