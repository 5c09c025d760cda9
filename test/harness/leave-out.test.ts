import { expect, test } from 'vitest'
import { leaveOut } from '../../harness/replay/leave-out.ts'

const source = { path: 'lib/a.js', before: '1\n2\n3\n4\n5\n', after: 'one\n2\n3\n4\nfive\n' }
const tests = { path: 'test/a.test.js', before: 'x\n', after: 'y\n' }

test('one hunk of the source is left out, the tests stay', () => {
  const seeds = Array.from({ length: 20 }, (_, seed) => leaveOut([source, tests], seed))
  expect(new Set(seeds.map((files) => files?.[0]?.after))).toEqual(
    new Set(['one\n2\n3\n4\n5\n', '1\n2\n3\n4\nfive\n']),
  )
  expect(seeds.every((files) => files?.[1] === tests)).toBe(true)
  expect(leaveOut([source, tests], 7)).toEqual(leaveOut([source, tests], 7))
})

test('a file with one hunk, and a new one, is left out as a whole', () => {
  expect(leaveOut([{ ...source, after: '1\n2\n3\n4\n' }, tests], 1)).toEqual([tests])
  expect(leaveOut([{ ...source, before: null }, tests], 1)).toEqual([tests])
})

test('what holds tests itself stays', () => {
  const both = { path: 'src/a.rs', before: null, after: '#[test]\nfn a() {}\n' }
  expect(leaveOut([both, tests], 1)).toBeNull()
})
