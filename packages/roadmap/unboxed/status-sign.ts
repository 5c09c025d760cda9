import type { TaskStatus } from '../../task/task.ts'
import { leftOutWords } from '../document/section-units.ts'

/** Signs that also decorate other text: they count only beside unambiguous ones. */
const ornaments = new Set('🎉 💚 🔨 🏗 🟢 🟠 🟡 🔴 📋 🚀 📝 🆕 🎯 💡'.split(' '))

/** The signs that people put before tasks instead of a box; see `crossMeans` for ❌. */
const signs: Readonly<Record<TaskStatus, string>> = {
  done: '✅|☑|✔|✓|🟢|🎉|💚',
  in_progress: '🚧|🔄|🏗|🔨|🟠|🟡|▶',
  pending: '⏳|⌛|🔜|📋|🚀|🔲|⬜|☐|📝|🆕|⚪|🎯|💡|🕐',
  blocked: '⛔|🔒|🛑|🔴',
  cancelled: '⏭|🚫|🗑|⏩|✖',
}

const words: readonly (readonly [TaskStatus, RegExp])[] = [
  ['done', /^(?:done|completed?|finished|shipped|released|implemented)$/i],
  [
    'in_progress',
    /^(?:in[ -]progress|in[ -]review|in[ -]testing|review|testing|qa|wip|doing|active|started|ongoing|partial(?:ly done)?)$/i,
  ],
  [
    'pending',
    /^(?:pending|to[ -]?do|planned|open|next|new|ready|tbd|queued|proposed|scheduled|not started|not done|backlog|upcoming)$/i,
  ],
  ['blocked', new RegExp(`^(?:${leftOutWords('blocked')})$`, 'iu')],
  ['cancelled', new RegExp(`^(?:${leftOutWords('cancelled')})$`, 'iu')],
]

const anySign = [...Object.values(signs), '❌'].join('|')
const wordList =
  "done|completed?|finished|shipped|released|implemented|in[ -]progress|wip|doing|started|ongoing|pending|to[ -]?do|planned|open|next|not started|backlog|upcoming|blocked|on hold|waiting|skipped|cancell?ed|dropped|won'?t do|rejected"
const leading = new RegExp(
  `^(${anySign})\\uFE0F?\\s*(?:\\*{0,2}\\[?(?:${wordList})\\]?\\*{0,2}\\s*[:–—-]\\s*)?`,
  'iu',
)
const trailing = new RegExp(
  `\\s*[:–—(-]*\\s*(${anySign})\\uFE0F?\\s*(?:${wordList})?\\)?\\s*$`,
  'iu',
)

export interface StatusSign {
  /** `null` for ❌, whose meaning depends on the rest of the document. */
  readonly status: TaskStatus | null
  /** The text without the sign. */
  readonly rest: string
  /** False for a sign that may be decoration. */
  readonly certain: boolean
}

/** Reads `⏳ Add login` and `Add login – ⏳ pending`; `null` without a sign. */
export function readStatusSign(text: string): StatusSign | null {
  const plain = text.trim()
  const before = leading.exec(plain)
  const found = before ?? trailing.exec(plain)
  if (found === null) return null
  const rest = before
    ? plain.slice(found[0].length)
    : plain.slice(0, plain.length - found[0].length)
  const sign = found[1] ?? ''
  const statuses = Object.keys(signs) as readonly TaskStatus[]
  const status = statuses.find((each) => signs[each].split('|').includes(sign)) ?? null
  return { status, rest: rest.trim(), certain: !ornaments.has(sign) }
}

/** Reads a cell that contains only a status: `✅ done`, `⏳`, `in progress`. */
export function readStatusCell(text: string): StatusSign | null {
  const sign = readStatusSign(text)
  if (sign !== null) {
    const worded = statusOfWord(sign.rest)
    if (sign.rest === '' || worded !== null) {
      return { ...sign, status: sign.status ?? worded, rest: '' }
    }
    return null
  }
  const status = statusOfWord(text.trim())
  return status === null ? null : { status, rest: '', certain: true }
}

/** Returns true for a line of a legend: `Done`, `planned / next`. */
export function isLegend(text: string): boolean {
  const parts = text.split(/\s*(?:[/,&|=]|\bor\b|\band\b)\s*/i)
  return parts.every((part) => part === '' || statusOfWord(part) !== null)
}

function statusOfWord(text: string): TaskStatus | null {
  const bare = text.replace(/^\*+|\*+$/g, '').trim()
  return words.find(([, pattern]) => pattern.test(bare))?.[0] ?? null
}

/** ❌ means cancelled beside signs of open tasks; with nothing but ticks it means not done yet. */
export function crossMeans(statuses: readonly (TaskStatus | null)[]): TaskStatus {
  const isOpen = (status: TaskStatus | null) => status === 'pending' || status === 'in_progress'
  return statuses.some(isOpen) ? 'cancelled' : 'pending'
}

/** The line with its sign, and the word after it, changed to done. */
export function withDoneSign(line: string): string {
  const sign = new RegExp(`(?:${anySign})\\uFE0F?(\\s*)(\\*{0,2})(?:(${wordList})\\b)?`, 'iu')
  const signed = line.replace(sign, (_, space: string, bold: string, word?: string) =>
    word === undefined ? `✅${space}${bold}` : `✅${space}${bold}done`,
  )
  if (signed !== line || sign.test(line)) return signed
  const cell = new RegExp(`(\\|\\s*\\*{0,2})(?:${wordList})(\\*{0,2}\\s*(?=\\|))`, 'iu')
  return line.replace(cell, (_, open: string, close: string) => `${open}done${close}`)
}

const statusLabel =
  /^([\s>*+-]*(?:\*\*|__)?status(?:\*\*|__)?\s*[:：]\s*(?:\*\*|__)?\s*)(?:`?\[[ xX~/!-]\]\s*)?(.+?)`?(?=\s*$|\s*[–—(,;.]|\s+-\s)/i

/** The status on a line `**Status**: ⏳ pending`; `null` for any other line. */
export function readStatusLine(line: string): StatusSign | null {
  const value = statusLabel.exec(line)?.[2]
  return value === undefined ? null : readStatusCell(value)
}

/** The 1-based number of the first status line after `after`, up to `end`; code and headings end the search. */
export function statusLine(lines: readonly string[], after: number, end: number): number | null {
  for (
    let line = after + 1;
    line <= end && !/^\s*(?:`{3}|~{3}|#)/.test(lines[line - 1] ?? '');
    line++
  ) {
    if (readStatusLine(lines[line - 1] ?? '') !== null) return line
  }
  return null
}

/** Changes the status on a line `**Status**: …` to done. */
export const withDoneStatus = (line: string): string =>
  line.replace(statusLabel, (_, label: string) => `${label}✅ done`)
