/** One grammar for work that people leave out of a plan: by a strike-through, a remark, a heading or a label. */
import { plainWords } from '../../text/text.ts'

/** No one wants `cancelled` work; `blocked` work waits for a person. */
export type LeftOutStatus = 'cancelled' | 'blocked'

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
export const readLeftOutTitle = (raw: string): LeftOutStatus | null =>
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
