import { describe, expect, it } from 'vitest'
import { describeWeakened, mayRemoveTests, notAskedFor } from '../../run/guard-tests.ts'
import type { WeakenedTest } from '../../tampering/weakened-tests.ts'

const words = (title: string) => ({ title, details: '' })
const found = (more: Partial<WeakenedTest>): WeakenedTest => ({
  kind: 'deleted',
  path: 'test/export.test.ts',
  line: 3,
  what: 'was deleted',
  test: 'exports as XML',
  expected: null,
  ...more,
})
const expectation = (expected: string) => found({ kind: 'expectation', expected })

describe('a task asks for what happens to the tests', () => {
  it.each<[string, WeakenedTest, boolean]>([
    ['Remove the XML exporter', found({}), true],
    ['Remove the CSV importer', found({}), false],
    ['Delete the obsolete tests', found({}), true],
    ['Skip the slow tests on Windows', found({ kind: 'skipped' }), true],
    ['Export as JSON, too', found({}), false],
    ['Answer 404 for an unknown user', expectation('404'), true],
    ['Answer 4040 for an unknown user', expectation('404'), false],
    ['Add a parser', expectation('"a"'), false],
    ['Answer 7', expectation('7'), true],
    ['Say `Good evening`', expectation('"Good evening"'), true],
    ['Say good bye', expectation('"Good evening"'), false],
    ['Update the tests to the new format', expectation('7'), true],
    ['Fix test/export.test.ts', expectation('7'), true],
    ['Lower the coverage threshold', found({ kind: 'settings' }), true],
    ['Change the test script to vitest', found({ kind: 'settings' }), true],
    ['Round up', found({ kind: 'settings' }), false],
    ['Update the snapshots', found({ kind: 'snapshot' }), true],
    ['Round up', found({ kind: 'weakened' }), false],
  ])('%s: %o → %s', (title, weakened, isAsked) => {
    expect(notAskedFor([weakened], words(title))).toEqual(isAsked ? [] : [weakened])
  })

  it.each([
    ['Remove the XML exporter', true],
    ['Merge the tests of both parsers', true],
    ['Add a parser', false],
    ['Make the tests faster', false],
  ])('%s: tests may go is %s', (title, may) => {
    expect(mayRemoveTests(words(title))).toBe(may)
  })
})

it.each<[Partial<WeakenedTest>, string]>([
  [{}, 'tests weakened: exports as XML was deleted (test/export.test.ts:3)'],
  [
    { what: 'toBe(a, 1) became toBeTruthy(a)' },
    'tests weakened: exports as XML: toBe(a, 1) became toBeTruthy(a) (test/export.test.ts:3)',
  ],
  [
    { test: '', what: 'tests are excluded', path: 'jest.config.js' },
    'tests weakened: tests are excluded (jest.config.js:3)',
  ],
])('describes %o', (more, sentence) => {
  expect(describeWeakened(found(more))).toBe(sentence)
})
