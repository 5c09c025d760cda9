import type { Finding } from './finding.ts'

const turnsTest = 'test/adapters/pg-queue/turns.test.ts'

/** What makes a job of the App's queue wait longer than it must, or start once too often. */
export const queue: readonly Finding[] = [
  {
    of: '20.5',
    name: 'a killed worker delays its job like a failed start',
    file: 'src/adapters/pg-queue/job-table.ts',
    find: 'retryDelay: alone ? 0 : Math.ceil(beatSeconds(heartbeatSeconds))',
    replace: 'retryDelay: options.retryDelaySeconds',
    test: 'test/adapters/pg-queue/job-table.test.ts',
    only: 'silent worker',
  },
  {
    of: '20.5',
    name: 'starts that do not count lengthen the delay after a failed one',
    file: 'src/adapters/pg-queue/job-table.ts',
    find: '2 ** (failedStarts - 1)',
    replace: '2 ** retryCount',
    test: 'test/adapters/pg-queue/job-table.test.ts',
    only: 'a failed start',
  },
  {
    of: '20.5',
    name: 'a job that ends while the database is down starts again',
    file: 'src/adapters/pg-queue/settle.ts',
    find: 'maxAttempts: patience / secondsBetween',
    replace: 'maxAttempts: 0',
    test: 'test/adapters/pg-queue/outage.test.ts',
  },
  {
    of: '20.5',
    name: 'after an outage, the jobs of workers that live start again',
    file: 'src/adapters/pg-queue/supervise.ts',
    find: '      judgesFrom = monotonic() + graceSeconds\n      log',
    replace: '      log',
    test: 'test/adapters/pg-queue/supervise.test.ts',
  },
  {
    of: '20.5',
    name: 'all that was put off starts before what others want since',
    file: 'src/adapters/pg-queue.ts',
    find: '  if (stored.priority === withoutTurn) return table.takeTurn(stored, job)\n',
    replace: '',
    test: turnsTest,
    only: 'put off',
  },
  {
    of: '20.5',
    name: 'what was put off waits behind all that never started',
    file: 'src/adapters/pg-queue/turns.ts',
    find: "[kind === 'new' ? flow : `${flow} put off`, started]",
    replace: '[flow, started]',
    test: turnsTest,
    only: 'put off',
  },
]
