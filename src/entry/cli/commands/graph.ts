import { drawMermaid } from '../../../graph/draw-mermaid.ts'
import type { Terminal } from '../terminal.ts'

/** `executor graph`: the edge table as mermaid, which GitHub and most editors draw. */
export async function graph(terminal: Terminal): Promise<number> {
  terminal.print(drawMermaid())
  return 0
}
