import type { SyntaxProblem } from '../../core/ports/syntax-checker.ts'
import { positionAt } from '../../text/source/positions.ts'

/** Problems of a style sheet: the first one, where the parser stopped. */
export async function parseCss(text: string): Promise<readonly SyntaxProblem[]> {
  const { parse, CssSyntaxError } = await import('postcss')
  try {
    parse(text)
    return []
  } catch (error) {
    if (!(error instanceof CssSyntaxError)) throw error
    return [{ message: `${error.reason}.`, line: error.line ?? 1, column: error.column ?? 1 }]
  }
}

/** Problems of TOML: the first one, where the parser stopped. */
export async function parseToml(text: string): Promise<readonly SyntaxProblem[]> {
  const { parse, TomlError } = await import('smol-toml')
  try {
    parse(text)
    return []
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const { line, column, message } = error
    const [first = ''] = message.split('\n', 1)
    return [{ message: first.replace(/^Invalid TOML document: /, ''), line, column }]
  }
}

/** Only what is hardly ever meant; browsers read everything. */
const htmlMistakes: Readonly<Record<string, string>> = {
  'duplicate-attribute': 'This attribute is given twice.',
  'eof-before-tag-name': 'The file ends in the middle of a tag.',
  'eof-in-tag': 'The file ends in the middle of a tag.',
  'eof-in-comment': 'This comment is never closed.',
  'eof-in-cdata': 'The file ends in the middle of a CDATA section.',
  'eof-in-element-that-can-contain-only-text': 'This element is never closed.',
  'eof-in-script-html-comment-like-text': 'The file ends in the middle of a script.',
  'end-tag-without-matching-open-element': 'This end tag closes nothing.',
  'closing-of-element-with-open-child-elements':
    'This end tag closes an element while another one inside it is still open.',
  'missing-attribute-value': 'This attribute has no value after its `=`.',
  'missing-end-tag-name': 'This end tag has no name.',
  'unexpected-character-in-attribute-name': 'A quote or `<` stands in an attribute’s name.',
  'missing-whitespace-between-attributes': 'A space is missing between two attributes.',
  'invalid-first-character-of-tag-name': 'A tag’s name begins with a letter; write `&lt;` for `<`.',
}

/** What looks like a mistake in a page. None of it keeps a browser from showing the page. */
export async function parseHtml(text: string): Promise<readonly SyntaxProblem[]> {
  const { parse } = await import('parse5')
  const problems: SyntaxProblem[] = []
  parse(text, {
    sourceCodeLocationInfo: true,
    onParseError({ code, startLine, startCol }) {
      const message = htmlMistakes[code]
      if (message !== undefined) problems.push({ message, line: startLine, column: startCol })
    },
  })
  return problems
}

/** Flags, names and forms that newer builders may know: what is said of them is not certain. */
const uncertainCodes = [
  'FLAG_AT_LEAST_ONE',
  'FLAG_INVALID_FROM_VALUE',
  'FLAG_EXPECTED_BOOLEAN_VALUE',
  'FLAG_UNKNOWN_UNIT',
  'INVALID_REFERENCE_FORMAT',
  'INVALID_SIGNAL',
  'UNKNOWN_ADD_FLAG',
  'UNKNOWN_COPY_FLAG',
  'UNKNOWN_FROM_FLAG',
  'UNKNOWN_HEALTHCHECK_FLAG',
  'UNSUPPORTED_MODIFIER',
  'BASE_NAME_EMPTY',
] as const

/** A list that was begun; shell conditions begin with a blank after the bracket. */
const dockerList =
  /^[ \t]*(?:CMD|ENTRYPOINT|RUN|SHELL|VOLUME|COPY|ADD)[ \t]+(\[["'](?:[^\\\n]|\\[\s\S])*)/gim

/** Problems that a builder, too, would refuse. */
export async function parseDockerfile(text: string): Promise<readonly SyntaxProblem[]> {
  const { validate, ValidationCode } = (await import('dockerfile-utils')).default
  const uncertain = new Set<unknown>(uncertainCodes.map((name) => ValidationCode[name]))
  const problems = validate(text)
    .filter(({ severity, code }) => severity === 1 && !uncertain.has(code))
    .map(({ message, range: { start } }) => ({
      message: `${message}.`,
      line: start.line + 1,
      column: start.character + 1,
    }))
  return problems.length > 0 ? problems : brokenLists(text)
}

/** A list that is not JSON is run as a shell command, which begins with a bracket and fails. */
function brokenLists(text: string): readonly SyntaxProblem[] {
  return [...text.matchAll(dockerList)].flatMap(({ 0: line, 1: list = '', index }) => {
    if (isList(list.replace(/\\\r?\n/g, ' '))) return []
    const message = 'This list is not JSON: strings in double quotes, commas, and `]` at its end.'
    return [{ message, ...positionAt(text, index + line.length - list.length) }]
  })
}

function isList(json: string): boolean {
  try {
    return Array.isArray(JSON.parse(json))
  } catch {
    return false
  }
}
