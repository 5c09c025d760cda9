import { posix } from 'node:path'
import type { Finding } from '../finding.ts'
import {
  elsewhere,
  isInsideRepository,
  leadsOut,
  pep508,
  type Setting,
  settings,
} from './judges.ts'

/** Files that pip reads requirements and constraints from, by their names, in lower case. */
export const requirementFiles: readonly string[] = [
  '**/*{requirements,constraints}*.{txt,in,pip}',
  '**/{requirements,constraints,reqs,deps}/**/*.{txt,in,pip}',
]

/** Options that only make an installation stricter, or change which versions count. */
const harmless = /^--(?:require-hashes|pre|prefer-binary|only-binary(?:=|\s+):all:)$/
const file = /^(?:-r|-c|--requirement|--constraint)(?:\s*=?\s*)(\S+)$/
/** pip reads the file in the encoding that its first two lines name, as Python does. */
const coding = /^[ \t\f]*#.*?coding[:=][ \t]*(?!utf-?8|ascii)[-\w.]+/i

/**
 * What in a requirements file needs a person's word: whatever is no name with versions and markers. Lines end where
 * pip lets them end (Python's `splitlines`), and are joined and stripped of comments as pip does it.
 */
export function findInRequirements(text: string, setting: Setting): readonly Finding[] {
  return logicalLines(text).flatMap(({ start, end, line, raw, index }) => {
    const why = index < 2 && coding.test(raw) ? settings : judgeLine(line, setting)
    return why === null ? [] : [{ start, end, category: 'packages', why, meaning: line }]
  })
}

function judgeLine(line: string, setting: Setting): string | null {
  const [named = '', ...hashes] = line.split(/\s--hash(?=[=\s])/)
  if (!hashes.every((hash) => /^[=\s]\s*\w+:[a-f\d]+\s*$/i.test(hash))) return settings
  const plain = named.trim()
  if (plain === '' || harmless.test(plain)) return null
  if (!plain.startsWith('-')) return pep508(plain, setting)
  const [, path] = file.exec(plain) ?? []
  if (path === undefined) return /^(?:-e|--editable)/.test(plain) ? elsewhere : settings
  if (!isInsideRepository(path, setting.directory)) return leadsOut
  // A file by another name would not be looked at when it changes.
  return isRequirementFile(posix.join(setting.directory, path)) ? null : settings
}

const isRequirementFile = (path: string): boolean =>
  /(?:requirements|constraints)[^/]*\.(?:txt|in|pip)$|(?:^|\/)(?:requirements|constraints|reqs|deps)\/.*\.(?:txt|in|pip)$/i.test(
    path,
  )

interface Logical {
  readonly start: number
  readonly end: number
  readonly line: string
  readonly raw: string
  /** Of its first physical line. */
  readonly index: number
}

const lineEnd = /\r\n|[\n\r\v\f\u001c-\u001e\u0085\u2028\u2029]/g

function logicalLines(text: string): readonly Logical[] {
  const found: Logical[] = []
  let start = 0
  let parts: string[] = []
  let first = 0
  let index = 0
  const physical = (from: number, to: number) => {
    const raw = text.slice(from, to)
    const isComment = /^\s*#/.test(raw)
    if (parts.length === 0) [start, first] = [from, index]
    parts.push(isComment ? '' : raw.replace(/\\$/, ''))
    index += 1
    if (raw.endsWith('\\') && !isComment && to < text.length) return
    const line = parts
      .join('')
      .replace(/(?:^|\s)#.*$/s, '')
      .trim()
    const lead = /^\s*/.exec(text.slice(start, to))?.[0].length ?? 0
    found.push({ start: start + lead, end: to, line, raw: text.slice(start, to), index: first })
    parts = []
  }
  let from = 0
  for (const { 0: ending, index: at } of text.matchAll(lineEnd)) {
    physical(from, at)
    from = at + ending.length
  }
  physical(from, text.length)
  return found
}
