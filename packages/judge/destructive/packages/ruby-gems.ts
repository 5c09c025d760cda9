import { byRules, type LineFormat, type LineJudge, type LineRule } from './find-in-lines.ts'
import { elsewhere, program, settings } from './judges.ts'

const string = String.raw`(?:"[^"#\\\n]*"|'[^'\\\n]*')`
const atom = String.raw`(?:${string}|:\w+|:${string}|true|false|nil|\d+(?:\.\d+)*|%[iw]\[[\w\s.-]*\])`
const list = String.raw`(?:${atom}|\[\s*(?:${atom}(?:\s*,\s*${atom})*)?\s*,?\s*\])`
const options = String.raw`(?:\s*,\s*(?:(?:require|groups?|platforms?|force_ruby_platform):\s*${list}|:(?:require|groups?|platforms?)\s*=>\s*${list}))*`
const rest = String.raw`(?:\s*,\s*${list})*`
const value = String.raw`(?:${list}|[A-Z]\w*(?:::[A-Z]\w*)*|Dir(?:\.glob)?[([]\s*${string}(?:\s*,\s*${string})*\s*[)\]])`
/** A string whose contents decide. */
const given = String.raw`(?:"([^"#\\\n]*)"|'([^'\\\n]*)')`

const rule = (pattern: string, why: string | null = null): LineRule => [
  new RegExp(`^(?:${pattern})$`),
  why,
]
const ownPath = String.raw`(?:gem[\s(]\s*${string}(?:\s*,\s*${list})*\s*,\s*(?:path:|:path\s*=>)|path|gemspec\s+path:)\s*${given}${options}\s*\)?(?:\s+do)?`
const source = String.raw`source[\s(]\s*(?:"([^"#\\\n]*://[^"#\\\n]*)"|'([^'\\\n]*://[^'\\\n]*)')\s*\)?(?:\s+do)?`

const longestLine = 2000

/** Bundler runs Gemfiles and gemspecs as programs: lines of plain literals count as data. */
const rubyLines = (judge: LineJudge): LineFormat => ({
  plain: withoutComment,
  isOpen: (plain) => /(?:^|[,([])\s*$/.test(plain),
  joint: ' ',
  judge: (line, setting) => (line.length > longestLine ? program : judge(line, setting)),
})

/** Gems, groups and known sources are data. */
export const gemfile: LineFormat = rubyLines(
  byRules(
    rule(String.raw`gem[\s(]\s*${string}(?:\s*,\s*${list})*${options}\s*\)?`),
    rule(
      String.raw`(?:group|platforms?)[\s(]\s*${atom}${rest}(?:\s*,\s*optional:\s*\w+)?\s*\)?\s+do`,
    ),
    rule(
      String.raw`ruby[\s(]\s*(?:${string}${rest}|file:\s*['"]\.(?:ruby-version|tool-versions)['"])\s*\)?`,
    ),
    rule('end|gemspec'),
    rule(ownPath, elsewhere),
    rule(ownPath),
    rule(source, settings),
    rule(source),
    rule(String.raw`(?:gem|git|github|path|git_source)\b.*`, elsewhere),
    rule(String.raw`[\s\S]*`, program),
  ),
)

/** Names, versions and dependencies are data. A Gemfile's `gemspec` runs it. */
export const gemspec: LineFormat = rubyLines(
  byRules(
    rule(
      String.raw`Gem::Specification\.new(?:[\s(]\s*${string}(?:\s*,\s*${string})?\s*\)?)?\s+do\s*\|\w+\|`,
    ),
    rule(String.raw`\w+\.(?!extensions)\w+\s*=\s*${value}(?:\.freeze)?`),
    rule(String.raw`\w+\.metadata\[${string}\]\s*=\s*${value}`),
    rule(
      String.raw`\w+\.add_(?:runtime_|development_)?dependency[\s(]\s*${string}(?:\s*,\s*${list})*\s*\)?`,
    ),
    rule('end'),
    rule(String.raw`[\s\S]*`, program),
  ),
)

/** A `#` inside quotes starts no comment; a doubtful line stays, and needs approval. */
function withoutComment(line: string): string {
  if (/^\s*#/.test(line)) return ''
  if (line.length > longestLine) return line
  return line.replace(/^((?:[^"'#]|"[^"#]*"|'[^']*')*?)\s*#.*$/, '$1')
}
