import type { parser } from '@lezer/python'

/** The parser's tree and its nodes. */
export type PythonTree = ReturnType<typeof parser.parse>
export type LezerPythonNode = PythonTree['topNode']
