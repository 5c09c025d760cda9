import type { Finding } from './finding.ts'

const groupsTest = 'test/tasks/standing/groups.test.ts'
const pickTest = 'test/graph/nodes/choose/pick-task.test.ts'
const partTest = 'test/recovery/task/part-group.test.ts'
const splitTest = 'test/recovery/task/split-changes.test.ts'

/** What groups of small tasks must not do. */
export const groups: readonly Finding[] = [
  {
    of: '18',
    name: 'changes that the answer makes in another order have a commit each',
    file: 'src/recovery/task/split-changes.ts',
    find: 'links.every((link, index) => link === inOrder[index])',
    replace: 'links.every((link) => inOrder.includes(link))',
    test: splitTest,
  },
  {
    of: '18',
    name: 'a file that a repair changed is told apart as it was before',
    file: 'src/recovery/task/split-changes.ts',
    find: 'contentAfter(last?.change ?? change) === contentAfter(change) &&',
    replace: 'last !== undefined &&',
    test: splitTest,
  },
  {
    of: '18',
    name: 'an answer is told apart without a check',
    file: 'src/graph/parts/attribute-reply.ts',
    find: 'return changesBetween(base, draft.changes).length === 0 ? found : null',
    replace: 'return found',
    test: 'test/graph/parts/attribute-reply.test.ts',
  },
  {
    of: '18',
    name: 'a task that left its group still stands where the group does',
    file: 'src/tasks/standing/find-own-work.ts',
    find: 'if ((own === head || !hasOwn) && !isOlder)',
    replace: 'if (!isOlder)',
    test: groupsTest,
  },
  {
    of: '18',
    name: 'a skipped task of a group is in review',
    file: 'src/tasks/standing/reconcile-tasks.ts',
    find: "const isOut = left?.why === 'skip' &&",
    replace: 'const isOut = left === null &&',
    test: groupsTest,
  },
  {
    of: '18',
    name: 'a group takes more tasks than the run has room for',
    file: 'src/tasks/groups/find-members.ts',
    find: 'const most = tasksLeft(state, ports.settings)',
    replace: 'const most = Number.POSITIVE_INFINITY',
    test: pickTest,
  },
  {
    of: '18',
    name: 'a group takes a task that another run works on',
    file: 'src/tasks/groups/find-members.ts',
    find: "if (isHere && (await ports.leases.take(other.id)).status === 'taken')",
    replace: 'if (isHere)',
    test: pickTest,
  },
  {
    of: '18',
    name: 'a run takes the others of a group whose first another run has',
    file: 'src/graph/nodes/choose/pick-task.ts',
    find: 'for (const { id } of group) held.set(',
    replace: 'for (const { id } of group.slice(group.length)) held.set(',
    test: pickTest,
  },
  {
    of: '18',
    name: 'a dissolved group is formed again',
    file: 'src/tasks/groups/find-members.ts',
    find: '...[tasks.failedBefore, tasks.lacked, tasks.alone ?? {}],',
    replace: '...[tasks.failedBefore, tasks.lacked],',
    test: pickTest,
  },
  {
    of: '18',
    name: 'hidden text of a task reaches the model when the task is in a group',
    file: 'src/model/context/show-task.ts',
    find: 'const shown = task.members.map(showTask)',
    replace: 'const shown = task.members.map((member) => ({ task: member, removed: [] }))',
    test: pickTest,
  },
  {
    of: '18',
    name: 'a repair that cannot be used blames a task whose tests pass',
    file: 'src/recovery/task/part-group.ts',
    find: 'broken.length > 0',
    replace: 'failure === null',
    test: partTest,
  },
  {
    of: '18',
    name: 'a repair that could not be used stays when its task fell out',
    file: 'src/recovery/task/part-group.ts',
    find: 'draft: { ...draft, changes, refusals: [] }',
    replace: 'draft: { ...draft, changes }',
    test: partTest,
  },
  {
    of: '18',
    name: 'a task that fell out leaves its cost with the others',
    file: 'src/recovery/task/part-group.ts',
    find: 'usage: booked.reduce((left, { usage }) => subtractUsage(left, usage), attempt.usage),',
    replace: 'usage: attempt.usage,',
    test: partTest,
  },
]
