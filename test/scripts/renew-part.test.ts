import { expect, test } from 'vitest'
import { renewPart } from '../../scripts/renew-part.ts'

test('only what is between the markers changes, and it can be renewed again', () => {
  const document = 'before\n<!-- generated: bench -->\nold\n<!-- end: bench -->\nafter $& $1\n'
  const renewed = renewPart(document, 'bench', '| new $& |')
  expect(renewed).toBe(
    'before\n<!-- generated: bench -->\n| new $& |\n<!-- end: bench -->\nafter $& $1\n',
  )
  expect(renewPart(renewed ?? '', 'bench', 'old')).toBe(document)
})

test.each([
  ['no markers', '# Bench\n'],
  ['only the end', '# Bench\n<!-- end: bench -->'],
  ['only the start', '<!-- generated: bench -->\n'],
  ['those of another part', '<!-- generated: other -->\n<!-- end: other -->'],
])('a document with %s is left alone', (_, document) => {
  expect(renewPart(document, 'bench', 'table')).toBeNull()
})
