import type { Finding } from './finding.ts'

const coordinator = 'src/runs/lanes/walk-lanes.ts'
const merge = 'src/core/domain/merge-states.ts'
const walkTest = 'test/runs/lanes/walk-lanes.test.ts'
const mergeTest = 'test/core/domain/merge-states.test.ts'
const ledgerTest = 'test/model/budget/ledger.test.ts'
const pickTest = 'test/graph/nodes/choose/pick-task.test.ts'

/** What tasks side by side must not do: mistake the order, exceed a budget, publish at the same time. */
export const lanes: readonly Finding[] = [
  {
    of: '18',
    name: 'a task begins while the one that it needs is under way',
    file: 'src/graph/nodes/choose/pick-task.ts',
    find: '    if (behind.has(task.id)) continue\n',
    replace: '',
    test: pickTest,
  },
  {
    of: '18',
    name: 'a run ends although a task under way may make others ready',
    file: 'src/graph/nodes/choose/pick-task.ts',
    find: 'if (!isOver || tasksInLanes(state).length === 0) return step',
    replace: 'if (!isOver || tasksInLanes(state).length >= 0) return step',
    test: pickTest,
  },
  {
    of: '18',
    name: 'a renewed verdict stays where the first one was',
    file: merge,
    find: 'return later.some((other) =>',
    replace: 'return [].some((other) =>',
    test: mergeTest,
  },
  {
    of: '18',
    name: 'the tokens of a lane replace those of the others',
    file: merge,
    find: 'base === after ? now : addUsage(now, subtractUsage(after, base))',
    replace: 'base === after ? now : after',
    test: mergeTest,
  },
  {
    of: '18',
    name: 'a lane forgets what others removed meanwhile',
    file: merge,
    find: '    const merged: Record<string, Value> = { ...now }\n',
    replace: '    const merged: Record<string, Value> = { ...base, ...now }\n',
    test: mergeTest,
  },
  {
    of: '18',
    name: 'a request reserves nothing',
    file: 'src/model/budget/ledger.ts',
    find: '          if (made !== null) held.add(made.most)\n',
    replace: '',
    test: ledgerTest,
  },
  {
    of: '18',
    name: 'a reservation is returned before its answer is booked',
    file: 'src/model/budget/ledger.ts',
    find: '        await book()\n',
    replace: '        held.delete(amount)\n        void book().catch(() => {})\n',
    test: ledgerTest,
  },
  {
    of: '18',
    name: 'the reservations of other lanes do not count',
    file: 'src/model/ask/record-call.ts',
    find: 'const isInTheWay = reserved.tokens > 0 || reserved.dollars > 0',
    replace: 'const isInTheWay = false',
    test: ledgerTest,
  },
  {
    of: '18',
    name: 'two lanes publish at the same time',
    file: coordinator,
    find: "      case 'checkpoint':\n",
    replace: '',
    test: walkTest,
    only: 'take turns where they publish',
  },
  {
    of: '18',
    name: 'two questions are on the screen at the same time',
    file: coordinator,
    find: 'return await this.#questions(() => person.ask(question))',
    replace: 'return await person.ask(question)',
    test: walkTest,
  },
  {
    of: '18',
    name: 'a lane saves after a save that failed',
    file: coordinator,
    find: '    if (this.#failure !== null) throw this.#failure.error\n    try {\n',
    replace: '    try {\n',
    test: walkTest,
  },
  {
    of: '18',
    name: 'what crashed the run goes on beside others',
    file: coordinator,
    find: 'suspect === undefined ? this.#free() : [suspect.lane]',
    replace: 'this.#free()',
    test: walkTest,
  },
  {
    of: '18',
    name: 'two calls of a run have the same number',
    file: 'src/runs/lanes/lane-state.ts',
    find: 'const callsOfTask = 100_000',
    replace: 'const callsOfTask = 0',
    test: walkTest,
  },
]
