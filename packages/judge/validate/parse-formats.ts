import type { Document, Node } from 'yaml'
import { positionAt, type SyntaxProblem, TOO_DEEP } from '../../source/source.ts'
import { parseExactly } from '../../text/text.ts'

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

/** Only mistakes that are hardly ever intended; browsers accept everything. */
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
  'unexpected-character-in-attribute-name': 'An attribute’s name contains a quote or `<`.',
  'missing-whitespace-between-attributes': 'A space is missing between two attributes.',
  'invalid-first-character-of-tag-name': 'A tag’s name begins with a letter; write `&lt;` for `<`.',
}

/** Finds likely mistakes in a page, although no browser refuses to show it. */
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

/** Flags, names and forms that newer builders may know: complaints about them are uncertain. */
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

/** The start of a list; shell conditions have a blank after the bracket. */
const dockerList =
  /^[ \t]*(?:CMD|ENTRYPOINT|RUN|SHELL|VOLUME|COPY|ADD)[ \t]+(\[["'](?:[^\\\n]|\\[\s\S])*)/gim

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

/** A list that is not JSON runs as a shell command, which starts with a bracket and fails. */
const brokenLists = (text: string): readonly SyntaxProblem[] =>
  [...text.matchAll(dockerList)].flatMap(({ 0: line, 1: list = '', index }) => {
    if (Array.isArray(parseExactly(list.replace(/\\\r?\n/g, ' ')))) return []
    const message = 'This list is not JSON: strings in double quotes, commas, and `]` at its end.'
    return [{ message, ...positionAt(text, index + line.length - list.length) }]
  })

/** Nesting on one line that would cost the parser seconds; people nest three or four levels. */
const ABSURD_NESTING = /(?:[[{]\s*){200}|(?:[-?][ \t]+){200}/

/** Finds problems of YAML documents. Unknown tags are fine; an alias needs its anchor. */
export async function parseYaml(text: string): Promise<readonly SyntaxProblem[]> {
  if (ABSURD_NESTING.test(text)) return [TOO_DEEP]
  const yaml = await import('yaml')
  const lines = new yaml.LineCounter()
  const options = { prettyErrors: false, lineCounter: lines, uniqueKeys: false }
  const parsed = yaml.parseAllDocuments(text, options)
  const problemAt = (offset: number, message: string): SyntaxProblem => {
    if (message.includes('call stack')) return TOO_DEEP
    const { line, col } = lines.linePos(offset)
    return { message, line, column: col }
  }
  const documents: readonly Document[] = Array.isArray(parsed) ? parsed : []
  return [
    ...(text.includes('%') ? strayDirectives(text) : []),
    ...documents.flatMap((document) => [
      ...document.errors.map(({ message, pos }) => problemAt(pos[0], message)),
      ...wrongNodes(document, yaml).map(({ message, node }) =>
        problemAt(node.range?.[0] ?? 0, message),
      ),
    ]),
  ]
}

/** Finds faulty directives before the first document, which the parser accepts alone and twice. */
function strayDirectives(text: string): readonly SyntaxProblem[] {
  let versions = 0
  let last = 0
  for (const [index, line] of text.split('\n').entries()) {
    if (/^%YAML\b/.test(line)) versions += 1
    if (versions > 1) return [{ message: '%YAML is repeated here.', line: index + 1, column: 1 }]
    if (line.startsWith('%')) last = index + 1
    else if (!/^\s*(?:#|$)/.test(line)) return []
  }
  const message = 'A directive needs a document after it, which starts with `---`.'
  return last === 0 ? [] : [{ message, line: last, column: 1 }]
}

/** Finds aliases without an earlier anchor, and repeated keys of a map, in text order. */
function wrongNodes({ contents }: Document, yaml: typeof import('yaml')) {
  const anchors = new Set<string>()
  const problems: { readonly message: string; readonly node: Node }[] = []
  const waiting: unknown[] = [contents]
  while (waiting.length > 0) {
    const node = waiting.pop()
    if (yaml.isAlias(node) && !anchors.has(node.source)) {
      const message = `The alias *${node.source} has no anchor &${node.source} before it.`
      problems.push({ message, node })
    } else if (yaml.isPair(node)) waiting.push(node.value, node.key)
    else if (yaml.isCollection(node)) {
      // The parser would compare all pairs of keys: minutes for a file of 100,000 keys.
      const keys = new Set<unknown>()
      for (const { key } of yaml.isMap(node) ? node.items : []) {
        if (!yaml.isScalar(key)) continue
        if (keys.has(key.value)) problems.push({ message: 'Map keys must be unique', node: key })
        keys.add(key.value)
      }
      for (const item of node.items.toReversed()) waiting.push(item)
    }
    if (yaml.isNode(node) && 'anchor' in node && node.anchor) anchors.add(node.anchor)
  }
  return problems
}
