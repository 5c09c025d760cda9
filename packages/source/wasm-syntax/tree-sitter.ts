import { Language, type Node, Parser, type Tree } from 'web-tree-sitter'
import { endOfText } from '../code/positions.ts'
import type { SyntaxProblem } from '../syntax-checker.ts'
import { wasmPath } from './files.ts'
import { strictRules } from './strict-rules.ts'

type Grammar = 'c' | 'cpp' | 'csharp' | 'go' | 'java' | 'kotlin' | 'php' | 'rust' | 'swift'

const MOST_PROBLEMS = 10
/** Maximum characters quoted from the text. */
const LONGEST_QUOTE = 40

const ready = Parser.init({ locateFile: () => wasmPath('treeSitter') })
const parsers = new Map<Grammar, Promise<Parser>>()

/** Finds what a grammar cannot parse. Several problems may stem from one mistake. */
export const parseWithGrammar = (
  grammar: Grammar,
  text: string,
): Promise<readonly SyntaxProblem[]> =>
  withTree(grammar, text, (tree) => (tree.rootNode.hasError ? findProblems(tree, text) : []))

/** Finds what the grammar accepts but the language forbids; nothing if the text does not parse. */
export function findForbidden(grammar: Grammar, text: string): Promise<readonly SyntaxProblem[]> {
  return withTree(grammar, text, ({ rootNode }) =>
    rootNode.hasError
      ? []
      : (strictRules[grammar] ?? [])
          .flatMap(({ kinds, whyWrong }) =>
            rootNode.descendantsOfType([...kinds]).flatMap((node) => {
              const message = node && whyWrong(node)
              return node && message ? [{ message, ...placeOf(node) }] : []
            }),
          )
          .slice(0, MOST_PROBLEMS),
  )
}

async function withTree<T>(grammar: Grammar, text: string, use: (tree: Tree) => T): Promise<T> {
  const parser = await load(grammar)
  const tree = parser.parse(text)
  if (!tree) throw new Error('the grammar gave no tree')
  try {
    return use(tree)
  } finally {
    tree.delete()
  }
}

const placeOf = ({ startPosition: { row, column } }: Node) => ({
  line: row + 1,
  column: column + 1,
})

function load(grammar: Grammar): Promise<Parser> {
  const known = parsers.get(grammar)
  if (known) return known
  const loaded = ready.then(async () => {
    const language = await Language.load(wasmPath(grammar))
    return new Parser().setLanguage(language)
  })
  parsers.set(grammar, loaded)
  return loaded
}

function findProblems(tree: Tree, text: string): readonly SyntaxProblem[] {
  const problems: SyntaxProblem[] = []
  const waiting: Node[] = [tree.rootNode]
  let deepest: Node = tree.rootNode
  for (let node = waiting.pop(); node && problems.length < MOST_PROBLEMS; node = waiting.pop()) {
    deepest = node
    if (node.isMissing) problems.push(missing(node))
    else if (node.isError && !within(node)) problems.push(unexpected(node, text))
    else waiting.push(...children(node).reverse())
  }
  // `hasError` can be true without a reachable error node.
  return problems.length > 0 ? problems : [unexpected(deepest, text)]
}

/** Children that contain a mistake. */
const children = (node: Node): Node[] =>
  node.children.filter((child) => child.hasError || child.isError || child.isMissing)

/** An error that spans lines says nothing if a smaller one is inside it. */
const within = (node: Node): boolean =>
  node.startPosition.row !== node.endPosition.row && children(node).length > 0

function missing(node: Node): SyntaxProblem {
  const wanted = /\w/.test(node.type) ? node.type.replaceAll('_', ' ') : `\`${node.type}\``
  return { message: `missing ${wanted}`, ...placeOf(node) }
}

function unexpected(node: Node, text: string): SyntaxProblem {
  // An unfinished block is one error from its start; the missing part is at the end.
  const open =
    node.endPosition.row > node.startPosition.row && node.endIndex >= text.trimEnd().length
  if (open) return { message: 'unexpected end of the file', ...endOfText(text) }
  const [first = ''] = text.slice(node.startIndex, node.endIndex).trim().split('\n', 1)
  const quoted = first.length > LONGEST_QUOTE ? `${first.slice(0, LONGEST_QUOTE)}…` : first
  const message = quoted === '' ? 'something is missing here' : `unexpected \`${quoted}\``
  return { message, ...placeOf(node) }
}
