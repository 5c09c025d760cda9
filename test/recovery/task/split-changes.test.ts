import { describe, expect, it } from 'vitest'
import { type ChangeSet, changeBetween, contentAfter } from '../../../packages/change/change-set.ts'
import type { Task } from '../../../packages/task/task-schema.ts'
import type { Attempt, MemberChanges } from '../../../src/core/domain/attempt.ts'
import { composeTask } from '../../../src/core/domain/compose-task.ts'
import { changesWithout, splitChanges } from '../../../src/recovery/task/split-changes.ts'
import { anAttempt, aTask } from '../../fakes/facts.ts'
import { aDraft } from '../../graph/nodes/bench.ts'

const lines = (...words: readonly string[]): string => words.map((word) => `${word}\n`).join('')

const change = (path: string, before: string | undefined, after: string | undefined): ChangeSet => {
  const found = changeBetween(path, before, after)
  return found === null ? [] : [found]
}

function attempt(
  changes: ChangeSet,
  attributed: readonly MemberChanges[] = [],
  facts: readonly Partial<Task>[] = [{}, {}, {}],
): Attempt {
  const members = facts.map((each, index) => aTask({ id: `T-${index + 1}`, ...each }))
  return anAttempt({
    task: composeTask(members),
    draft: { ...aDraft(), changes },
    attributed: [...attributed],
  })
}

const start = lines('one', '', 'two', '', 'three')
const first = start.replace('one', 'I')
const second = first.replace('two', 'II')
const third = second.replace('three', 'III')
/** Three tasks in one file, one upon another. */
const chain: readonly MemberChanges[] = [
  { id: 'T-1', changes: change('a.js', start, first) },
  { id: 'T-2', changes: change('a.js', first, second) },
  { id: 'T-3', changes: change('a.js', second, third) },
]
const whole = change('a.js', start, third)

const textsOf = (parts: readonly MemberChanges[] | null) =>
  parts?.map(({ id, changes }) => [
    id,
    ...changes.map((each) => [each.path, contentAfter(each)]),
  ]) ?? null

describe('the changes of a group', () => {
  it.each<[string, Attempt, ReturnType<typeof textsOf>]>([
    [
      'are told apart in one file as the answer says',
      attempt(whole, chain),
      [
        ['T-1', ['a.js', first]],
        ['T-2', ['a.js', second]],
        ['T-3', ['a.js', third]],
      ],
    ],
    [
      'are not when a repair changed that file',
      attempt(change('a.js', start, 'mended\n'), chain),
      null,
    ],
    [
      'are not when the answer takes them in another order',
      attempt(whole, [
        { id: 'T-2', changes: change('a.js', start, start.replace('two', 'II')) },
        { id: 'T-1', changes: change('a.js', start.replace('two', 'II'), second) },
        { id: 'T-3', changes: change('a.js', second, third) },
      ]),
      null,
    ],
    [
      'are told apart by file, also after a repair',
      attempt(
        [...change('a.js', start, 'mended\n'), ...change('b.js', undefined, 'b\n')],
        [
          { id: 'T-1', changes: change('a.js', start, first) },
          { id: 'T-3', changes: change('b.js', undefined, 'x\n') },
        ],
      ),
      [['T-1', ['a.js', 'mended\n']], ['T-2'], ['T-3', ['b.js', 'b\n']]],
    ],
    [
      'are told apart by the scope where the answer says nothing',
      attempt(
        [...change('a.js', start, first), ...change('test/b.test.js', undefined, '1\n')],
        [],
        [{ files: ['a.js'] }, { files: ['b.js'] }],
      ),
      [
        ['T-1', ['a.js', first]],
        ['T-2', ['test/b.test.js', '1\n']],
      ],
    ],
    [
      'are not told apart by a scope of two',
      attempt(whole, [], [{ files: ['a.js'] }, { files: ['*.js'] }]),
      null,
    ],
    [
      'are not when a file is nobody’s',
      attempt(change('package-lock.json', '1', '2'), chain),
      null,
    ],
  ])('%s', (_, given, expected) => {
    expect(textsOf(splitChanges(given))).toEqual(expected)
  })

  it.each<[string, Attempt, readonly string[], readonly (readonly [string, string])[] | null]>([
    [
      'keep the rest of a file',
      attempt(whole, chain),
      ['T-2'],
      [['a.js', third.replace('II\n', 'two\n')]],
    ],
    [
      'keep the rest of a file without two',
      attempt(whole, chain),
      ['T-1', 'T-2'],
      [['a.js', start.replace('three', 'III')]],
    ],
    [
      'keep what a repair mended beside it',
      attempt(
        change('a.js', start, third.replace('II\n', 'deux\n').replace('III', 'three times')),
        chain,
      ),
      ['T-2'],
      [['a.js', lines('I', '', 'two', '', 'three times')]],
    ],
    [
      'lose a file that only one changed',
      attempt(
        [...whole, ...change('b.js', undefined, 'b\n')],
        [
          ...chain.slice(0, 2),
          {
            id: 'T-3',
            changes: [...(chain[2]?.changes ?? []), ...change('b.js', undefined, 'b\n')],
          },
        ],
      ),
      ['T-3'],
      [['a.js', second]],
    ],
    [
      'cannot lose what a later one changed again',
      attempt(change('a.js', start, third), [
        { id: 'T-1', changes: change('a.js', start, first) },
        { id: 'T-2', changes: change('a.js', first, first.replace('I\n', 'eins\n')) },
      ]),
      ['T-1'],
      null,
    ],
    [
      'cannot lose a part of a file that is nobody’s',
      attempt(change('x.js', '1', '2'), chain),
      ['T-1'],
      null,
    ],
    [
      'cannot lose a new file that another one changed',
      attempt(change('n.js', undefined, 'b\n'), [
        { id: 'T-1', changes: change('n.js', undefined, 'a\n') },
        { id: 'T-2', changes: change('n.js', 'a\n', 'b\n') },
      ]),
      ['T-1'],
      null,
    ],
  ])('%s', (_, given, out, expected) => {
    const left = changesWithout(given, new Set(out))
    expect(left?.map((each) => [each.path, contentAfter(each)]) ?? null).toEqual(expected)
  })
})
