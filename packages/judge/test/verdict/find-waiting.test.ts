import { describe, expect, it } from 'vitest'
import { aTask } from '../../../../test/fakes/facts.ts'
import { failureSaying } from '../../compare/read-outcome.ts'
import { findWaiting } from '../../verdict/find-waiting.ts'

const rust = [
  ...['pub fn flip_case(a: &str) -> String {', '    todo!()', '}', ''],
  ...['pub fn flip_title(a: &str) -> String {', '    todo!()', '}', ''],
  ...['#[cfg(test)]', 'mod tests {', '    #[test]', '    fn works() {', '    }', '}', ''],
].join('\n')
const tree = {
  paths: ['problems/strings.py', 'problems/lists.py', 'tests/test_all.py', 'src/lib.rs'],
  read: async (paths: readonly string[]) =>
    new Map(paths.map((path) => [path, path === 'src/lib.rs' ? rust : ''] as const)),
}
const flip = aTask({ id: 'T-1', title: 'Implement `flip_case` in `problems/strings.py`' })
const incr = aTask({ id: 'T-2', title: 'Implement `incr_list` in `problems/lists.py`' })
const title = aTask({ id: 'T-3', title: 'Implement `flip_title` in `problems/strings.py`' })

describe('findWaiting', () => {
  it.each([
    ['names the function of another task', 'test_incr_list', true],
    ['names it with parameters', 'test_incr_list[2]', true],
    ['names another function of the same file', 'test_flip_title', true],
    ['names it in a sentence', 'lists > incr_list adds one', true],
    ['names the file of another task', 'TestAll > test_lists', true],
    ['names its own function, too', 'test_flip_case_after_incr_list', false],
    ['names its own function', 'test_flip_case', false],
    ['names neither', 'test_all', false],
    ['only contains the name', 'test_incr_listed', false],
  ])('leaves a test to another task that %s: %s', async (_, test, isWaiting) => {
    const found = await findWaiting([failureSaying(test, '')], flip, [incr, title], tree)
    expect(found.length > 0).toBe(isWaiting)
  })

  it.each([
    ['names nothing', aTask({ id: 'T-1', title: 'Make the lists faster' }), [incr]],
    ['is the only one left', flip, []],
  ])('leaves none to others where the task %s', async (_, task, others) => {
    const failures = [failureSaying('test_incr_list', '')]
    expect(await findWaiting(failures, task, others, tree)).toEqual([])
  })

  it.each([
    ['in the function of another task', { file: 'src/lib.rs', line: 6 }, [], true],
    ['in its own function', { file: 'src/lib.rs', line: 2 }, [], false],
    ['in the test', { file: 'src/lib.rs', line: 12 }, [], false],
    ['there by its innermost frame', { file: 'tests/a.rs', line: 3 }, ['src/lib.rs:6:5'], true],
    ['in a test by its innermost frame', { file: 'src/lib.rs', line: 6 }, ['tests/a.rs:3'], false],
    ['behind the end of the file', { file: 'src/lib.rs', line: 99 }, [], false],
  ])('leaves a test to another task that fails %s', async (_, place, trace, isWaiting) => {
    const failure = { ...failureSaying('works', ''), ...place, trace }
    expect(await findWaiting([failure], flip, [title], tree)).toHaveLength(isWaiting ? 1 : 0)
  })
})
