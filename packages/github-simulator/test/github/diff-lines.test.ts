import { describe, expect, it, test } from 'vitest'
import { followLine, readDiffLines } from '../../github/diff-lines.ts'

describe('lines of a diff', () => {
  it('have a place in the old file, the new file, or both', () => {
    const patch = [
      '@@ -1,3 +1,3 @@',
      ' one',
      '-two',
      '+TWO',
      ' three',
      '@@ -9 +9,2 @@ more',
      ' nine',
      '+ten',
      '\\ No newline at end of file',
    ].join('\n')
    const lines = readDiffLines(patch)
    expect(lines.map(({ LEFT, RIGHT, position }) => [LEFT, RIGHT, position])).toEqual([
      [1, 1, 1],
      [2, null, 2],
      [null, 2, 3],
      [3, 3, 4],
      [9, 9, 6],
      [null, 10, 7],
    ])
    expect(lines[2]?.hunk).toBe('@@ -1,3 +1,3 @@\n one\n-two\n+TWO')
  })

  test.for([
    ['an empty patch', '', 5, 5],
    ['lines before it added', '@@ -2,0 +3,2 @@\n+a\n+b', 3, 5],
    ['lines after it added', '@@ -2,0 +3,2 @@\n+a\n+b', 2, 2],
    ['lines before it removed', '@@ -1,2 +0,0 @@\n-a\n-b', 3, 1],
    ['itself changed', '@@ -3 +3 @@\n-a\n+b', 3, null],
    ['its neighbours changed', '@@ -2 +2 @@\n-a\n+b\n@@ -4 +4,2 @@\n-c\n+d\n+e', 3, 3],
    ['the last of a changed range', '@@ -2,2 +2 @@\n-a\n-b\n+c', 3, null],
    ['behind a shortened range', '@@ -2,2 +2 @@\n-a\n-b\n+c', 4, 3],
  ] as const)('are followed over %s', ([, patch, line, expected]) => {
    expect(followLine(patch, line)).toBe(expected)
  })
})
