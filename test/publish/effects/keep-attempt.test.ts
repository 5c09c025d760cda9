import { expect, it, test } from 'vitest'
import { keepPatch, tellKept } from '../../../src/publish/effects/keep-attempt.ts'
import { anAttempt, fakePorts } from '../../fakes/facts.ts'
import { createMemoryStore } from '../../fakes/memory-store.ts'
import { aDraft, greeting } from '../../graph/nodes/bench.ts'

it('keeps what an attempt wrote, in fences that the text cannot close', async () => {
  const store = createMemoryStore()
  const failure = {
    at: 'failed' as const,
    message: 'It broke.',
    problems: [],
    failures: [],
    output: '',
  }
  const draft = aDraft({
    changes: [
      ...greeting,
      { action: 'modify', path: 'README.md', before: '', content: '```\ncode\n```\n# not ours\n' },
      { action: 'delete', path: 'old.js', before: 'x' },
    ],
  })
  const kept = await keepPatch(anAttempt({ draft, failure }), fakePorts({ store }))
  expect(kept).toBe('/memory/attempts/T-1.md')
  expect(store.reports.get('attempts/T-1.md')).toBe(`# T-1: Add a greeting

It broke.

## create src/greet.js
\`\`\`
export const greet = () => 'hello'
\`\`\`

## modify README.md
\`\`\`\`
\`\`\`
code
\`\`\`
# not ours
\`\`\`\`

## delete old.js

`)
})

it.each([null, aDraft({ changes: [] })])('keeps nothing of nothing', async (draft) => {
  const store = createMemoryStore()
  expect(await keepPatch(anAttempt({ draft }), fakePorts({ store }))).toBeNull()
  expect(store.reports.size).toBe(0)
})

test.each([
  ['It broke', 'It broke. The attempt is saved in /memory/attempts/T-1.md.'],
  ['It broke.', 'It broke. The attempt is saved in /memory/attempts/T-1.md.'],
])('is told behind "%s" in a sentence of its own', async (reason, expected) => {
  const ports = fakePorts({ store: createMemoryStore() })
  const attempt = anAttempt({ draft: aDraft({ changes: [...greeting] }) })
  expect(await tellKept(reason, attempt, ports)).toBe(expected)
})
