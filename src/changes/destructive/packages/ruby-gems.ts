import type { Finding } from '../finding.ts'
import { elsewhere, isInsideRepository, program, type Setting, settings } from './judges.ts'
import { isKnownSource } from './sources.ts'

const string = String.raw`(?:"[^"#\\\n]*"|'[^'\\\n]*')`
const atom = String.raw`(?:${string}|:\w+|:${string}|true|false|nil|\d+(?:\.\d+)*|%[iw]\[[\w\s.-]*\])`
const list = String.raw`(?:${atom}|\[\s*(?:${atom}(?:\s*,\s*${atom})*)?\s*,?\s*\])`
const options = String.raw`(?:\s*,\s*(?:(?:require|groups?|platforms?|force_ruby_platform):\s*${list}|:(?:require|groups?|platforms?)\s*=>\s*${list}))*`
const rest = String.raw`(?:\s*,\s*${list})*`

const harmless: readonly RegExp[] = [
  new RegExp(String.raw`^gem[\s(]\s*${string}(?:\s*,\s*${list})*${options}\s*\)?$`),
  new RegExp(
    String.raw`^(?:group|platforms?)[\s(]\s*${atom}${rest}(?:\s*,\s*optional:\s*\w+)?\s*\)?\s+do$`,
  ),
  new RegExp(
    String.raw`^ruby[\s(]\s*(?:${string}${rest}|file:\s*['"]\.(?:ruby-version|tool-versions)['"])\s*\)?$`,
  ),
  /^(?:end|gemspec)$/,
]

const ownPath = new RegExp(
  String.raw`^(?:gem[\s(]\s*${string}(?:\s*,\s*${list})*\s*,\s*(?:path:|:path\s*=>)|path|gemspec\s+path:)\s*(${string})${options}\s*\)?(?:\s+do)?$`,
)
const sourceLine = new RegExp(String.raw`^source[\s(]\s*(${string})\s*\)?(?:\s+do)?$`)

/** A path that a string of a Gemfile names, without its quotes. */
const inner = (text: string): string => text.slice(1, -1)

/**
 * What in a Gemfile needs a person's word. It is a program that Bundler runs: only lines that name gems, groups and
 * known sources in plain words are taken for data.
 */
export function findInGemfile(text: string, { directory, known }: Setting): readonly Finding[] {
  return findInLines(text, (line) => {
    if (harmless.some((each) => each.test(line))) return null
    const [, path] = ownPath.exec(line) ?? []
    if (path !== undefined) return isInsideRepository(inner(path), directory) ? null : elsewhere
    const [, address] = sourceLine.exec(line) ?? []
    if (address !== undefined) return isKnownSource(inner(address), known) ? null : settings
    return /^gem\b|^(?:git|github|path|git_source)\b/.test(line) ? elsewhere : program
  })
}

const value = String.raw`(?:${list}|[A-Z]\w*(?:::[A-Z]\w*)*|Dir(?:\.glob)?[([]\s*${string}(?:\s*,\s*${string})*\s*[)\]])`

const specification: readonly RegExp[] = [
  new RegExp(
    String.raw`^Gem::Specification\.new(?:[\s(]\s*${string}(?:\s*,\s*${string})?\s*\)?)?\s+do\s*\|\w+\|$`,
  ),
  new RegExp(String.raw`^\w+\.(?!extensions)\w+\s*=\s*${value}(?:\.freeze)?$`),
  new RegExp(String.raw`^\w+\.metadata\[${string}\]\s*=\s*${value}$`),
  new RegExp(
    String.raw`^\w+\.add_(?:runtime_|development_)?dependency[\s(]\s*${string}(?:\s*,\s*${list})*\s*\)?$`,
  ),
  /^end$/,
]

/** The same for a gemspec, which a Gemfile's `gemspec` runs. */
export const findInGemspec = (text: string): readonly Finding[] =>
  findInLines(text, (line) => (specification.some((each) => each.test(line)) ? null : program))

const longestLine = 2000

function findInLines(text: string, judge: (line: string) => string | null): readonly Finding[] {
  const found: Finding[] = []
  let at = 0
  let start = 0
  let joined = ''
  for (const written of text.split('\n')) {
    if (joined === '') start = at + (written.length - written.trimStart().length)
    at += written.length + 1
    joined = `${joined} ${withoutComment(written)}`.trim()
    if (joined === '' || (/[,([]$/.test(joined) && joined.length < longestLine)) continue
    const why = joined.length > longestLine ? program : judge(joined)
    const end = Math.max(start, Math.min(text.length, at - 1))
    if (why !== null) found.push({ start, end, category: 'packages', why, meaning: joined })
    joined = ''
  }
  return found
}

/** A `#` inside quotes is none; in doubt the line is left as it is, and asked about. */
const withoutComment = (line: string): string =>
  /^\s*#/.test(line)
    ? ''
    : line.length > longestLine
      ? line
      : line.replace(/^((?:[^"'#]|"[^"#]*"|'[^']*')*?)\s*#.*$/, '$1').trim()
