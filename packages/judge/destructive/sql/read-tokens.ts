import { readTokens, type TextToken, type TokenRule } from '../tokens.ts'

/** Words are in upper case; strings and quoted names lack their quotes. */
export type SqlToken = TextToken<'word' | 'name' | 'string' | 'number' | 'mark'>

const single = (inside: string): string => inside.replaceAll("''", "'")

const rules: readonly TokenRule<SqlToken['kind']>[] = [
  { kind: null, at: /--[^\n]*/y },
  { kind: null, at: /#(?=[\s#]|$)[^\n]*/y, follows: (_, isFirst) => isFirst },
  // MySQL's executable comments are code.
  { kind: null, at: /\/\*!\d{0,7}/y },
  { kind: null, at: /\/\*[\s\S]*?(?:\*\/|$)/y },
  { kind: null, at: /\*\//y },
  {
    kind: 'string',
    at: /'(?<inside>[^'\\]*(?:(?:''|\\[\s\S])[^'\\]*)*)'?/y,
    follows: (last, _, start) => last?.text === 'E' && last.end === start,
    toText: single,
  },
  {
    // In some dialects a backslash escapes a quote, unless the rest shows the end of the string.
    kind: 'string',
    at: /'(?<inside>[^'\\]*(?:(?:''|\\\\|\\'(?!\s*(?:[,);|]|$|(?:AND|OR|FROM|WHERE|AS|THEN|ELSE|END|IS|IN)\b))|\\)[^'\\]*)*)'?/iy,
    toText: single,
  },
  { kind: 'name', at: /"(?<inside>[^"]*)"?/y },
  { kind: 'name', at: /`(?<inside>[^`]*)`?/y },
  { kind: 'name', at: /\[(?=[A-Za-z_])(?<inside>[^\]]*)\]?/y },
  { kind: 'string', at: /(\$(?:[A-Za-z_]\w*)?\$)(?<inside>[\s\S]*?)(?:\1|$)/y },
  {
    kind: 'word',
    at: /[\p{L}_\uFFFA-\uFFFC@#$][\p{L}\p{N}_$#@\uFFFA-\uFFFC]*/uy,
    toText: (word) => word.toUpperCase(),
  },
  { kind: 'number', at: /\d[\w.]*/y },
  { kind: 'mark', at: /[\s\S]/y },
]

/** Reads SQL of any dialect in linear time; dollar-quoted texts are strings. */
export const readSqlTokens = (text: string): readonly SqlToken[] => readTokens(text, rules)
