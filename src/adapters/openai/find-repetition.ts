/**
 * Finds out that a model repeats itself and will not stop: its text ends in the same piece, again and again, or in
 * statements that only count on (`if a == 41:`, `if a == 42:`). Content may repeat as well; how far depends on its kind:
 *
 * - Statements and sentences: no program has eight equal pieces of 1,500 characters in all.
 * - Data (zeros of a matrix, equal cells of a table or a board, rules, blank lines): 8,000 characters are 50 × 50 zeros
 *   or the 81 equal cells of a Sudoku twice. A weak model on a laptop writes those in four minutes.
 */

const fewestRepeats = 8
const mostText = 1_500
/** In a text that reached the longest length it may have, fewer characters show the same. */
const mostCut = 400
const mostData = 8_000

/** Characters that a text must grow by before it is worth another look. */
export const repetitionStep = 400

/**
 * True if the text ends in a repetition that is no content. Reads its last 8,000 characters, in linear time.
 *
 * @param isCut the text was cut off because it is too long
 */
export function endsInRepetition(text: string, isCut = false): boolean {
  const most = isCut ? mostCut : mostText
  if (text.length < most) return false
  const tail = text.slice(-mostData)
  return endsInEqualPieces(tail, most) || endsInCounting(tail)
}

/** Registers are set one by one as well, and tests numbered, but not that many. */
const mostCounted = 64
const longestBlock = 4
/** One line in sixteen may be of another form: of conditions that list answers, a few say something else. */
const linesPerOther = 16

/** True if a text ends in blocks of up to four lines that differ only in numbers, each higher by one than the last. */
function endsInCounting(tail: string): boolean {
  // The last line may be unfinished.
  const lines = tail.split('\n').slice(1, -1)
  const parts = lines.map((line) => ({
    form: line.replace(/\d+/g, '0'),
    numbers: (line.match(/\d+/g) ?? []).map(Number),
  }))
  return Array.from({ length: longestBlock }, (_, at) => at + 1).some((period) => {
    let [length, others, counts] = [0, 0, false]
    for (let at = parts.length - 1; at >= period; at--, length++) {
      const [line, before] = [parts[at], parts[at - period]]
      const steps = line?.numbers.map((each, index) => each - (before?.numbers[index] ?? 0)) ?? []
      const goesOn = line?.form === before?.form && steps.every((step) => step === 0 || step === 1)
      others += goesOn ? 0 : 1
      if ((others - 1) * linesPerOther > length) break
      counts ||= goesOn && steps.includes(1)
    }
    const isLong = counts && length > mostCounted * period
    return isLong && !isData(`${lines.slice(-period).join('\n')}\n`)
  })
}

function endsInEqualPieces(tail: string, most: number): boolean {
  const borders = bordersFromEnd(tail)
  let judged = { period: 0, isData: true }
  for (let length = most; length <= tail.length; length++) {
    const period = length - (borders[length] ?? 0)
    if (period * fewestRepeats > length) continue
    if (period !== judged.period) judged = { period, isData: isData(tail.slice(-period)) }
    if (!judged.isData || length >= mostData) return true
  }
  return false
}

/** By length, the longest proper end of the text's last characters that is also their beginning (Knuth, Morris, Pratt). */
function bordersFromEnd(text: string): Uint16Array {
  const borders = new Uint16Array(text.length + 1)
  const at = (index: number) => text.charCodeAt(text.length - 1 - index)
  let border = 0
  for (let length = 2; length <= text.length; length++) {
    while (border > 0 && at(border) !== at(length - 1)) border = borders[border] ?? 0
    if (at(border) === at(length - 1)) border++
    borders[length] = border
  }
  return borders
}

const fewestLetters = 3

/** Fences and brackets that close: no text needs hundreds of them in a row. */
const closers = /^[\s`)\]}]*$/

/** True for a repeated piece with hardly a letter, or whose lines end as elements of a list, tags or cells do. */
function isData(piece: string): boolean {
  if (piece.trim() !== '' && closers.test(piece)) return false
  const letters = new Set(piece.match(/\p{L}/gu))
  if (letters.size < fewestLetters) return true
  const lines = `${piece}${piece}`.split('\n').map((line) => line.trim())
  // The piece may begin in the middle of a line.
  const whole = lines.length > 1 ? lines.slice(1, -1).filter((line) => line !== '') : null
  return whole === null ? /[,|>]/.test(piece) : whole.every((line) => /[,|>]$/.test(line))
}
