import type { Finding } from './finding.ts'

const classify = 'src/graph/nodes/recover/classify-failure.ts'
const classifyTest = 'test/graph/nodes/recover/classify-failure.test.ts'
const strategy = 'src/recovery/task/choose-strategy.ts'
const decide = 'src/graph/nodes/finish/decide-next.ts'
const decideTest = 'test/graph/nodes/finish/decide-next.test.ts'
const verify = 'src/graph/nodes/attempt/verify-task.ts'
const verifyTest = 'test/graph/nodes/attempt/verify-task.test.ts'
const readable = 'src/model/ask/ask-readable.ts'
const readableTest = 'test/model/ask/ask-readable.test.ts'

/** What recovery made worse with a model that people run on a laptop. */
export const weakModels: readonly Finding[] = [
  {
    of: 'W6',
    name: 'the output of a failure is that of tests which are red for other tasks',
    file: verify,
    find: 'outputWithoutOthers(tests, broken)',
    replace: "tests.commands.map(({ tail }) => tail).join('\\n')",
    ...{ test: verifyTest, only: 'but for their number' },
  },
  {
    of: 'W6',
    name: 'a task has to turn the tests of the functions beside its own green',
    file: verify,
    find: 'concerns, findWaiting: waiting }',
    replace: 'concerns, ...(waiting.length > 9 && { findWaiting: waiting }) }',
    ...{ test: verifyTest, only: 'functions beside its own' },
  },
  {
    of: 'W6',
    name: 'a receipt lists the tests that are red for other tasks',
    file: 'src/verify/compare/compare.ts',
    find: 'exitCode !== 0 && !hasOthers(command, broken)',
    replace: 'exitCode !== 0 && (broken.length > 0 || hasOthers(command, []))',
    ...{ test: 'test/verify/compare/compare.test.ts', only: 'what a reviewer should know' },
  },
  {
    of: 'W7',
    name: 'a task about one file is split',
    file: strategy,
    find: "strategy === 'DECOMPOSE' && isOnePiece(task)",
    replace: "strategy === 'DECOMPOSE' && isOnePiece(task) && retried.length > 99",
    ...{ test: 'test/graph/nodes/recover/propose-recovery.test.ts', only: 'splits no task' },
  },
  {
    of: 'W7',
    name: 'a task that gets another model waits for itself',
    file: 'src/roadmap/load-roadmap.ts',
    find: 'id === task.id ? [] : ',
    replace: '',
    test: 'test/graph/nodes/recover/apply-recovery.test.ts',
    only: 'tried with it',
  },
  {
    of: 'W7',
    name: 'a model takes over from the one that a task names',
    file: strategy,
    find: '  attempt.task.model === null &&\n',
    replace: '',
    test: 'test/graph/nodes/recover/propose-recovery.test.ts',
    only: 'keeps the model',
  },
  {
    of: 'W7',
    name: 'the same unusable answer is read again',
    file: readable,
    find: 'again.text.trim() === first.text.trim()',
    replace: "again.text.trim() === ''",
    ...{ test: readableTest, only: 'is read once' },
  },
  {
    of: 'W7',
    name: 'the second request says what is wrong in the middle',
    file: readable,
    find: 'with nothing but ${form}\\nYour last answer cannot be used: ${problem}.`',
    replace: 'since ${problem}, with nothing but ${form}`',
    ...{ test: readableTest, only: 'is asked for once more' },
  },
  {
    of: 'W7',
    name: 'a model is asked why it failed at a clear task',
    file: classify,
    find: '  if (!isTold) return',
    replace: '  if (!isTold || attempt.number > 0) return',
    ...{ test: classifyTest, only: 'asks no one why' },
  },
  {
    of: 'W7',
    name: 'a run goes on with a model that brings nothing usable',
    file: decide,
    find: '...(!finished && broughtNothing(attempt) && { unusable: true }),',
    replace: '...(!finished && broughtNothing(attempt) && finished && { unusable: true }),',
    ...{ test: decideTest, only: 'without a usable answer' },
  },
  {
    of: 'W7',
    name: 'tasks that only lack a better model wait for a person',
    file: decide,
    find: 'hopeless.ids, ports)',
    replace: '[], ports)',
    ...{ test: decideTest, only: 'without a usable answer' },
  },
]
