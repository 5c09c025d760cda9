import { edges } from './edges.ts'

/** Draws the edge table as a mermaid flowchart; docs/graph.md holds the result. */
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
