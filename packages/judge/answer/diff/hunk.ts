/** A line of a hunk: `context` and `removed` lines are in the file, `added` ones will be. */
export interface HunkLine {
  readonly kind: 'context' | 'removed' | 'added'
  /** Without its leading sign. */
  readonly text: string
  /** As written; the right reading of a context line that lost its leading space. */
  readonly raw: string
}

export type HunkLines = readonly HunkLine[]

/** The numbers between `@@` and `@@`; models count badly, so they decide nothing alone. */
export interface Range {
  readonly oldStart: number
  readonly oldCount: number
  readonly newStart: number
  readonly newCount: number
}

export interface Hunk {
  /** `null` when it has no numbers. */
  readonly range: Range | null
  /** The text after `@@`: lines of the file above the place, outermost first. */
  readonly headings: readonly string[]
  readonly lines: HunkLines
  /** Lines after an unfenced diff: the rest of its last hunk, or prose. The file decides. */
  readonly doubtful: HunkLines
  readonly atEnd: boolean
  /** What `\ No newline at end of file` says about the last line. */
  readonly finalNewline: 'keep' | 'add' | 'remove'
}

/** Reads a line of a diff by its sign; one without a sign is a context line that lost its space. */
export function hunkLine(raw: string): HunkLine {
  const kind = raw.startsWith('+') ? 'added' : raw.startsWith('-') ? 'removed' : 'context'
  const isSigned = kind !== 'context' || raw.startsWith(' ')
  return { kind, text: isSigned ? raw.slice(1) : raw, raw }
}

export function hunkOf(lines: HunkLines = []) {
  const nothing = { range: null, headings: [], doubtful: [], atEnd: false }
  return { ...nothing, lines: [...lines], finalNewline: 'keep' as const }
}

export const oldLines = (lines: HunkLines): HunkLines =>
  lines.filter(({ kind }) => kind !== 'added')

export const newLines = (lines: HunkLines): HunkLines =>
  lines.filter(({ kind }) => kind !== 'removed')

export const countsRight = ({ range, lines }: Pick<Hunk, 'range' | 'lines'>): boolean =>
  oldLines(lines).length === range?.oldCount && newLines(lines).length === range.newCount

export function changesSomething({ lines: certain, doubtful, finalNewline }: Hunk): boolean {
  const lines = [...certain, ...doubtful]
  const old = oldLines(lines)
  const renewed = newLines(lines)
  return (
    finalNewline !== 'keep' ||
    old.length !== renewed.length ||
    old.some(({ text }, index) => text !== renewed[index]?.text)
  )
}
