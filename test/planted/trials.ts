import type { Finding } from './finding.ts'

/** Found by playing the program on other people's repositories. */
export const trials: readonly Finding[] = [
  {
    of: 'trial',
    name: 'a build that the change broke is said to have been red before',
    file: 'src/verify/compare/compare.ts',
    find: '!isProven && broken.length === 0',
    replace: '!isProven',
    ...{ test: 'test/verify/compare/compare.test.ts', only: 'nothing about how it was before' },
  },
  {
    of: 'trial',
    name: 'a member of an expression is taken for a dotfile',
    file: 'src/text/paths/named-files.ts',
    find: "stem(path) !== ''",
    replace: 'true',
    ...{ test: 'test/model/context/build-context.test.ts', only: 'to be made for no mistake' },
  },
  {
    of: 'trial',
    name: 'a plan with a comma before a bracket is asked for again',
    file: 'src/model/prompts/read-json.ts',
    find: 'if (value !== undefined) return { value }',
    replace: '',
    ...{ test: 'test/model/prompts/prompts.test.ts', only: 'of a plan is read despite' },
  },
  {
    of: 'trial',
    name: 'arguments without their last brace are taken for a path',
    file: 'src/graph/tools/tool-arguments.ts',
    find: "said.startsWith('{')",
    replace: 'false',
    ...{ test: 'test/graph/tools/one-tool.test.ts', only: 'without their last brace' },
  },
  {
    of: 'trial',
    name: 'the only test file of a project is outside every scope',
    file: 'src/changes/gate/check-scope.ts',
    find: ' || isOnlyTest(path, entry)',
    replace: '',
    test: 'test/changes/gate/check-scope.test.ts',
  },
  {
    of: 'exchange',
    name: 'an import adds what is there already',
    file: 'src/roadmap/exchange/import-tasks.ts',
    find: 'tasks.filter(({ id }) => !isKnown(id))',
    replace: 'tasks',
    ...{ test: 'test/roadmap/exchange/formats.test.ts', only: 'that are not there' },
  },
  {
    of: 'exchange',
    name: 'an import does not say what is read otherwise',
    file: 'src/roadmap/exchange/write-tasks.ts',
    find: 'comparable(wanted[key]) !== comparable(read[key])',
    replace: 'key === key.toUpperCase()',
    ...{ test: 'test/roadmap/exchange/round-trip.test.ts', only: 'would read otherwise' },
  },
  {
    of: 'exchange',
    name: "a run takes another person's task",
    file: 'src/graph/nodes/choose/pick-task.ts',
    find: 'task.owner !== undefined && !state.run.only?.includes(task.id)',
    replace: 'task.owner === ""',
    ...{ test: 'test/graph/nodes/choose/pick-task.test.ts', only: 'no task of somebody else' },
  },
]
