/** A terminal's control sequences: CSI, strings (OSC, DCS, SOS, PM, APC) and two-character ones. */
const sequence =
  /\u001B(?:\[([0-?]*)[ -/]*([@-~])|[\]PX^_][^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C)?|[ -/]*[0-~])|\u009B([0-?]*)[ -/]*([@-~])/g

/**
 * Returns what a terminal would show of an output: without concealed words, without text
 * overwritten after a carriage return or backspace, and without control sequences.
 */
export function terminalText(text: string): string {
  const open = text.includes('\u001B') || text.includes('\u009B') ? withoutSequences(text) : text
  const ended = open.replaceAll('\r\n', '\n')
  if (!/[\r\b]/.test(ended)) return ended
  return ended.split('\n').map(overwritten).join('\n')
}

function withoutSequences(text: string): string {
  const parts: string[] = []
  let [at, concealed] = [0, false]
  let [ink, paper] = ['', '']
  for (const found of text.matchAll(sequence)) {
    const shown = text.slice(at, found.index)
    parts.push(concealed || (ink !== '' && ink === paper) ? shown.replace(/[^\n]+/g, '') : shown)
    at = found.index + found[0].length
    if ((found[2] ?? found[4]) !== 'm') continue
    for (const code of codesOf(found[1] ?? found[3] ?? '')) {
      if (code === '0' || code === '') [concealed, ink, paper] = [false, '', '']
      if (code === '8' || code === '28') concealed = code === '8'
      if (/^(?:3|9)\S/.test(code)) ink = code === '39' ? '' : colourOf(code)
      if (/^(?:4|10)\S/.test(code)) paper = code === '49' ? '' : colourOf(code)
    }
  }
  const rest = text.slice(at)
  parts.push(concealed || (ink !== '' && ink === paper) ? rest.replace(/[^\n]+/g, '') : rest)
  return parts.join('')
}

/** `38;5;1` and `38;2;r;g;b` are one code each. */
const codesOf = (parameters: string): readonly string[] =>
  parameters.slice(0, 100).match(/(?:[34]8[;:](?:5[;:]\d*|2(?:[;:]\d*){3}))|\d+|^$/g) ?? ['']

/** One name for ink and paper: `31` and `41`, `91` and `101`, `38;5;1` and `48;5;1`. */
function colourOf(code: string): string {
  if (/^[34]8/.test(code)) return code.slice(1)
  return /^(?:9|10)/.test(code) ? `bright ${code.at(-1)}` : code.slice(1)
}

/** A line after its carriage returns and backspaces: each piece covers those before it. */
function overwritten(line: string): string {
  let shown = ''
  for (const piece of line.split('\r').reverse()) {
    const plain = withoutBackspaces(piece)
    if (plain.length > shown.length) shown += plain.slice(shown.length)
  }
  return shown
}

function withoutBackspaces(text: string): string {
  if (!text.includes('\b')) return text
  const kept: string[] = []
  for (const character of text) {
    if (character === '\b') kept.pop()
    else kept.push(character)
  }
  return kept.join('')
}
