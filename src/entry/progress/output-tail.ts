import { applyCuts, hiddenCharacters, terminalText } from '../../../packages/text/text.ts'

/** Characters kept of an output; a multi-line secret is recognized while it fits in here. */
const kept = 8_192

/** Characters shown of a line; terminals are narrower. */
const longest = 400

/** The sequence with which some programs return to the first column to redraw a line. */
const toFirstColumn = /\u001B\[[01]?G/g

/** After this many seconds of silence, a line without a line feed counts as complete: a cut line continues at once. */
const settled = 0.5

/** The end of a running command's output, safe to show to people. */
export interface OutputTail {
  add(text: string, at: number): void
  /** The last line with any words; empty when there is none. */
  lastLine(at: number): string
  /** The whole tail. */
  text(): string
}

export function keepTail(redact: (text: string) => string): OutputTail {
  let raw = ''
  let isCut = false
  let heardAt = Number.NEGATIVE_INFINITY
  let known = { raw: '', isWhole: true, line: '' }
  // Hidden characters could keep the redactor from finding a secret that a person would read.
  const clean = (text: string) => {
    const lines = text.replaceAll(toFirstColumn, '\r')
    const shown = terminalText(isCut ? withoutFirstLine(lines) : lines)
    return redact(applyCuts(shown, hiddenCharacters(shown)).text)
  }
  return {
    add(text, at) {
      isCut ||= raw.length + text.length > kept
      raw = (raw + text.slice(-kept)).slice(-kept)
      heardAt = at
    },
    lastLine(at) {
      const isWhole = at - heardAt >= settled
      if (known.raw === raw && known.isWhole === isWhole) return known.line
      const lines = clean(raw).split('\n')
      const whole = isWhole ? lines : lines.slice(0, -1)
      const line = whole.findLast((each) => /[^\s{}[\]|/\\-]/.test(each)) ?? ''
      known = { raw, isWhole, line: line.replace(/\s+/g, ' ').trim().slice(0, longest) }
      return known.line
    },
    text: () => clean(raw),
  }
}

/** The redactor does not recognize the rest of a secret whose beginning was cut off. */
function withoutFirstLine(text: string): string {
  const end = text.search(/[\r\n]/)
  return end === -1 ? '' : text.slice(end)
}
