import type { TriedTask } from './plan-task.ts'

/** The tasks and what they wait for, as a mermaid flow chart. */
export function writeMermaid(tasks: readonly TriedTask[]): string {
  const names = new Map(tasks.map(({ id }, at) => [id, `t${at + 1}`]))
  const nodes = tasks.map(
    (task) =>
      `  ${names.get(task.id)}["${escaped(`${task.id}: ${task.title}`)}"]:::${styleOf(task)}`,
  )
  const edges = tasks.flatMap(({ id, dependsOn }) =>
    dependsOn.flatMap((other) =>
      names.has(other) ? [`  ${names.get(other)} --> ${names.get(id)}`] : [],
    ),
  )
  return ['flowchart TD', ...nodes, ...edges, ...styles].join('\n')
}

/** A task that was tried and is not merged: done on its branch, or not. */
const styleOf = ({ status, verdict }: TriedTask): string =>
  verdict === undefined
    ? status
    : /^(?:done|in_review|unverified)$/.test(verdict)
      ? 'in_progress'
      : 'blocked'

const styles = [
  '  classDef pending fill:#fff,stroke:#57606a,color:#24292f',
  '  classDef in_progress fill:#ddf4ff,stroke:#0969da,color:#24292f',
  '  classDef done fill:#dafbe1,stroke:#1a7f37,color:#24292f',
  '  classDef cancelled fill:#f6f8fa,stroke:#8c959f,color:#57606a',
  '  classDef blocked fill:#ffebe9,stroke:#cf222e,color:#24292f',
]

const longest = 120

/** Each character that mermaid or HTML could read as more than itself becomes an entity. */
const escaped = (text: string): string =>
  [...text.replaceAll(/\s+/g, ' ').slice(0, longest)]
    .map((sign) => (/[\p{L}\p{N} .,:;!?()/'+=_-]/u.test(sign) ? sign : `#${sign.codePointAt(0)};`))
    .join('')
