/**
 * The names that a file offers to others, with their parameters as written. Reads by shape, without a parser, in
 * JavaScript, TypeScript, Python, Go, Rust, Java, Kotlin, C#, Ruby and PHP. A name is an identifier, and parameters
 * hold no text of strings or comments: what a prompt quotes from here has no room for a sentence.
 */

import { languageOf } from '../code/languages.ts'
import { maskCurly, maskText } from '../code/mask.ts'
import { readProvided } from './import-statements.ts'

export interface ExportedName {
  readonly name: string
  /** As its callers see it: `formatMoney(cents, currency)`; otherwise the name. */
  readonly form: string
}

/** Limits in characters: of a text that is read, of a name, and of its parameters. */
const longestText = 300_000
const longestName = 60
const longestParameters = 80

/** Returns the names in the order of the file, each once; none for other languages and for longer texts. */
export function exportedNames(path: string, text: string): readonly ExportedName[] {
  const language = languageOf(path)
  if (text.length > longestText) return []
  if (scripts.has(language)) return scriptNames(path, text)
  const read = forms[language]
  if (read === undefined) return []
  const masked =
    language === 'python' || language === 'ruby'
      ? maskText(text, 'python')
      : maskCurly(text, language)
  const found = [...masked.matchAll(read)].map((match) => {
    const name = match.slice(1).find((group) => group !== undefined) ?? ''
    return withParameters(name, masked, match.index + match[0].length)
  })
  return distinct([...found, ...(language === 'go' ? grouped(masked) : [])])
}

const scripts: ReadonlySet<string> = new Set(['javascript', 'jsx', 'typescript', 'tsx'])

/** Each ends with the name; what follows may be its parameters. */
const forms: Readonly<Record<string, RegExp>> = {
  python: /^(?:(?:async[ \t]+)?def|class)[ \t]+([^\W_]\w*)|^([A-Z][A-Z\d_]+)(?=[ \t]*[:=])/gm,
  go: /^(?:func[ \t]+(?:\([^()\n]{0,120}\)[ \t]*)?|type[ \t]+|const[ \t]+|var[ \t]+)(\p{Lu}\w*)/gmu,
  rust: /^[ \t]*pub(?:\([a-z]{1,10}\))?[ \t]+(?:(?:async|unsafe|const|extern(?:[ \t]*" *")?)[ \t]+)*(?:fn|struct|enum|trait|type|const|static|mod|union)[ \t]+(\w+)|^[ \t]*macro_rules![ \t]*(\w+)/gm,
  java: /^[ \t]*public[ \t]+(?:(?:static|final|abstract|sealed|synchronized|default|strictfp)[ \t]+)*(?:(?:class|interface|enum|record|@interface)[ \t]+(\w+)|(?:<[^<>\n]{1,80}>[ \t]*)?[\w.]+(?:<[^()\n]{0,80}>)?(?:\[\])*[ \t]+(\w+)(?=[ \t]*[(=;]))/gm,
  kotlin:
    /^[ \t]*(?:(?:public|open|abstract|sealed|data|inline|suspend|operator|infix|const|tailrec|enum|annotation|value|override)[ \t]+)*(?:(?:class|interface|object|typealias)[ \t]+(\w+)|fun[ \t]+(?:<[^<>\n]{1,80}>[ \t]*)?(?:[\w<>?]+\.)?(\w+))/gm,
  csharp:
    /^[ \t]*public[ \t]+(?:(?:static|sealed|abstract|virtual|override|async|readonly|partial|const)[ \t]+)*(?:(?:class|interface|enum|record|struct|delegate)[ \t]+(\w+)|[\w.]+(?:<[^()\n]{0,80}>)?(?:\[\])?\??[ \t]+(\w+)(?=[ \t]*[({=;]))/gm,
  ruby: /^[ \t]*(?:def[ \t]+(?:self\.)?|class[ \t]+|module[ \t]+)([^\W_]\w*[?!]?)/gm,
  php: /^[ \t]*(?:(?:public|static|final|abstract|readonly)[ \t]+)*(?:function[ \t]+&?|class[ \t]+|interface[ \t]+|trait[ \t]+|enum[ \t]+)([^\W_]\w*)/gm,
}

/** The names in `const (…)`, `var (…)` and `type (…)` of Go. */
const grouped = (masked: string): readonly ExportedName[] =>
  masked
    .split(/^(?:const|var|type)[ \t]*\(\n/m)
    .slice(1)
    .flatMap((block) => [
      ...block.slice(0, Math.max(0, block.search(/^\)/m))).matchAll(/^[ \t]+(\p{Lu}\w*)/gmu),
    ])
    .map(([, name = '']) => ({ name, form: name }))

/** `module.exports = Money`, `module.exports = class Money`. */
const whole =
  /\bmodule\s*\.\s*exports\s*=\s*(?:async\s+)?(?:function(?:\s*\*)?\s*|class\s+|new\s+)?(?!(?:async|function|class|new|await|null|require)\b)([A-Za-z_$][\w$]*)/
/** `export default cart`, `export default function cart`. */
const standard =
  /\bexport\s+default\s+(?:async\s+)?(?:function(?:\s*\*)?\s*|class\s+)?(?!(?:async|function|class|new|await|null)\b)([A-Za-z_$][\w$]*)/
/** A function's definition up to its parameters. */
const functions =
  /\bfunction(?:\s*\*)?\s*([\w$]+)|(?<![\w$])([\w$]+)(?:\s*:[^=;\n]{0,200})?\s*=\s*(?:async\s*)?(?:function(?:\s*\*)?(?:\s*[\w$]+)?\s*)?(?=\(|<)/g

function scriptNames(path: string, text: string): readonly ExportedName[] {
  const masked = maskText(text, 'script')
  const names = [...(readProvided(path, text)?.names ?? [whole.exec(masked)?.[1] ?? ''])]
  const own = names.map((name) => (name === 'default' ? (standard.exec(masked)?.[1] ?? '') : name))
  const ends = new Map(
    [...masked.matchAll(functions)]
      .toReversed()
      .map((match) => [match[1] ?? match[2], match.index + match[0].length]),
  )
  return distinct(
    own.map((name) => {
      const end = ends.get(name)
      return end === undefined ? { name, form: name } : withParameters(name, masked, end)
    }),
  )
}

/** Adds the brackets that follow, after type parameters. */
function withParameters(name: string, masked: string, end: number): ExportedName {
  const ahead = masked
    .slice(end, end + 1_000)
    .replace(/^\s*(?:<(?:[^<>()]|<[^<>()]{0,60}>){0,100}>|\[[^[\]()]{0,100}\])?\s*/, '')
  if (!ahead.startsWith('(')) return { name, form: name }
  let depth = 0
  const close = [...ahead].findIndex((char) => {
    if (char === '(') depth += 1
    if (char === ')') depth -= 1
    return depth === 0
  })
  const list = ahead
    .slice(1, Math.max(1, close))
    .replaceAll(/(["'`])\s*\1/g, '$1$1')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^ | ?,? $|,$/g, '')
  const isShown = close > 0 && list.length <= longestParameters && plain.test(list)
  return { name, form: `${name}(${isShown ? list : '…'})` }
}

const plain = /^[\p{L}\p{N}_$\s,.:;<>()[\]{}|&?=*'"`+-]*$/u

function distinct(names: readonly ExportedName[]): readonly ExportedName[] {
  const fit = names.filter(
    ({ name }) => name.length <= longestName && /^[\p{L}_$][\p{L}\p{N}_$]*[?!]?$/u.test(name),
  )
  return [...new Map(fit.toReversed().map((each) => [each.name, each])).values()].toReversed()
}
