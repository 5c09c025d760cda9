/** How a model's indentation differs from the file's, the same way on every line. */
export type Drift =
  | { readonly kind: 'add' | 'remove'; readonly prefix: string }
  /** The model wrote spaces where the file has tabs, `width` to one, or the other way round. */
  | { readonly kind: 'to_tabs' | 'to_spaces'; readonly width: number }
  /** The model wrote `from` spaces a step where the file has `to`. */
  | { readonly kind: 'scale'; readonly from: number; readonly to: number }

/** The replacement with the drift undone; `null` when a line is not indented enough for it. */
export function reindent(lines: readonly string[], drift: Drift): readonly string[] | null {
  const moved = lines.map((line) => {
    if (line.trim() === '') return line
    const indent = indentOf(line)
    const to = moveIndent(indent, drift)
    return to === null ? null : to + line.slice(indent.length)
  })
  return moved.every((line) => line !== null) ? moved : null
}

/** What could lead from one indentation to another, the plainest first; nothing when they are equal. */
export function driftsOf(from: string, to: string): readonly Drift[] {
  if (from === to) return []
  const drifts: Drift[] = []
  if (to.endsWith(from)) {
    drifts.push({ kind: 'add', prefix: to.slice(0, to.length - from.length) })
  } else if (from.endsWith(to)) {
    drifts.push({ kind: 'remove', prefix: from.slice(0, from.length - to.length) })
  }
  if (from === '' || to === '') return drifts
  const [spacesFrom, spacesTo] = [/^ +$/.test(from), /^ +$/.test(to)]
  if (spacesFrom && /^\t+$/.test(to))
    drifts.push({ kind: 'to_tabs', width: from.length / to.length })
  if (/^\t+$/.test(from) && spacesTo) {
    drifts.push({ kind: 'to_spaces', width: to.length / from.length })
  }
  if (spacesFrom && spacesTo) {
    const step = greatestDivisor(from.length, to.length)
    drifts.push({ kind: 'scale', from: from.length / step, to: to.length / step })
  }
  return drifts
}

/** An indentation with the drift undone, or `null` where it does not fit. */
export function moveIndent(indent: string, drift: Drift): string | null {
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
    case 'scale': {
      const spaces = (indent.length * drift.to) / drift.from
      return /^ *$/.test(indent) && Number.isInteger(spaces) ? ' '.repeat(spaces) : null
    }
  }
}

export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b)
}
