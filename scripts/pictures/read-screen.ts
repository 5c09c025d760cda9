/** What a terminal shows after each piece of output, read by xterm.js without a screen. */
import xterm from '@xterm/headless'
import type { Size, Written } from './record-terminal.ts'

/** A run of cells that look alike. */
export interface Span {
  readonly column: number
  readonly text: string
  /** 0 to 15; `null` is the colour of the text. */
  readonly colour: number | null
  readonly isBold: boolean
  readonly isDim: boolean
}

export type Line = readonly Span[]

/** All lines since the first, those that were scrolled away as well, from this second on. */
export interface Screen {
  readonly at: number
  readonly lines: readonly Line[]
}

/** Seconds after which a screen counts as completely written. */
const pause = 0.01

export async function readScreens(
  written: readonly Written[],
  { columns, rows }: Size,
): Promise<readonly Screen[]> {
  const terminal = new xterm.Terminal({
    ...{ cols: columns, rows, scrollback: 5_000, allowProposedApi: true },
  })
  const screens: Screen[] = []
  for (const [index, { at, text }] of written.entries()) {
    await new Promise<void>((resolve) => terminal.write(text, resolve))
    const next = written[index + 1]?.at ?? Number.POSITIVE_INFINITY
    if (next - at >= pause) screens.push({ at, lines: linesOf(terminal.buffer.active) })
  }
  return screens
}

function linesOf(buffer: InstanceType<typeof xterm.Terminal>['buffer']['active']): readonly Line[] {
  const lines: Line[] = []
  for (let row = 0; row < buffer.length; row++) {
    const line = buffer.getLine(row)
    if (line !== undefined) lines.push(spansOf(line))
  }
  while (lines.at(-1)?.length === 0) lines.pop()
  return lines
}

type BufferLine = NonNullable<
  ReturnType<InstanceType<typeof xterm.Terminal>['buffer']['active']['getLine']>
>

function spansOf(line: BufferLine): Line {
  const spans: Span[] = []
  for (let column = 0; column < line.length; column++) {
    const cell = line.getCell(column)
    const text = cell?.getChars() ?? ''
    if (cell === undefined || text.trim() === '') {
      const before = spans.at(-1)
      if (before !== undefined && cell?.getWidth() !== 0)
        spans[spans.length - 1] = { ...before, text: `${before.text} ` }
      continue
    }
    const look = {
      colour: cell.isFgDefault() ? null : cell.getFgColor(),
      ...{ isBold: cell.isBold() !== 0, isDim: cell.isDim() !== 0 },
    }
    const before = spans.at(-1)
    const isAlike =
      before !== undefined &&
      before.colour === look.colour &&
      before.isBold === look.isBold &&
      before.isDim === look.isDim
    if (isAlike) spans[spans.length - 1] = { ...before, text: before.text + text }
    else spans.push({ column, text, ...look })
  }
  return spans.map((span) => ({ ...span, text: span.text.trimEnd() }))
}
