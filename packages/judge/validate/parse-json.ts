import { endOfText, positionAt, type SyntaxProblem } from '../../source/source.ts'
import { parseExactly } from '../../text/text.ts'

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | 'colon' | 'comma' | 'end'

const SPACE = /[ \t\r\n]*/y
const SPACE_OR_COMMENT = /(?:[ \t\r\n]|\/\/[^\n]*|\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\/)*/y
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y

/** Finds problems of JSON; `relaxed` accepts comments and trailing commas. Names may repeat. */
export const checkJson = (text: string, relaxed: boolean): readonly SyntaxProblem[] =>
  !relaxed && parseExactly(text) !== undefined ? [] : readJsonText(text, relaxed)

/** Reads a JSON text without recursion, so that no nesting can exhaust the stack. */
function readJsonText(text: string, relaxed: boolean): readonly SyntaxProblem[] {
  const open: number[] = []
  let expected: Expected = 'value'
  let at = 0
  const take = (expression: RegExp): boolean => {
    expression.lastIndex = at
    const found = expression.exec(text)
    at += found?.[0].length ?? 0
    return found !== null
  }
  const opener = () => text[open.at(-1) ?? -1]
  const behindValue = () => (open.length > 0 ? 'comma' : 'end')
  /** Takes a token and returns what may follow; `null` when the grammar has no such token here. */
  const step = (char: string): Expected | null => {
    const mayClose = expected === 'comma' || expected.includes(' or ')
    if (mayClose && char === closers[opener() ?? '']) {
      at += 1
      open.pop()
      return behindValue()
    }
    if (expected === 'colon' || expected === 'comma') {
      if (char !== { colon: ':', comma: ',' }[expected]) return null
      at += 1
      if (expected === 'colon') return 'value'
      if (opener() === '[') return relaxed ? 'value or ]' : 'value'
      return relaxed ? 'name or }' : 'name'
    }
    if (expected.startsWith('name')) return take(STRING) ? 'colon' : null
    if (expected === 'end') return null
    if (char === '{' || char === '[') {
      open.push(at)
      at += 1
      return char === '{' ? 'name or }' : 'value or ]'
    }
    return take(STRING) || take(SCALAR) ? behindValue() : null
  }
  for (;;) {
    take(relaxed ? SPACE_OR_COMMENT : SPACE)
    const char = text[at]
    if (char === undefined) return expected === 'end' ? [] : [ended(text, open.at(-1))]
    const next = step(char)
    if (next === null) {
      const message = complaint(text.slice(at, at + 20), expected, { opener: opener(), relaxed })
      return [{ message, ...positionAt(text, at) }]
    }
    expected = next
  }
}

const closers: Readonly<Record<string, string>> = { '{': '}', '[': ']' }

function ended(text: string, open: number | undefined): SyntaxProblem {
  const { line } = positionAt(text, open ?? 0)
  const message =
    open === undefined
      ? 'The file is empty; JSON needs a value.'
      : `Unexpected end of file: the \`${text[open]}\` opened at line ${line} is never closed.`
  return { message, ...endOfText(text) }
}

function complaint(
  rest: string,
  expected: Expected,
  { opener, relaxed }: { readonly opener: string | undefined; readonly relaxed: boolean },
): string {
  const isName = expected.startsWith('name')
  const isValue = expected.startsWith('value')
  if (rest.startsWith('"') && (isName || isValue))
    return 'This string is not closed on its line, or contains a bad escape.'
  if (/^\/[/*]/.test(rest))
    return relaxed ? 'This comment is never closed.' : 'JSON has no comments.'
  if (rest.startsWith("'")) return 'JSON strings need double quotes.'
  if (/^[}\]]/.test(rest) && (expected === 'name' || expected === 'value'))
    return `Expected another ${isName ? 'property' : 'value'} after the comma, found \`${rest[0]}\`.`
  const wanted = {
    ...{ end: 'the end of the file', colon: '`:` after the property name' },
    comma: `\`,\` or \`${closers[opener ?? '']}\``,
    name: 'a property name in double quotes',
    value: 'a value',
  }[isName ? 'name' : isValue ? 'value' : (expected as 'end' | 'colon' | 'comma')]
  const word = /^(?:[\w.+-]{1,20}|[\s\S])/u.exec(rest)?.[0] ?? ''
  return `Expected ${wanted}, found \`${word}\`.`
}
