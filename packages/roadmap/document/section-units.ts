import { plainWords, visibleText } from '../../text/text.ts'
import { holdsBox, type ListItem, readListItem, readParagraph } from './list-item.ts'
import {
  type Block,
  type PlacedBlock,
  placeBlock,
  placedBlocks,
  type Source,
} from './read-blocks.ts'
import { type Field, goesOn, readItemFields, readParagraphFields } from './read-fields.ts'

/** One piece of the text under a heading: a list item, or another whole block. */
export interface SectionUnit {
  readonly block: Block
  /** The list item, if it is one. */
  readonly item: ListItem | null
  /** True for words that introduce the next block: "Backend:", a line in bold. */
  readonly isLabel: boolean
  /** True for a box that states a success criterion, not work to do. */
  readonly isCriterion: boolean
  /** The label that leaves it out. */
  readonly leftOut: LeftOut | null
}

const criteria =
  /^[^\p{L}]*(?:(?:success|acceptance|exit|completion|quality|release) (?:criteria|criterion|metrics?|gates?)|definition of (?:done|ready)|done when|(?:expected|desired) (?:outcomes?|results?|benefits?|behaviou?rs?)|outcomes?|benefits|success looks like|how (?:we|you)(?:'ll| will)? know)(?:\s+(?:for|when)\b.*)?[^\p{L}]*(?:\(.*)?$/iu

/** Returns true for a heading or label above success criteria. */
export const isCriteria = (words: string): boolean => criteria.test(words)

/** Reads the blocks under one heading. */
function readUnits(
  blocks: readonly Block[],
  heading: string,
  lines: readonly string[],
): readonly SectionUnit[] {
  let isCriterion = isCriteria(heading)
  let leftOut: LeftOut | null = null
  return blocks.flatMap((block): SectionUnit[] => {
    if (block.kind === 'list') {
      return block.children.map((child) => {
        const item = readListItem(child, lines)
        const isBoxed = item.box !== null
        return { block: child, item, isLabel: false, isCriterion: isCriterion && isBoxed, leftOut }
      })
    }
    const label = block.kind === 'paragraph' ? labelOf(block, lines) : null
    if (label !== null) {
      isCriterion = isCriteria(heading) || isCriteria(label)
      leftOut = leftOutBy(label, block.endLine)
    }
    return [{ block, item: null, isLabel: label !== null, isCriterion: false, leftOut: null }]
  })
}

/** A heading and the blocks up to the next one. */
interface Run {
  readonly title: Heading | null
  readonly blocks: PlacedBlock[]
  /** Whether it has tasks besides criteria; computed on first use. */
  hasTasks?: boolean
}

export function readRuns(source: Source): readonly Run[] {
  const runs: Run[] = [{ title: null, blocks: [] }]
  for (const placed of placedBlocks(source)) {
    if (placed.block.kind !== 'heading') runs.at(-1)?.blocks.push(placed)
    else runs.push({ title: readHeading(placeBlock(placed), source.lines), blocks: [] })
  }
  return runs
}

const rawUnits = ({ title, blocks }: Run, lines: readonly string[]): readonly SectionUnit[] =>
  readUnits(blocks.map(placeBlock), title?.title ?? '', lines)

/** The units of one run; criteria count as tasks where there is nothing else to do. */
export function unitsOf(
  runs: readonly Run[],
  index: number,
  lines: readonly string[],
): readonly SectionUnit[] {
  const run = runs[index]
  const units = run === undefined ? [] : rawUnits(run, lines)
  const isOnly = units.some((unit) => unit.isCriterion) && !holdsTasks(runs, index, lines)
  return isOnly ? units.map((unit) => ({ ...unit, isCriterion: false })) : units
}

/**
 * Returns true when the part that criteria belong to also has tasks: the section itself, or the parent of a heading
 * "Success criteria". Without other tasks, as in a user story, the criteria are the tasks.
 */
function holdsTasks(runs: readonly Run[], index: number, lines: readonly string[]): boolean {
  const depthOf = (run: Run | undefined): number => run?.title?.depth ?? 0
  const own = runs[index]
  const has = (run: Run): boolean => {
    run.hasTasks ??= rawUnits(run, lines).some(
      ({ item, isCriterion }) => item !== null && !isCriterion && holdsBox(item),
    )
    return run.hasTasks
  }
  if (own === undefined) return false
  if (has(own) || !isCriteria(own.title?.title ?? '')) return has(own)
  const parent = runs.findLastIndex((run, at) => at < index && depthOf(run) < depthOf(own))
  const next = runs.findIndex((run, at) => at > parent && depthOf(run) <= depthOf(runs[parent]))
  return runs.slice(parent, next === -1 ? runs.length : next).some(has)
}

/** What the words of a heading or label on this line take out of the plan. */
export function leftOutBy(words: string, line: number): LeftOut | null {
  const status = readLeftOutTitle(words)
  return status && { status, line, words: plainWords(words).replace(/[:：*_]+$/, '') }
}

function labelOf(block: Block, lines: readonly string[]): string | null {
  const last = readParagraph(block, lines).text.at(-1) ?? ''
  const isLabel =
    /[:：]\W*$/.test(last) || /^(?:\*\*|__)[^*_]+(?:\*\*|__)(?:\s*\([^()]*\))?$/.test(last)
  return isLabel ? last.replace(/^[*_#\s]+/, '') : null
}

/** Reads the metadata of units. The list items below a label may be its value. */
export function fieldsOf(
  units: readonly SectionUnit[],
  lines: readonly string[],
): readonly Field[] {
  const fields: Field[] = []
  let isOpen = false
  for (const { block, item } of units) {
    const own = item ? readItemFields(item, 0) : fieldsOfBlock(block, lines)
    const open = isOpen && item !== null && own.length === 0 ? fields.pop() : undefined
    if (open !== undefined && item !== null) {
      fields.push({ ...open, value: [open.value, ...item.text].join('\n') })
    } else {
      fields.push(...own)
      isOpen = item === null && goesOn(own.at(-1)?.value ?? '-')
    }
  }
  return fields
}

function fieldsOfBlock(block: Block, lines: readonly string[]): readonly Field[] {
  if (block.kind === 'paragraph') return readParagraphFields(readParagraph(block, lines))
  if (block.kind === 'blockquote') return fieldsOf(readUnits(block.children, '', lines), lines)
  return []
}

/**
 * The units after a task that belong to it: those directly below it, indented ones, and, when the section is written
 * that way (`takesAll`), everything up to the next box.
 */
export function unitsBelow(
  task: { readonly column: number; readonly endLine: number },
  loose: readonly SectionUnit[],
  takesAll: boolean,
): readonly SectionUnit[] {
  const taken: SectionUnit[] = []
  let end = task.endLine
  for (const unit of loose) {
    const { kind, line, column, endLine } = unit.block
    if (kind === 'html' || kind === 'thematicBreak' || kind === 'definition') break
    const isClose = line === end + 1 || column > task.column
    const leadsOn = unit.isLabel && unit === loose.at(-1)
    if (leadsOn || !(isClose || takesAll)) break
    taken.push(unit)
    end = endLine
  }
  return taken
}

export interface Heading {
  readonly line: number
  readonly depth: number
  readonly title: string
  /** `2` for "Phase 2: Title". */
  readonly phase: string | null
  /** `1.2` for "1.2 Title". */
  readonly section: string | null
  readonly leftOut: LeftOut | null
}

const phaseNumber = /\bphase\s+(\d+(?:\.\d+)*)/i
const dottedNumber =
  /^[^\p{L}\p{N}]*(?:(?:section|task|step|milestone)\s+)?(\d+(?:\.\d+)+)(?![\p{L}\d])/iu

function readHeading(block: Block, lines: readonly string[]): Heading {
  const text = headingText(block, lines)
  const title = plainWords(text)
  return {
    line: block.line,
    depth: block.depth,
    title,
    phase: phaseNumber.exec(title)?.[1] ?? null,
    section: dottedNumber.exec(title)?.[1] ?? null,
    leftOut: leftOutBy(text, block.line),
  }
}

function headingText(block: Block, lines: readonly string[]): string {
  const first = (lines[block.line - 1] ?? '').slice(block.column - 1)
  const underlined = block.endLine > block.line
  const text = underlined
    ? [first, ...lines.slice(block.line, block.endLine - 1)].join('\n')
    : first.replace(/^#{1,6}/, '').replace(/[ \t]#+[ \t]*$/, '')
  return visibleText(text)
}

/** No one wants `cancelled` work; `blocked` work waits for a person. */
type LeftOutStatus = 'cancelled' | 'blocked'

/** What leaves work out: the words of a heading, a label or the task itself, and their 1-based line. */
export interface LeftOut {
  readonly status: LeftOutStatus
  readonly line: number
  readonly words: string
}

/** Words for such work alone, then words that may also describe its subject: "Remove the cache (obsolete)". */
const words: Readonly<Record<LeftOutStatus, readonly [string, string]>> = {
  cancelled: [
    [
      "skipped|cancell?ed|dropped|won['’]?t[ -]?(?:do|fix|implement)|rejected|declined|out[ -]of[ -]scope",
      'will not (?:do|fix|implement|be done)|not (?:doing|planned|happening|in scope|going to do)',
      'gestrichen|nicht (?:geplant|im umfang)|verworfen|au(?:ß|ss)erhalb des umfangs|no planeado',
      'hors (?:du )?(?:p[ée]rim[èe]tre|scope)|annul[ée]e?s?|non pr[ée]vu|fuera del? alcance|fora d[eo] escopo',
      'fuori (?:ambito|scope)|d?e?scartad[oa]s?|cancelad[oa]s?|annullat[oi]|buiten scope|niet gepland',
      'вне рамок|отмен[её]н[оы]?|не планируется|不做|不在范围内|(?:超出)?范围[之以]?外|(?:已)?取消',
      'スコープ外|対象外|やらない(?:こと)?|中止|범위 외|취소(?:됨)?',
    ].join('|'),
    [
      'obsolete|superseded|abandoned|discarded|scrapped|not needed|no longer (?:needed|planned|relevant)',
      '(?:non|no|anti)[ -]?goals?|nicht[- ]?ziele|abandonn[ée]e?s?|(?:已)?放弃',
    ].join('|'),
  ],
  blocked: [
    [
      'blocked|on[ -]hold|paused|deferred|postponed|parked|shelved|ice[- ]?box(?:ed)?|not now',
      'zurückgestellt|verschoben|aufgeschoben|pausiert|report[ée]e?s?|diff[ée]r[ée]e?s?|en pausa?e?',
      'aplazad[oa]s?|pospuest[oa]s?|adiad[oa]s?|em espera|rimandat[oi]|in sospeso|uitgesteld|geparkeerd',
      'отложен[оы]?|на паузе|搁置|暂缓|推迟|延期|暂不考虑|保留|見送り|凍結|보류',
    ].join('|'),
    'waiting|frozen|parking lot|someday(?: ?(?:/|or) ?maybe)?',
  ],
}

/** All of these words, as a pattern without regard to case; a status in a table may be one, too. */
export const leftOutWords = (status: LeftOutStatus): string => words[status].join('|')

/** "deferred to v2", "out of scope for now", "on hold: needs a design". */
const more = String.raw`(?:\s*[,;:…]\s.*|\s*/.*|\s+[–—|+&-]+\s.*|\s+(?:until|because|since|due)\b.*|\s+(?:for|in|to|till?|from|as)\s+(?:now|this|these|the (?:moment|time being|future)|v?\d|later|next|further|mvp|phase|version|of\b).*)?`
const edge = String.raw`[^\p{L}\p{N}]*`

const patternsOf = (build: (own: string, all: string) => string) =>
  (['cancelled', 'blocked'] as const).map(
    (status) => [status, new RegExp(build(words[status][0], leftOutWords(status)), 'iu')] as const,
  )

const titles = patternsOf(
  (_, all) =>
    String.raw`^${edge}(?:\d[\d.]*\W+)?(?:explicitly )?(?:${all})${more}${edge}(?:\(.*)?$`,
)
const remarks = patternsOf((own) => {
  const remark = `[^\\p{L}\\p{N}()[\\]]*(?:${own})${more}`
  return String.raw`(?:^|[\s*_])[([]${remark}[)\]]\W*$|^\W*[([]${remark}[)\]]|\s[–—-]+\s+(?:${own})\W*$`
})

/** The status of a task that its own words leave out: `~~Add it~~`, `Add it (deferred)`; otherwise `null`. */
export function readLeftOut(raw: string): LeftOutStatus | null {
  if (raw.length > mostCharacters) return null
  if (isStruck(raw)) return 'cancelled'
  return /[([–—-]/.test(raw) ? find(remarks, plainWords(raw)) : null
}

/** The status of work under a heading or label: `Out of scope`, `❄️ Icebox (v2)`; `null` for other words. */
const readLeftOutTitle = (raw: string): LeftOutStatus | null =>
  raw.length > mostCharacters ? null : (find(titles, plainWords(raw)) ?? readLeftOut(raw))

const find = (patterns: typeof titles, text: string): LeftOutStatus | null =>
  patterns.find(([, pattern]) => pattern.test(text))?.[0] ?? null

/** Longer titles are read as plain words, since the patterns would take too long. */
const mostCharacters = 1_000

const struck = /~~?(?=[^\s~])[^~]+~~?|<(?:del|s|strike)>.*?<\/(?:del|s|strike)>/giu
const ids = /T-?\d[\w.-]*|[A-Z]+-\d+|#\d+|\d+(?:\.\d+)*(?!\p{L})/gu
const asides = /\([^()]*\)|\[[^[\]]*\]/g
/** After struck-out words: a remark, or that the work went elsewhere. Other words replace the struck-out ones. */
const remarkAfter =
  /^[*_\s]*(?:[–—:;,.|-]|(?:(?:→|->|=>)\s*)?(?:done|moved|see|merged|replaced?|duplicate|covered|not|no)\b)/iu

/** Returns true when all words of a title are struck out, but for ids and a remark. */
function isStruck(raw: string): boolean {
  if (!/~|<(?:del|s|strike)>/i.test(raw)) return false
  const parts = raw.replace(/`[^`]*`/g, (code) => code.replaceAll('~', '')).split(struck)
  if (parts.length === 1) return false
  const last = parts.at(-1) ?? ''
  const isBare = (text: string) => !/\p{L}/u.test(text.replace(asides, '').replace(ids, ''))
  const isRemark =
    remarkAfter.test(last) || [...titles].some(([, pattern]) => pattern.test(plainWords(last)))
  return parts.slice(0, -1).every(isBare) && (isBare(last) || isRemark)
}
