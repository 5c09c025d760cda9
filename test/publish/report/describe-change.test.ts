import { describe, expect, it } from 'vitest'
import type { DestructiveDecision } from '../../../src/core/domain/run-state.ts'
import {
  summariseDestructive,
  writeDestructive,
} from '../../../src/publish/report/describe-change.ts'
import { anOperation } from '../../fakes/facts.ts'

const push = anOperation({ category: 'git', path: 'a.sh', line: 9, operation: 'git push -f' })

describe('destructive operations in a sentence', () => {
  it.each([
    [[anOperation()], '1 filesystem (scripts/clean.sh:3 `rm -rf "$DIR"`)'],
    [
      [anOperation(), push, anOperation({ line: 4 }), anOperation({ line: 5 })],
      '3 filesystem (scripts/clean.sh:3 `rm -rf "$DIR"`, scripts/clean.sh:4 `rm -rf "$DIR"` and 1 more), 1 git (a.sh:9 `git push -f`)',
    ],
    [[anOperation({ operation: '%x`rm`' })], '1 filesystem (scripts/clean.sh:3 `%x rm`)'],
  ])('%#', (operations, sentence) => {
    expect(summariseDestructive(operations)).toBe(sentence)
  })
})

describe('in the report', () => {
  const decided: DestructiveDecision = {
    taskId: 'T-1',
    operations: [anOperation(), push],
    decision: 'waiting',
    by: 'nobody',
    at: '2026-01-02T03:04:05.000Z',
    patch: '+rm -rf "$DIR"\n',
  }

  it('stands every operation, and the change that waits', () => {
    expect(writeDestructive([decided])).toBe(`## Destructive operations

| task | decision | category | where | operation | why |
|---|---|---|---|---|---|
| T-1 | waits for an answer | filesystem | \`scripts/clean.sh:3\` | \`rm -rf "$DIR"\` | It deletes folders with everything in them. |
| T-1 | waits for an answer | git | \`a.sh:9\` | \`git push -f\` | It deletes folders with everything in them. |

<details><summary>The change of T-1 that waits</summary>

\`\`\`diff
+rm -rf "$DIR"
\`\`\`

</details>`)
  })

  it('stands no change that was approved', () => {
    const text = writeDestructive([{ ...decided, decision: 'approved', by: 'ada' }])
    expect(text).toContain('approved by ada')
    expect(text).not.toContain('<details>')
  })

  it('stands nothing when there is nothing', () => {
    expect(writeDestructive([])).toBe('')
  })
})
