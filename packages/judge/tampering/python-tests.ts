import {
  childNodes,
  lineOf,
  nodeAt,
  nodesAt,
  type SyntaxNode,
  textAt,
} from '../../source/source.ts'
import {
  type Assertion,
  longestValue,
  normalise,
  splitValues,
  strengthOf,
  type TestFileOutline,
  type TestOutline,
} from './outline.ts'
import { type DeclaredTests, walkTests } from './walk-tests.ts'

type Found = Omit<Assertion, 'repeated' | 'line'>

/** Reads Python's tests and assertions by the conventions of pytest and unittest. */
export function pythonTests(tree: SyntaxNode, text: string): TestFileOutline {
  const textOf = ({ start, end }: SyntaxNode) => text.slice(start, end).trim()
  const isSkipped = childNodes(tree).some((node) => skipsModule.test(textOf(node)))
  return walkTests(
    tree,
    {
      declared(node, isInTest) {
        if (!/^(?:Class|Function)Declaration$/.test(node.type)) return null
        const found = declaredBy(node, nodesAt(node, 'decorators').map(textOf))
        const isTest = /^test/.test(found.title) && !isInTest
        return found.kind === 'suite' || isTest ? found : null
      },
      assertion(node) {
        const found = pythonAssertion(node, textOf)
        return found && { ...found, line: lineOf(node) }
      },
      isSkip: (node, isConditional) =>
        !isConditional && node.type === 'ExpressionStatement' && skips.test(textOf(node)),
      isLoop: (node) =>
        node.type === 'WithStatement' && /\bsub_?[tT]ests?\b/.test(textOf(node).slice(0, 80)),
    },
    isSkipped ? 'skipped' : 'runs',
  )
}

const skips = /^(?:pytest\.(?:skip|xfail)|self\.skipTest)\b/
const skipsModule =
  /^pytestmark\b[\s\S]*\.(?:skip|skipif|xfail)\b|^(?:pytest\.)?skip\([\s\S]*allow_module_level/

function declaredBy(node: SyntaxNode, decorators: readonly string[]): DeclaredTests {
  const body = nodeAt(node, 'body')
  return {
    kind: node.type === 'ClassDeclaration' ? 'suite' : 'test',
    title: textAt(nodeAt(node, 'id'), 'name') ?? '',
    state: stateOf(decorators),
    rows: rowsOf(decorators),
    bodies: body === null ? [] : [body],
    ...{ isOnly: false, line: lineOf(node) },
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

/** Reads `assert …`, `self.assertEqual(…)`, `pytest.raises(…)`, `mock.assert_called_with(…)`. */
function pythonAssertion(node: SyntaxNode, textOf: (node: SyntaxNode) => string): Found | null {
  if (node.type === 'AssertStatement') return readAssert(nodeAt(node, 'test'), textOf)
  const callee = node.type === 'CallExpression' ? nodeAt(node, 'callee') : null
  if (callee === null) return null
  const called = textOf(callee)
  const name = /(?:^|\.)(assert\w*|raises|warns|fail\w*|expect\w*)$/.exec(called.slice(-100))?.[1]
  if (name === undefined) return null
  const given = nodesAt(node, 'arguments').map((each) => normalise(textOf(each)))
  const values = given.filter((value) => !/^msg=/.test(value))
  const isMock = /^assert_/.test(name) && called.includes('.')
  const all = isMock ? [normalise(called.slice(0, -name.length - 1)), ...values] : values
  return { name, values: all, strength: strengthOf(name === 'raises' ? 'raisesEqual' : name, all) }
}

function readAssert(test: SyntaxNode | null, textOf: (node: SyntaxNode) => string): Found {
  let expression = test
  while (expression?.type === 'ParenthesizedExpression')
    expression = nodeAt(expression, 'expression')
  if (expression === null) return { name: 'assert', values: [], strength: 0 }
  const [left, right] = [nodeAt(expression, 'left'), nodeAt(expression, 'right')]
  const operator = textAt(expression, 'operator') ?? ''
  // `a == b and c == d` counts as a whole.
  if (!left || !right || !/^(?:is not|not in|[=!<>]=|[<>]|is|in)$/.test(operator)) {
    const values = [normalise(textOf(expression))]
    const shape = expression.type === 'CallExpression' ? 'callMatches' : 'assert'
    return { name: 'assert', values, strength: strengthOf(shape, values) }
  }
  const values = [left, right].map((each) => normalise(textOf(each)))
  const isFaint =
    (/^(?:is not|!=)$/.test(operator) && values[1] === 'None') ||
    (operator === '>=' && values[1] === '0')
  const strength = isFaint ? 1 : strengthOf(operator === 'is' ? '==' : operator, values)
  return { name: operator, values, strength }
}
