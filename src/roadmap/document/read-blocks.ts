import { type Block, parseShape, shiftBlocks } from './parse-shape.ts'

/**
 * The blocks of a whole document, as one parse of it would give them but for long lists, which come
 * as several; in time that grows with its length. Two measures make that so, and a property checks
 * both against the one parse:
 *
 * - The parser's own time grows faster than the text (70 s for 10,000 tasks), so it gets the
 *   document in parts, cut where no block can go on.
 * - What a part's blocks are is decided by the heads of its lines. Parts whose heads are alike are
 *   parsed once.
 */
export function readBlocks(lines: readonly string[]): readonly Block[] {
  if (last?.lines.length === lines.length && last.lines.every((line, at) => line === lines[at])) {
    return last.blocks
  }
  const blocks = parseBlocks(lines)
  last = { lines, blocks }
  return blocks
}

/** A document is read for its signs and then for its boxes, mostly without a change in between. */
let last: { readonly lines: readonly string[]; readonly blocks: readonly Block[] } | null = null

function parseBlocks(lines: readonly string[]): readonly Block[] {
  const known = new Map<string, readonly Block[]>()
  const cuts = findCuts(lines)
  const blocks: Block[] = []
  let from = 0
  while (from < cuts.length - 1) {
    let taken = 1
    let part = parsePart(lines, cuts, from, taken, known)
    while (from + taken < cuts.length - 1 && mayGoOn(part)) {
      taken = Math.min(taken * 2, cuts.length - 1 - from)
      part = parsePart(lines, cuts, from, taken, known)
    }
    for (const block of shiftBlocks(part, cuts[from] ?? 0)) blocks.push(block)
    from += taken
  }
  return blocks
}

const bulletOrHeading = /^(?:[-*+][ \t]+\S|#{1,6}[ \t])/
const indented = /^[ \t]/

/** Indices of the lines at which a part may start, and the end. */
function findCuts(lines: readonly string[]): number[] {
  const cuts = [0]
  for (let index = 1; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    const afterBlank = isBlank(lines[index - 1] ?? '') && !isBlank(line) && !indented.test(line)
    if (afterBlank || bulletOrHeading.test(line)) cuts.push(index)
  }
  cuts.push(lines.length)
  return cuts
}

// A line that starts at the margin with a bullet or a heading ends every block above it but two,
// and so does one after a blank line.
function mayGoOn(part: readonly Block[]): boolean {
  const last = part.at(-1)?.kind
  return last === 'code' || last === 'html'
}

function parsePart(
  lines: readonly string[],
  cuts: readonly number[],
  from: number,
  taken: number,
  known: Map<string, readonly Block[]>,
): readonly Block[] {
  const heads = lineHeads(lines.slice(cuts[from], cuts[from + taken]))
  const key = heads.join('\n')
  const part = known.get(key) ?? parseShape(heads)
  known.set(key, part)
  return part
}

const definition = /\]:/
const tableRule = /^[\s\d.)>*+|:-]+$/
const fenceOrTag = /```|~~~|<|^[>\s]*[^>\s].*>/
const headingHead = /^(\s*#{1,6}[ \t]+)\S.*$/
const taskHead = /^([\s\d.)>*+-]*\[[ \txX~/!-]\][ \t]+)\S.*$/
const plainHead = /^([\s\d.)>*+#_=:-]*)[^\s\d.)>*+#_=:[-].*$/

/**
 * The lines with their words cut off. All that can matter of a line is what stands before its first
 * word; but lines that may open or close a fence or HTML, and parts with a table or a definition,
 * are left as they are.
 */
function lineHeads(lines: readonly string[]): readonly string[] {
  const shallow = lines.map(limitDepth)
  if (lines.some((line) => definition.test(line)) || hasTable(lines)) return shallow
  return shallow.map((line) => {
    if (fenceOrTag.test(line)) return line
    const head = headingHead.exec(line) ?? taskHead.exec(line) ?? plainHead.exec(line)
    return head ? `${head[1]}a` : line
  })
}

function hasTable(lines: readonly string[]): boolean {
  return lines.some((line) => line.includes('|')) && lines.some((line) => tableRule.test(line))
}

const tooManyMarkers = /^((?:[ \t]{0,9}(?:[-*+>]|\d{1,9}[.)])){100}).*[^-*\s]/
const tooFarRight = /^[ \t]{200}/

// cmark-gfm nests lists 100 deep and no deeper; its limit keeps hostile text from costing minutes.
function limitDepth(line: string): string {
  if (line.length <= 100) return line
  const head = tooManyMarkers.exec(line)?.[1] ?? tooFarRight.exec(line)?.[0]
  return head === undefined ? line : `${head} a`
}

function isBlank(line: string): boolean {
  return /^[ \t]*$/.test(line)
}
