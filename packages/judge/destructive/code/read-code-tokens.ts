import { UNKNOWN } from '../../../source/source.ts'
import { readTokens, type TextToken, type TokenRule } from '../tokens.ts'

/** Names, texts with marked interpolations, and marks (also for patterns); a `command` runs. */
export type CodeToken = TextToken<'name' | 'text' | 'command' | 'mark'>

interface CodeLanguage {
  readonly rules: readonly TokenRule<CodeToken['kind']>[]
  /** A call needs no parentheses: `system "ls"`. */
  readonly isLoose: boolean
}

interface CodeRule extends TokenRule<CodeToken['kind']> {
  readonly isInterpolated?: boolean
  readonly isEscaped?: boolean
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }
const unescaped = (inside: string): string =>
  inside.replace(/\\([\s\S])/g, (_, char: string) => escapes[char] ?? char)

const comment = (at: RegExp): CodeRule => ({ kind: null, at })
const mark = (at: RegExp, as: string): CodeRule => ({ kind: 'mark', at, toText: () => as })
const quoted = (quote: string): RegExp =>
  new RegExp(`${quote}(?<inside>[^${quote}\\\\]*(?:\\\\[\\s\\S][^${quote}\\\\]*)*)${quote}?`, 'y')
const upTo = (open: string, close: string): RegExp =>
  new RegExp(`${open}(?<inside>[\\s\\S]*?)(?:${close}|$)`, 'y')

const slashes = [comment(/\/\/[^\n]*/y), comment(/\/\*[\s\S]*?(?:\*\/|$)/y)]
const hash = comment(/#(?!\[)[^\n]*/y)
const double: CodeRule = { kind: 'text', at: quoted('"'), isInterpolated: true, isEscaped: true }
const single: CodeRule = { kind: 'text', at: quoted("'"), isEscaped: true }
const character = mark(/'(?:[^'\\\n]|\\[^\n]{1,10}?)'/y, "'")
const triple: CodeRule = { kind: 'text', at: upTo('"""', '"""'), isInterpolated: true }
const tripleSingle: CodeRule = { kind: 'text', at: upTo("'''", "'''"), isInterpolated: true }
const template: CodeRule = { ...double, at: quoted('`') }
const backticked: CodeRule = { ...template, kind: 'command' }
const rawRust: CodeRule = { kind: 'text', at: /b?r(#{0,8})"(?<inside>[\s\S]*?)(?:"\1|$)/y }
const rawCpp: CodeRule = {
  kind: 'text',
  at: /(?:u8|u|U|L)?R"([^\s()\\]{0,16})\((?<inside>[\s\S]*?)(?:\)\1"|$)/y,
}
const verbatim: CodeRule = {
  kind: 'text',
  at: /\$?@\$?"(?<inside>[^"]*(?:""[^"]*)*)"?/y,
  isInterpolated: true,
}
const herePhp: CodeRule = {
  kind: 'text',
  at: /<<<[ \t]*(["']?)([A-Za-z_]\w*)\1[ \t]*\r?\n(?<inside>[\s\S]*?)(?:^[ \t]*\2\b|(?![\s\S]))/my,
  isInterpolated: true,
}
const hereRuby: readonly CodeRule[] = [
  { kind: 'command', at: /<<[~-]?`(?<word>[A-Z_]\w*)`/y, isInterpolated: true },
  { kind: 'text', at: /<<[~-]?(["']?)(?<word>[A-Z_]\w*)\1/y, isInterpolated: true },
]
/** Documentation in Ruby and Perl. */
const documentation = [
  comment(/^=begin[\s\S]*?(?:\n=end|(?![\s\S]))/my),
  comment(/^=\w[\s\S]*?(?:\n=cut|(?![\s\S]))/my),
]
/** Longer patterns are not recognized, so that a line of slashes takes linear time. */
const pattern: CodeRule = {
  ...mark(
    /\/(?![*/\s])(?:[^/\\\n[]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n]){0,200}\]){1,500}\/[a-z]*/y,
    '/',
  ),
  follows: (last) =>
    last === undefined ||
    (last.kind !== 'text' &&
      /(?:^|[(,=:[!&|?{};+~])$|^(?:return|if|unless|and|or|not|when|in|split|match|gsub|sub|scan)$/.test(
        last.text,
      )),
}
/** `%w[…]`, `%x(…)` and so on; after a value, `%` divides. */
const percents = ['()', '{}', '[]', '<>', '||', '!!'].flatMap(([open, close]): CodeRule[] => {
  const literal = (letter: string) =>
    new RegExp(`%${letter}\\${open}(?<inside>[^\\${close}]*)\\${close}?`, 'y')
  const follows = (last: CodeToken | undefined) => last?.text !== ')'
  return [
    { kind: 'command', at: literal('x'), isInterpolated: true, follows },
    { kind: 'text', at: literal('[qQwWi]'), isInterpolated: true, follows },
    {
      kind: 'text',
      at: literal(''),
      isInterpolated: true,
      follows: (last, isFirst) => follows(last) && (last?.kind !== 'name' || isFirst),
    },
  ]
})

function language(
  rules: readonly CodeRule[],
  interpolation?: RegExp,
  isLoose = false,
): CodeLanguage {
  const filled = (inside: string) =>
    interpolation === undefined ? inside : inside.replace(interpolation, UNKNOWN)
  const own = rules.map(({ isInterpolated, isEscaped, ...rule }) => {
    const steps = [...(isInterpolated ? [filled] : []), ...(isEscaped ? [unescaped] : [])]
    if (steps.length === 0) return rule
    return { ...rule, toText: (inside: string) => steps.reduce((text, step) => step(text), inside) }
  })
  return { rules: [...own, ...plain], isLoose }
}

const plain: readonly CodeRule[] = [
  {
    kind: 'name',
    at: /[$@]{0,2}(?<inside>[\p{L}_][\p{L}\p{N}_]*[!?]?)/uy,
  },
  mark(/\d[\w.]*/y, '0'),
  { kind: 'mark', at: /::|->|\?\.|:=|=>|\+=|\.\.|&&|\|\||[\s\S]/y },
]

const dollar = /\$\{[^{}]{0,300}\}|\$[A-Za-z_]\w*/g
const braces = /\{[^{}]{0,300}\}/g
const likeJava = [...slashes, triple, double, character]
const likeGroovy = [...slashes, triple, tripleSingle, double, single]
const likeRuby = [hash, ...documentation, ...hereRuby, ...percents, double, single]

export const codeLanguages = {
  go: language([...slashes, double, character, { kind: 'text', at: upTo('`', '`') }]),
  c: language([...slashes, rawCpp, double, character]),
  cpp: language([...slashes, rawCpp, double, character]),
  java: language(likeJava),
  kotlin: language(likeJava, dollar),
  scala: language(likeJava, dollar),
  groovy: language(likeGroovy, dollar),
  csharp: language([verbatim, ...likeJava], braces),
  swift: language(likeJava, /\\\([^()]{0,300}\)/g),
  dart: language(likeGroovy, dollar),
  rust: language([...slashes, rawRust, double, character], /\{[^{}]{0,100}\}/g),
  php: language(
    [
      // PHP's code is between its marks; everything else is text.
      comment(/(?<=^\s*)[\s\S]*?(?:<\?|$)/y),
      comment(/\?>[\s\S]*?(?:<\?|$)/y),
      ...[...slashes, hash, herePhp, double, single, backticked],
    ],
    /\{\$[^{}]{0,300}\}|\$[A-Za-z_]\w*(?:->\w+|\[[^\]\n]{0,100}\])?/g,
  ),
  ruby: language([...likeRuby, backticked, pattern], /#\{[^{}]{0,300}\}/g, true),
  perl: language([...likeRuby, backticked, pattern], /[$@]\{?[A-Za-z_]\w*\}?/g, true),
  elixir: language([triple, tripleSingle, ...likeRuby], /#\{[^{}]{0,300}\}/g, true),
  lua: language([comment(upTo('--\\[\\[', '\\]\\]')), comment(/--[^\n]*/y), double, single]),
  javascript: language([...slashes, double, single, template, pattern], /\$\{[^{}]{0,300}\}/g),
  python: language([hash, triple, tripleSingle, double, single], braces),
} as const

export type CodeLanguageName = keyof typeof codeLanguages

export const readCodeTokens = (text: string, name: CodeLanguageName): readonly CodeToken[] =>
  readTokens(text, codeLanguages[name].rules)
