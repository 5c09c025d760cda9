import type { SyntaxLanguage, SyntaxProblem } from '../../core/ports/syntax-checker.ts'
import type { Ports } from '../../core/ports.ts'
import { parseCss } from './parse-css.ts'
import { parseDockerfile } from './parse-dockerfile.ts'
import { checkGo } from './parse-go.ts'
import { parseHtml } from './parse-html.ts'
import { parseInChild } from './parse-in-child.ts'
import { checkJson } from './parse-json.ts'
import { parsePhp } from './parse-php.ts'
import { checkPython } from './parse-python.ts'
import { checkScript } from './parse-script.ts'
import { checkSql } from './parse-sql.ts'
import { parseToml } from './parse-toml.ts'
import { parseYaml } from './parse-yaml.ts'
import { readings } from './readings.ts'

/**
 * What a parser says of a text. `sure`: it rejects only what is wrong. `doubtful`: it rejects real
 * files too, so that its word counts only against a change to a text it could read. `never`: nothing
 * it says makes a file invalid.
 */
export interface SyntaxReading {
  readonly trust: 'sure' | 'doubtful' | 'never'
  readonly problems: readonly SyntaxProblem[]
}

type Found = readonly SyntaxProblem[] | 'not checked'

type Parse = (
  path: string,
  text: string,
  syntax: Ports['syntax'],
) => Promise<SyntaxReading | 'not checked'>

const script = sure(checkScript)

const parsers: Readonly<Record<string, Parse>> = {
  javascript: script,
  jsx: script,
  typescript: script,
  tsx: script,
  json: sure(async (_path, text) => checkJson(text, false)),
  jsonc: sure(async (_path, text) => checkJson(text, true)),
  yaml: sure((_path, text) => parseYaml(text)),
  toml: sure((_path, text) => parseToml(text)),
  css: sure((_path, text) => parseCss(text)),
  dockerfile: sure((_path, text) => parseDockerfile(text)),
  html: async (_path, text) => ({ trust: 'never', problems: await parseHtml(text) }),
  python: sure((_path, text, syntax) => checkPython(text, syntax)),
  java: child('java'),
  async rust(_path, text, syntax) {
    const read = await parseDoubtful('rust', text, syntax)
    return read === 'not checked' ? read : { ...read, trust: 'sure' }
  },
  ruby: child('ruby'),
  shell: child('shell'),
  go: sure((_path, text, syntax) => checkGo(text, syntax)),
  php: sure((_path, text, syntax) => parsePhp(text, syntax)),
  async sql(_path, text, syntax) {
    const read = await checkSql(text, syntax)
    if (read === 'not checked') return read
    return { trust: read.doubtful ? 'doubtful' : 'sure', problems: read.problems }
  },
  c: parseC,
  cpp: (_path, text, syntax) => parseDoubtful('cpp', text, syntax),
  csharp: (_path, text, syntax) => parseDoubtful('csharp', text, syntax),
  kotlin: (_path, text, syntax) => parseDoubtful('kotlin', text, syntax),
  swift: (_path, text, syntax) => parseDoubtful('swift', text, syntax),
}

/** True for a language whose files are parsed, and not only looked over. */
export function isParsed(language: string): boolean {
  return Object.hasOwn(parsers, language)
}

/** Reads a text, without its byte order mark, as the language says; `not checked` where nothing can. */
export async function checkText(
  file: { readonly path: string; readonly text: string; readonly language: string },
  syntax: Ports['syntax'],
): Promise<SyntaxReading | 'not checked'> {
  const { path, text, language } = file
  const parse = Object.hasOwn(parsers, language) ? parsers[language] : undefined
  return parse ? parse(path, text, syntax) : 'not checked'
}

/** A header may be C or C++; Objective-C has no grammar here. */
async function parseC(path: string, text: string, syntax: Ports['syntax']) {
  if (/^[ \t]*(?:@(?:interface|protocol|class|import|end)\b|#[ \t]*import\b)/m.test(text))
    return 'not checked' as const
  const asC = await parseDoubtful('c', text, syntax)
  if (asC === 'not checked' || asC.problems.length === 0 || !/\.h$/i.test(path)) return asC
  const asCpp = await parseDoubtful('cpp', text, syntax)
  return asCpp === 'not checked' || asCpp.problems.length > 0 ? asC : asCpp
}

/**
 * If there is no way to read it, the problems of the text as it stands; of Rust, where each way is sound, those that
 * are left.
 */
async function parseDoubtful(
  language: SyntaxLanguage,
  text: string,
  syntax: Ports['syntax'],
): Promise<SyntaxReading | 'not checked'> {
  let told: Found = []
  for (const reading of readings(language, text)) {
    const problems = await parseInChild(language, reading, syntax)
    if (problems === 'not checked') return problems
    if (problems.length === 0) return { trust: 'doubtful', problems }
    if (told.length === 0 || language === 'rust') told = problems
  }
  return { trust: 'doubtful', problems: told }
}

function child(language: SyntaxLanguage): Parse {
  return sure((_path, text, syntax) => parseInChild(language, text, syntax))
}

function sure(
  parse: (path: string, text: string, syntax: Ports['syntax']) => Promise<Found>,
): Parse {
  return async (path, text, syntax) => {
    const problems = await parse(path, text, syntax)
    return problems === 'not checked' ? problems : { trust: 'sure', problems }
  }
}
