import type { parser } from '@lezer/python'
import { lineCounter } from '../../text/source/positions.ts'
import {
  type Assertion,
  longestValue,
  normalise,
  splitValues,
  strengthOf,
  type TestFileOutline,
  type TestOutline,
} from './outline.ts'
import { type DeclaredTests, type TestSyntax, walkTests } from './walk-tests.ts'

type PythonNode = ReturnType<typeof parser.parse>['topNode']

/** The parser does not know a list of names in brackets here. */
const bracketedTarget = /\bas \([\w, *]{1,200}\)(?=\s*[:,)])/g

/**
 * Tests and assertions of Python, by pytest's and unittest's conventions; `null` where the parser
 * lost its way, since what follows would be misread.
 */
export async function readPython(text: string): Promise<TestFileOutline | null> {
  const top = await readPythonTree(text)
  if (top === null) return null
  const isSkipped = childrenOf(top).some((node) => isModuleSkip(node, textOf(node, text)))
  return walkTests(top, pythonSyntax(text), isSkipped ? 'skipped' : 'runs')
}

/** The syntax tree of Python, at the places of the text; `null` where the parser lost its way. */
export async function readPythonTree(text: string): Promise<PythonNode | null> {
  const { parser } = await import('@lezer/python')
  const known = text.replace(bracketedTarget, (found) => `as ${'_'.repeat(found.length - 3)}`)
  const { topNode } = parser.parse(known)
  let hasErrors = false
  topNode.cursor().iterate((node) => {
    hasErrors ||= node.type.isError
    return !hasErrors
  })
  return hasErrors ? null : topNode
}

const isModuleSkip = ({ name }: PythonNode, text: string): boolean =>
  (/^(?:Assign|Expression)Statement$/.test(name) &&
    /^pytestmark\b[\s\S]*\.(?:skip|skipif|xfail)\b/.test(text)) ||
  /^(?:pytest\.)?skip\([\s\S]*allow_module_level/.test(text)

function pythonSyntax(text: string): TestSyntax<PythonNode> {
  const lineAt = lineCounter(text)
  const said = (node: PythonNode) => textOf(node, text)
  return {
    childrenOf(node) {
      if (/Definition$/.test(node.name)) return bodyOf(node)
      const children = childrenOf(node)
      return node.name === 'DecoratedStatement'
        ? children.filter(({ name }) => /Definition$/.test(name))
        : children
    },
    declared(node, isInTest) {
      if (!/^(?:Class|Function)Definition$/.test(node.name)) return null
      const found = declaredBy(node, text)
      const isTest = /^test/.test(found.title) && !isInTest
      return found.kind === 'suite' || isTest ? { ...found, line: lineAt(node.from) } : null
    },
    assertion(node) {
      const found = pythonAssertion(node, text)
      return found && { ...found, line: lineAt(node.from) }
    },
    functionsIn: () => [],
    isSkip: (node) =>
      node.name === 'ExpressionStatement' &&
      !isConditional(node) &&
      /^(?:pytest\.(?:skip|xfail)|self\.skipTest|raise (?:unittest\.)?SkipTest)\b/.test(said(node)),
    isLoop: (node) =>
      /^(?:For|While)Statement$/.test(node.name) ||
      (node.name === 'WithStatement' && /\bsub_?[tT]ests?\b/.test(said(node).slice(0, 80))),
    isSwallowed: (node) =>
      /^(?:Try|If)Statement$/.test(node.name) &&
      /\bexcept\b[^\n:]*:\s*(?:pass|\.\.\.)\s*$|^if (?:False|0)\b/.test(said(node)),
    isNever: () => false,
    isReturn: (child, parent) => child.name === 'ReturnStatement' && parent.name === 'Body',
  }
}

const textOf = ({ from, to }: PythonNode, text: string): string => text.slice(from, to).trim()

function childrenOf(node: PythonNode): readonly PythonNode[] {
  const children: PythonNode[] = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child)
  return children
}

const bodyOf = (node: PythonNode): readonly PythonNode[] => node.getChildren('Body')

/** In an `if`, whether it is reached is unknown. */
const isConditional = (node: PythonNode): boolean =>
  /^(?:If|For|While|Try|Match)Statement$|^MatchClause$/.test(node.parent?.parent?.name ?? '')

function declaredBy(node: PythonNode, text: string): Omit<DeclaredTests<PythonNode>, 'line'> {
  const name = node.getChild('VariableName')
  const bodies = bodyOf(node)
  const statements = bodies
    .flatMap(childrenOf)
    .filter((each) => /Statement$|Definition$/.test(each.name))
  const size = statements.filter(
    (each) => !/^(?:pass|\.\.\.|"""[\s\S]*|'''[\s\S]*)$/.test(textOf(each, text)),
  ).length
  const decorators = node.parent?.name === 'DecoratedStatement' ? node.parent : null
  const given = (decorators?.getChildren('Decorator') ?? []).map((each) => textOf(each, text))
  return {
    kind: node.name === 'ClassDefinition' ? 'suite' : 'test',
    title: name === null ? '' : textOf(name, text),
    ...{ state: stateOf(given), isOnly: false, rows: rowsOf(given), bodies, size },
  }
}

function stateOf(decorators: readonly string[]): TestOutline['state'] | null {
  const names = decorators.map((each) => normalise(each).replace(/\(.*$/, ''))
  if (names.some((name) => /\b(?:skip|skipIf|skipUnless|skipif|SkipTest|ignore)$/.test(name)))
    return 'skipped'
  return names.some((name) => /\b(?:xfail|expectedFailure)$/.test(name)) ? 'may fail' : null
}

function rowsOf(decorators: readonly string[]): number | null {
  let rows: number | null = 1
  for (const each of decorators) {
    if (!/parametri[sz]e|parameterized|\b(?:given|ddt|data)\b/.test(each)) continue
    const list = /^@[\w.]*parametrize\s*\(([\s\S]*)\)$/.exec(each.replace(/#[^\n]*/g, ''))?.[1]
    const table = list === undefined ? undefined : splitValues(list)[1]
    const isList = table !== undefined && /^[[(]/.test(table) && table.length < longestValue
    if (rows === null || !isList) return null
    rows *= splitValues(table.slice(1, -1)).length
  }
  return rows
}

type Found = Omit<Assertion, 'repeated' | 'line'>

/** `assert …`, `self.assertEqual(…)`, `pytest.raises(…)`, `mock.assert_called_with(…)`; `null` for any other. */
function pythonAssertion(node: PythonNode, text: string): Found | null {
  if (node.name === 'AssertStatement') return readAssert(node, text)
  if (node.name !== 'CallExpression') return null
  const list = node.getChild('ArgList')
  const callee = node.firstChild
  if (list === null || callee === null) return null
  const called = text.slice(callee.from, callee.to)
  const name = /(?:^|\.)(assert\w*|raises|warns|fail\w*|expect\w*)$/.exec(called.slice(-100))?.[1]
  if (name === undefined) return null
  const values = splitValues(text.slice(list.from + 1, list.to - 1)).filter(
    (value) => !/^msg=/.test(value),
  )
  const isMock = /^assert_/.test(name) && called.includes('.')
  const all = isMock ? [normalise(called.slice(0, -name.length - 1)), ...values] : values
  return { name, values: all, strength: strengthOf(name === 'raises' ? 'raisesEqual' : name, all) }
}

function readAssert(node: PythonNode, text: string): Found {
  let expression = node.firstChild?.nextSibling ?? null
  while (expression?.name === 'ParenthesizedExpression') {
    expression = expression.firstChild?.nextSibling ?? null
  }
  if (expression === null) return { name: 'assert', values: [], strength: 0 }
  const { firstChild: left, lastChild: right } = expression
  const isCompared = expression.name === 'BinaryExpression' && left !== null && right !== null
  const operator = isCompared ? normalise(text.slice(left.to, right.from)) : ''
  // Of `a == b and c == d` the whole counts.
  if (!isCompared || !/^(?:is not|not in|[=!<>]=|[<>]|is|in)$/.test(operator)) {
    const values = [normalise(textOf(expression, text))]
    const shape = expression.name === 'CallExpression' ? 'callMatches' : 'assert'
    return { name: 'assert', values, strength: strengthOf(shape, values) }
  }
  const values = [left, right].map((each) => normalise(text.slice(each.from, each.to)))
  const isFaint =
    (/^(?:is not|!=)$/.test(operator) && values[1] === 'None') ||
    (operator === '>=' && values[1] === '0')
  const strength = isFaint ? 1 : strengthOf(operator === 'is' ? '==' : operator, values)
  return { name: operator, values, strength }
}
