/** The packages below src/, from the top down: each may import the doors of those below it. */
export const packages = {
  judge: ['change', 'diagnosis', 'sandbox', 'source', 'text'],
  roadmap: ['task', 'text'],
  task: ['text'],
  change: ['text'],
  sandbox: ['files', 'text'],
  diagnosis: ['text'],
  source: ['text'],
  files: ['text'],
  text: [],
} as const satisfies Readonly<Record<string, readonly string[]>>

export const packageNames: readonly string[] = Object.keys(packages)
