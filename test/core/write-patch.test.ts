import { describe, expect, it } from 'vitest'
import type { ChangeSet } from '../../packages/change/change-set.ts'
import { writePatch } from '../../src/core/write-patch.ts'

const changes: ChangeSet = [
  { action: 'create', path: 'a.sh', content: 'one\n' },
  { action: 'modify', path: 'b.sh', before: 'one\ntwo\n', content: 'one\nthree\n' },
  { action: 'delete', path: 'c.sh', before: 'one\n' },
]

describe('a change set as a diff', () => {
  it('has every file', () => {
    expect(writePatch(changes, 10_000)).toBe(`--- /dev/null
+++ b/a.sh
@@ -0,0 +1,1 @@
+one
--- a/b.sh
+++ b/b.sh
@@ -1,2 +1,2 @@
 one
-two
+three
--- a/c.sh
+++ /dev/null
@@ -1,1 +0,0 @@
-one
`)
  })

  it('is cut, and says so', () => {
    const long = { action: 'create', path: 'a.sh', content: 'line\n'.repeat(2_000) } as const
    const text = writePatch([long], 1_000)
    expect(text.length).toBeLessThanOrEqual(1_000)
    expect(text).toMatch(/^--- \/dev\/null\n\+\+\+ b\/a\.sh\n/)
  })

  it('shows a file that differs all over as it will be', () => {
    const lines = (word: string) =>
      Array.from({ length: 2_000 }, (_, n) => `${word}${n}\n`).join('')
    const rewritten = {
      action: 'modify',
      path: 'a.sh',
      before: lines('a'),
      content: lines('b'),
    } as const
    expect(writePatch([rewritten], 1_000_000)).toContain('+b1999')
  })
})
