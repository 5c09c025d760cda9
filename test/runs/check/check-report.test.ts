import { expect, it } from 'vitest'
import { nameOfBase, nameOfChange } from '../../../src/runs/check/check-report.ts'

const sha = '42babe08c7'.repeat(4)
const other = '0123456789'.repeat(4)

it.each([
  ['main', sha, 'main (42babe08c7)'],
  [sha, sha, '42babe08c7'],
  ['42babe0', sha, '42babe08c7'],
  ['42', sha, '42 (42babe08c7)'],
  [other, sha, '0123456789 (42babe08c7)'],
  ['a'.repeat(64), 'a'.repeat(64), 'aaaaaaaaaa'],
])('names the base %s at %s as %s', (name, commit, said) => {
  expect(nameOfBase({ name, sha: commit })).toBe(said)
})

it.each([
  ['-', 'standard input'],
  ['feature', 'feature'],
  [sha, '42babe08c7'],
  ['fixes/deadbeef', 'fixes/deadbeef'],
  [`${sha}...${other}`, '42babe08c7...0123456789'],
  [`main..${other}`, 'main..0123456789'],
  [`${sha}.patch`, `${sha}.patch`],
])('names the change %s as %s', (change, said) => {
  expect(nameOfChange(change)).toBe(said)
})
