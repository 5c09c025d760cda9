/** Tests with an assertion altered so that it must fail: what stays green then cannot fail at all. */
import {
  childNodes,
  descendants,
  isCall,
  isFunction,
  lineOf,
  nodeAt,
  nodesAt,
  readSyntax,
  type SyntaxNode,
  textAt,
} from '../../source/source.ts'
import { declaredInScript } from '../tampering/script-tests.ts'
import { alterPython } from './alter-python.ts'
import { type Alteration, alterScript, expectedOf, replaceRanges } from './altered-value.ts'
import type { Twin } from './twin.ts'
import { makeTypedTwin } from './typed-twins.ts'

interface Site extends Alteration {
  readonly line: number
  /** Everything before it in the test is an assertion, too. */
  readonly isBare: boolean
}

/** An equality that a test asserts. */
export type ExpectedValue = readonly [actual: SyntaxNode, expected: SyntaxNode]

interface TestSites {
  readonly title: string
  /** Where a mark is added to its name. */
  readonly nameEnd: number
  readonly sites: readonly Site[]
}

/** More assertions of one test are not tried. */
const mostTwins = 3
const longestText = 100_000

/**
 * Makes the twins of a test file: the first alters the first assertion of each test, the second the second. An equality
 * compares with another value; any other assertion is negated. Of a test without an assertion that
 * can be altered, there is no twin.
 *
 * @param mark an unguessable word of letters
 */
export async function makeTwins(
  path: string,
  text: string,
  mark: string,
): Promise<readonly Twin[]> {
  if (text.length > longestText) return []
  const typed = /\.(?:go|rs|java)$/.test(path) ? makeTypedTwin(path, text, mark) : null
  if (typed !== null) return [typed]
  if (!/\.(?:py|[cm]?[jt]sx?)$/.test(path)) return []
  const { tree, error } = await readSyntax(path, text)
  if (tree === null || error !== null) return []
  const tests = sitesIn(path, tree, text)
  const rounds = Math.min(mostTwins, Math.max(0, ...tests.map(({ sites }) => sites.length)))
  return Array.from({ length: rounds }, (_, round) => {
    const chosen = tests.flatMap(({ title, nameEnd, sites }, index) => {
      const site = sites[round]
      const own = `${mark}_${round}_${index}_`
      return site === undefined ? [] : [{ ...site, title, nameEnd, mark: own }]
    })
    const edits = chosen.flatMap(({ edits, nameEnd, mark }) => [
      ...edits,
      { start: nameEnd, end: nameEnd, text: `_${mark}` },
    ])
    const altered = chosen.map(({ mark, title, line }) => ({ mark, title, line }))
    return { text: replaceRanges(text, edits), altered }
  })
}

interface DeclaredTest {
  readonly title: string
  readonly nameEnd: number
  readonly body: SyntaxNode
}

/**
 * Finds what can be altered in a test: assertions that it reaches whenever it runs. One in a loop, a branch or a function
 * may not be reached, or be red thousands of times.
 */
function sitesOf(
  { title, nameEnd, body }: DeclaredTest,
  alter: (node: SyntaxNode) => Alteration | null,
): TestSites {
  const sites: Site[] = []
  let isBare = true
  const look = (node: SyntaxNode): void => {
    if (isFunction(node)) return
    const altered = alter(node)
    if (altered !== null) sites.push({ line: lineOf(node), isBare, ...altered })
    // An assertion in a block that must raise may not be reached.
    else for (const child of childNodes(node)) if (!isExpectedToRaise(node, child)) look(child)
  }
  for (const statement of body.type === 'BlockStatement' ? nodesAt(body, 'body') : [body]) {
    if (branches.test(statement.type) || hasSubtests(statement)) break
    const before = sites.length
    look(statement)
    isBare &&= sites.length > before
  }
  return { title, nameEnd, sites }
}

/** Statements that may end the test, or skip or repeat what they contain. */
const branches = /^(?:If|For\w*|While|DoWhile|Try|Switch|Match|Return|Throw|Raise)Statement$/

const isExpectedToRaise = (node: SyntaxNode, child: SyntaxNode): boolean =>
  node.type === 'WithStatement' &&
  child.type === 'BlockStatement' &&
  [...descendants(node, (each) => each !== child)].some((each) =>
    /raises|assertRaises|warns/i.test(
      textAt(nodeAt(each, 'property'), 'name') ?? textAt(each, 'name') ?? '',
    ),
  )

/** A failure in a subtest leaves its test green in some reports. */
const hasSubtests = (statement: SyntaxNode): boolean =>
  statement.type === 'WithStatement' &&
  [...descendants(statement, (node) => node.type !== 'BlockStatement')].some((node) =>
    /^sub_?tests?$/i.test(textAt(nodeAt(node, 'property'), 'name') ?? textAt(node, 'name') ?? ''),
  )

/** Tells which side is expected, of each equality that nothing but assertions precedes in its test. */
export const expectedValues = (
  path: string,
  tree: SyntaxNode,
  text: string,
): readonly ExpectedValue[] =>
  sitesIn(path, tree, text).flatMap(({ sites }) =>
    sites.flatMap(({ sides = [], isBare }) => {
      const expected = expectedOf(sides)
      const actual = sides.find((side) => side !== expected)
      return isBare && expected && actual ? [[actual, expected] as const] : []
    }),
  )

const sitesIn = (path: string, tree: SyntaxNode, text: string): readonly TestSites[] =>
  path.endsWith('.py') ? pythonSites(tree, text) : scriptSites(tree, text)

function pythonSites(tree: SyntaxNode, text: string): readonly TestSites[] {
  const textOf = ({ start, end }: SyntaxNode) => text.slice(start, end)
  // pytest and unittest collect no function inside of another.
  const outside = [...descendants(tree, (node) => !isFunction(node))]
  return outside.flatMap((node) => {
    const [id, body] = [nodeAt(node, 'id'), nodeAt(node, 'body')]
    const title = textAt(id, 'name') ?? ''
    const isTest = isFunction(node) && title.startsWith('test') && id !== null && body !== null
    const mayPass = nodesAt(node, 'decorators').some((each) =>
      /skip|xfail|expectedFailure/i.test(textOf(each)),
    )
    return isTest && !mayPass
      ? sitesOf({ title, nameEnd: id.end, body }, (each) => alterPython(each, textOf))
      : []
  })
}

function scriptSites(tree: SyntaxNode, text: string): readonly TestSites[] {
  const textOf = ({ start, end }: SyntaxNode) => text.slice(start, end)
  const declaredBy = (node: SyntaxNode) => (isCall(node) ? declaredInScript(node, text) : null)
  return [...descendants(tree)].flatMap((node) => {
    const found = declaredBy(node)
    const [body] = found?.bodies ?? []
    const inner = body && nodeAt(body, 'body')
    const name = nodesAt(node, 'arguments')[0]
    const isNamed = /^(?:String|Template)Literal$/.test(name?.type ?? '')
    if (found?.kind !== 'test' || found.state !== null || !inner || !name || !isNamed) return []
    const test = { title: found.title, nameEnd: name.end - 1, body: inner }
    return sitesOf(test, (each) => alterScript(each, textOf))
  })
}
