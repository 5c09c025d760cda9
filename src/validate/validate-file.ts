import type { Ports, SyntaxProblem } from '../ports.ts'
import { broughtIn } from './already-there.ts'
import { isParsed, languageOf } from './languages.ts'
import { parseJson } from './parse-json.ts'
import { parsePython } from './parse-python.ts'
import { parseScript } from './parse-script.ts'
import { parseToml } from './parse-toml.ts'
import { parseYaml } from './parse-yaml.ts'
import { endOfText } from './positions.ts'
import { findMarkers, findReplyRemains } from './text-checks.ts'

/** Line and column are 1-based; 0 when the whole file is meant. */
export interface FileProblem {
  /** `syntax`, `encoding`, `stray_fence`, `leading_prose`, `conflict_marker` or `edit_marker`. */
  readonly type: string
  readonly message: string
  readonly line: number
  readonly column: number
}

/**
 * What is known of one file. `valid` says that no problem was found; only together with `checked` does
 * it say that a parser has read the file and accepted it. Where `checked` is false, people are told
 * "not checked", never "valid".
 */
export interface FileReport {
  readonly path: string
  readonly language: string
  readonly valid: boolean
  readonly checked: boolean
  readonly problems: readonly FileProblem[]
}

interface Finding {
  readonly checked: boolean
  readonly problems: readonly FileProblem[]
}

/** One mistake can confuse a parser many times over; nobody needs more than the first few. */
const MAX_PROBLEMS = 10

/**
 * Parses one text. With `before`, the text it replaces, only problems that the change brought in are
 * reported: a file that was broken already may be worked on.
 */
export async function validateFile(
  file: { path: string; text: string; before?: string | undefined },
  ports: Pick<Ports, 'syntax'>,
): Promise<FileReport> {
  const { path, text, before } = file
  const language = languageOf(path, text)
  const { checked, problems: all } = await inspect(path, text, language, ports)
  const problems =
    all.length === 0 || before === undefined
      ? all
      : broughtIn({ text, problems: all }, { text: before, problems: await found(before) })
  return {
    path,
    language,
    valid: problems.length === 0,
    checked,
    problems: problems.slice(0, MAX_PROBLEMS),
  }

  async function found(old: string) {
    return (await inspect(path, old, languageOf(path, old), ports)).problems
  }
}

async function inspect(
  path: string,
  text: string,
  language: string,
  ports: Pick<Ports, 'syntax'>,
): Promise<Finding> {
  const remains = findReplyRemains(text, language)
  if (remains.length > 0) return { checked: isParsed(language), problems: remains }
  const markers = findMarkers(text, language)
  const parsed = await parse(path, text.replace(/^\uFEFF/, ''), language, ports)
  if (parsed === 'not checked') return { checked: false, problems: markers }
  if (parsed.length === 0) return { checked: true, problems: [] }
  if (markers.length > 0) return { checked: true, problems: markers }
  const end = endOfText(text)
  return { checked: true, problems: parsed.map((problem) => place(problem, end)) }
}

/** Parsers that miss something at the end name an empty line; the last written one is shown instead. */
function place(problem: SyntaxProblem, end: { line: number; column: number }): FileProblem {
  return { type: 'syntax', ...problem, ...(problem.line > end.line ? end : {}) }
}

async function parse(path: string, text: string, language: string, ports: Pick<Ports, 'syntax'>) {
  switch (language) {
    case 'javascript':
    case 'jsx':
    case 'typescript':
    case 'tsx':
      return parseScript(path, text)
    case 'json':
    case 'jsonc':
      return parseJson(text, language === 'jsonc')
    case 'yaml':
      return parseYaml(text)
    case 'toml':
      return parseToml(text)
    case 'python':
      return parsePython(text, ports.syntax)
    default:
      return 'not checked'
  }
}
