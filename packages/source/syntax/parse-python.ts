import { parser } from '@lezer/python'
import { type LezerNode, PythonTree } from './python-tree.ts'
import type { Syntax } from './syntax-node.ts'

/** Brackets nested deeper are no code, and the parser's tree grows with every one. */
const MOST_BRACKETS = 300
/** The parser does not support a list of names in brackets here. */
const bracketedTarget = /\bas \([\w, *]{1,200}\)(?=\s*[:,)])/g

/**
 * Parses Python into Babel's nodes, see `PythonTree`. A text with mistakes also has a tree, which
 * may be wrong near them.
 */
export function parsePythonText(text: string): Syntax {
  if (bracketDepth(text) > MOST_BRACKETS) return tooDeep
  const known = text.replace(bracketedTarget, (found) => `as ${'_'.repeat(found.length - 3)}`)
  try {
    const { topNode } = parser.parse(known)
    return {
      tree: new PythonTree(text).convert(topNode),
      error: hasErrors(topNode) ? new SyntaxError('This is not Python.') : null,
    }
  } catch (error) {
    // The parser's own tables break before the stack does.
    if (error instanceof RangeError || error instanceof TypeError) return tooDeep
    throw error
  }
}

const tooDeep: Syntax = { tree: null, error: new RangeError('Brackets are nested too deeply.') }

function bracketDepth(text: string): number {
  let depth = 0
  let deepest = 0
  for (const [bracket] of text.matchAll(/[([{}\])]/g)) {
    depth = Math.max(0, depth + (/[([{]/.test(bracket) ? 1 : -1))
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

function hasErrors(top: LezerNode): boolean {
  let found = false
  top.cursor().iterate((node) => {
    found ||= node.type.isError
    return !found
  })
  return found
}
