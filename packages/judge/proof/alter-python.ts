import { nodeAt, nodesAt, type SyntaxNode, textAt } from '../../source/source.ts'
import {
  type Alteration,
  alterEquality,
  alterEqualityCall,
  type Dialect,
  only,
  opposites,
  otherValue,
  put,
  type TextOf,
} from './altered-value.ts'

const pythonOpposites = opposites([
  ['assertTrue', 'assertFalse'],
  ['assertIn', 'assertNotIn'],
  ['assertIs', 'assertIsNot'],
  ['assertIsNone', 'assertIsNotNone'],
  ['assertIsInstance', 'assertNotIsInstance'],
  ['assertGreater', 'assertLessEqual'],
  ['assertLess', 'assertGreaterEqual'],
  ['assertRegex', 'assertNotRegex'],
])

const pythonValues: Dialect = {
  ...{ sentinel: 'object()', not: 'not ' },
  longer: (list) => (list.startsWith('[') ? `(${list} + [object()])` : 'object()'),
}

/** Alters `assert a == 1`, `self.assertEqual(a, 1)`, `pytest.raises(…)`; `null` for what asserts nothing that it knows. */
export function alterPython(node: SyntaxNode, textOf: TextOf): Alteration | null {
  if (node.type === 'AssertStatement') return alterAssert(nodeAt(node, 'test'), textOf)
  const callee = node.type === 'CallExpression' ? nodeAt(node, 'callee') : null
  if (callee === null) return null
  const called = textOf(callee)
  const given = nodesAt(node, 'arguments')
  const [, name = ''] = /(?:^|\.)(\w+)$/.exec(called) ?? []
  const [first] = given
  if (/^(?:pytest\.raises|self\.assertRaises(?:Regex)?)$/.test(called) && first !== undefined) {
    return only(put(first, 'type("Twin", (Exception,), {})'))
  }
  if (!/^self\.assert\w+$/.test(called)) return null
  const equality = name === 'assertTrue' ? alterEqualityCall(first, textOf, pythonValues) : null
  if (equality !== null) return equality
  const other = pythonOpposites.get(name)
  if (other !== undefined)
    return only({ start: callee.end - name.length, end: callee.end, text: other })
  if (!/^assert\w*Equals?$/.test(name) || /Not/.test(name)) return null
  // A value that is almost equal may be so to a neighbour, too.
  const isExact = !/Almost/.test(name)
  const altered = alterEquality(given.slice(0, 2), (expected) =>
    isExact ? otherValue(expected, textOf, pythonValues) : put(expected, pythonValues.sentinel),
  )
  const isPlain = /^assert(?:List|Dict|Tuple|Set|MultiLine)?Equals?$/.test(name)
  return isPlain ? altered : altered && { edits: altered.edits }
}

function alterAssert(test: SyntaxNode | null, textOf: TextOf): Alteration | null {
  if (test === null) return null
  if (test.type === 'ParenthesizedExpression')
    return alterAssert(nodeAt(test, 'expression'), textOf)
  // `assert (a == 1, "why")` cannot fail: its twin stays as it is, and green.
  if (
    test.type === 'ArrayExpression' &&
    nodesAt(test, 'elements').some(({ type }) => !/Spread|Star/.test(type))
  )
    return { edits: [] }
  const [left, right] = [nodeAt(test, 'left'), nodeAt(test, 'right')]
  if (textAt(test, 'operator') === '==' && left !== null && right !== null) {
    return alterEquality([left, right], (each) => otherValue(each, textOf, pythonValues))
  }
  return alterEqualityCall(test, textOf, pythonValues) ?? only(put(test, `not (${textOf(test)})`))
}
