import { describe, expect, it } from 'vitest'
import { failureSaying } from '../../../src/verify/compare/read-outcome.ts'
import { findWaiting } from '../../../src/verify/judge/find-waiting.ts'
import { aTask } from '../../fakes/facts.ts'

const paths = ['problems/strings.py', 'problems/lists.py', 'tests/test_all.py']
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
  ])('leaves a test to another task that %s: %s', (_, test, isWaiting) => {
    const found = findWaiting([failureSaying(test, '')], flip, [flip, incr, title], paths)
    expect(found.length > 0).toBe(isWaiting)
  })

  it.each([
    ['names nothing', aTask({ id: 'T-1', title: 'Make the lists faster' }), [incr]],
    ['is the only one left', flip, [flip]],
  ])('leaves none to others where the task %s', (_, task, others) => {
    expect(findWaiting([failureSaying('test_incr_list', '')], task, others, paths)).toEqual([])
  })
})
