import { readSyntax } from '../../../text/syntax/read-syntax.ts'
import type { Finding, FindNested } from '../finding.ts'
import { findInCode } from './find-in-code.ts'
import { findInScript } from './find-in-script.ts'
import type { Node } from './script-node.ts'

/** Destructive calls of a script; one that no parser accepts is read by its tokens. */
export async function findInScriptText(
  path: string,
  text: string,
  look: FindNested,
): Promise<readonly Finding[]> {
  const { tree, error } = await readSyntax(path, text)
  return tree === null || error !== null
    ? findInCode('javascript', text, look)
    : findInScript(tree as Node, text, look)
}
