import type { parser } from '@lezer/python'

/** The parser's tree and its nodes. */
export type Tree = ReturnType<typeof parser.parse>
export type SyntaxNode = Tree['topNode']
