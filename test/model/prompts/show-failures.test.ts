import { describe, expect, it } from 'vitest'
import type { TestFailure } from '../../../packages/judge/results/test-report.ts'
import { showFailures } from '../../../src/model/prompts/repair-test.ts'

const file = 'tests/test_sort.py'
const sources = new Map([
  [
    file,
    `def check(candidate):
    assert candidate([1, 5]) == [1, 5]
    assert candidate(
        [1, 5, 2],
    ) == [1, 2, 5]


def test_sort():
    check(sort_array)
`,
  ],
])

const failure: TestFailure = {
  ...{ test: 'test_sort', file, line: 9, errorType: 'AssertionError' },
  ...{ expected: '[1, 5]', actual: '[5, 1]', trace: [`${file}:2`, `${file}:9`] },
  message: 'AssertionError: assert [5, 1] == [1, 5]\n  \n  At index 0 diff: 5 != 1',
}

const shown = (facts: Partial<TestFailure>, texts: ReadonlyMap<string, string> = sources) =>
  showFailures([{ ...failure, ...facts }], texts)

describe('a failure in a test that is shown', () => {
  it('has the statement that fails, and each value once', () => {
    expect(shown({})).toBe(`FAILED test_sort (tests/test_sort.py:9)
assert candidate([1, 5]) == [1, 5]
AssertionError: assert [5, 1] == [1, 5]
expected: [1, 5]
actual: [5, 1]`)
  })

  it.each<[string, Partial<TestFailure>, string]>([
    [
      'the innermost frame in a test counts',
      { trace: ['src/sort.py:3', `${file}:2`], errorType: 'NameError', message: 'factorial' },
      'assert candidate([1, 5]) == [1, 5]\nNameError: factorial',
    ],
    [
      'a statement goes on to its closing bracket',
      { trace: [`${file}:3`] },
      'assert candidate(\n[1, 5, 2],\n) == [1, 2, 5]\n',
    ],
    ['without frames, its own line counts', { trace: [] }, 'check(sort_array)\nAssertionError'],
    ['an error without values is shown in full', { expected: null }, 'At index 0 diff'],
  ])('%s', (_, facts, part) => {
    expect(shown(facts)).toContain(part)
  })

  it.each<[string, Partial<TestFailure>]>([
    ['a line behind its end', { trace: [`${file}:99`], line: null }],
    ['a frame without a line', { trace: [file], line: null }],
    ['no file', { trace: [], file: null, line: null }],
  ])('has no statement for %s', (_, facts) => {
    expect(shown(facts)).not.toContain('candidate')
    expect(shown(facts)).toContain('AssertionError: assert [5, 1] == [1, 5]')
  })
})

it('a failure elsewhere has its frames, and its message in full', () => {
  const text = shown({}, new Map())
  expect(text).toContain('At index 0 diff')
  expect(text).toContain(`at ${file}:2, ${file}:9`)
  expect(text).not.toContain('AssertionError: AssertionError')
})
