import { posix } from 'node:path'
import picomatch from 'picomatch'
import type { Finding } from '../finding.ts'
import { findInLines } from './find-in-lines.ts'
import {
  elsewhere,
  isInsideRepository,
  leadsOut,
  pep508,
  type Setting,
  settings,
} from './judges.ts'

/** Files from which pip reads requirements and constraints, by lower-case name. */
export const requirementFiles: readonly string[] = [
  '**/*{requirements,constraints}*.{txt,in,pip}',
  '**/{requirements,constraints,reqs,deps}/**/*.{txt,in,pip}',
]
const isRequirementFile = picomatch([...requirementFiles], { dot: true, nonegate: true })

/** Options that only make an installation stricter, or change which versions count. */
const harmless = /^--(?:require-hashes|pre|prefer-binary|only-binary(?:=|\s+):all:)$/
const file = /^(?:-r|-c|--requirement|--constraint)(?:\s*=?\s*)(\S+)$/
/** pip reads the file in the encoding that its first two lines name, as Python does. */
const coding = /^[ \t\f]*#.*?coding[:=][ \t]*(?!utf-?8|ascii)[-\w.]+/i
/** Where pip ends lines, which is where Python's `splitlines` does. */
const lineEnd = /\r\n|[\n\r\v\f\u001c-\u001e\u0085\u2028\u2029]/g
const isComment = (line: string): boolean => /^\s*#/.test(line)

/**
 * Finds what in a requirements file needs approval: anything but names with versions and markers.
 * Joins lines and strips comments as pip does.
 */
export function findInRequirements(text: string, setting: Setting): readonly Finding[] {
  const format = {
    ends: lineEnd,
    plain: (raw: string) => (isComment(raw) ? '' : raw.replace(/\\$/, '')),
    isOpen: (_: string, raw: string) => raw.endsWith('\\') && !isComment(raw),
    meaning: withoutComment,
    judge: judgeRequirement,
  }
  const named = text.split(lineEnd, 2).find((line) => coding.test(line))
  const start = text.indexOf(named ?? '')
  const end = start + (named?.length ?? 0)
  const encoded = { start, end, category: 'packages', why: settings, meaning: '' } as const
  return [...(named === undefined ? [] : [encoded]), ...findInLines(text, format, setting)]
}

const withoutComment = (line: string): string => line.replace(/(?:^|\s)#.*$/s, '').trim()

function judgeRequirement(line: string, setting: Setting): string | null {
  const [named = '', ...hashes] = withoutComment(line).split(/\s--hash(?=[=\s])/)
  if (!hashes.every((hash) => /^[=\s]\s*\w+:[a-f\d]+\s*$/i.test(hash))) return settings
  const plain = named.trim()
  if (plain === '' || harmless.test(plain)) return null
  if (!plain.startsWith('-')) return pep508(plain, setting)
  const [, path] = file.exec(plain) ?? []
  if (path === undefined) return /^(?:-e|--editable)/.test(plain) ? elsewhere : settings
  if (!isInsideRepository(path, setting.directory)) return leadsOut
  // A file with another name would not be checked when it changes.
  return isRequirementFile(posix.join(setting.directory, path).toLowerCase()) ? null : settings
}
