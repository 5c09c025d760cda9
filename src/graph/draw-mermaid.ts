import { edges } from './edges.ts'

/** The edge table as a mermaid flowchart; the picture in docs/graph.md is this text. */
export function drawMermaid(): string {
  const lines = ['flowchart TD']
  for (const [node, row] of Object.entries(edges)) {
    const byTarget = new Map<string, string[]>()
    for (const [outcome, target] of Object.entries(row)) {
      byTarget.set(target, [...(byTarget.get(target) ?? []), outcome])
    }
    for (const [target, outcomes] of byTarget) {
      lines.push(`  ${node} -->|${outcomes.join(', ')}| ${target}`)
    }
  }
  return `${lines.join('\n')}\n`
}
