import type { parser } from '@lezer/python'
import { type Assertion, normalise, strengthOf } from './outline.ts'
import { splitValues } from './split-values.ts'

export type PythonNode = ReturnType<typeof parser.parse>['topNode']

type Found = Omit<Assertion, 'repeated' | 'line'>

const comparison = ['is not', 'not in', '==', '!=', '<=', '>=', '<', '>', 'is', 'in'] as const

/** `assert …`, `self.assertEqual(…)`, `pytest.raises(…)`, `mock.assert_called_with(…)`; `null` for any other. */
export function pythonAssertion(node: PythonNode, text: string): Found | null {
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
  const subject =
    /^assert_/.test(name) && called.includes('.')
      ? [normalise(called.slice(0, -name.length - 1))]
      : []
  const all = [...subject, ...values]
  return { name, values: all, strength: strengthOf(name === 'raises' ? 'raisesEqual' : name, all) }
}

function readAssert(node: PythonNode, text: string): Found {
  let expression = node.firstChild?.nextSibling ?? null
  while (expression?.name === 'ParenthesizedExpression') {
    expression = expression.firstChild?.nextSibling ?? null
  }
  if (expression === null) return { name: 'assert', values: [], strength: 0 }
  const whole = normalise(text.slice(expression.from, expression.to))
  const found = expression.name === 'BinaryExpression' ? operatorOf(expression, text) : null
  if (found === null) {
    const isCall = expression.name === 'CallExpression'
    return {
      name: 'assert',
      values: [whole],
      strength: strengthOf(isCall ? 'callMatches' : 'assert', [whole]),
    }
  }
  const { name, left, right } = found
  const values = [normalise(left), normalise(right)]
  if ((name === 'is not' || name === '!=') && values[1] === 'None')
    return { name, values, strength: 1 }
  const isBound = name === '>=' && values[1] === '0'
  return { name, values, strength: isBound ? 1 : strengthOf(name === 'is' ? '==' : name, values) }
}

/** The comparison itself; of `a == b and c == d` there is none, and the whole counts. */
function operatorOf(node: PythonNode, text: string) {
  const left = node.firstChild
  const right = node.lastChild
  if (left === null || right === null) return null
  const name = normalise(text.slice(left.to, right.from))
  const known = comparison.find((each) => each === name)
  if (known === undefined) return null
  return {
    name: known,
    left: text.slice(left.from, left.to),
    right: text.slice(right.from, right.to),
  }
}
