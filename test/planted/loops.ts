import type { Finding } from './finding.ts'

const test = 'test/graph/tools/tool-loop.test.ts'
const tool = 'test/graph/tools/one-tool.test.ts'
const use = 'src/graph/nodes/attempt/use-tool.ts'
const change = 'src/graph/tools/test-change.ts'

/** Of the loop of tools. */
export const loops: readonly Finding[] = [
  {
    of: 'tools',
    name: 'changes that failed their checks are not counted',
    file: use,
    find: "fault === 'change' ? loop.failingChanges + 1 : isChange",
    replace: 'isChange',
    ...{ test, only: 'ends' },
  },
  {
    of: 'tools',
    name: 'a change after the passing test run is committed untested',
    file: use,
    find: 'hasPassed: isChange ? false : loop.hasPassed,',
    replace: '',
    ...{ test, only: 'tests a change again that was changed' },
  },
  {
    of: 'tools',
    name: 'run_tests runs a change that a person has to approve',
    file: change,
    find: '  if (checked.destructive.length > 0) {',
    replace: '  if (checked.destructive.length < 0) {',
    ...{ test, only: 'never runs a change that a person must approve' },
  },
  {
    of: 'tools',
    name: 'a test result of another draft is taken',
    file: 'src/graph/tools/record-turn.ts',
    find: '      event.hash === hash,',
    replace: '      event.hash !== "",',
    ...{ test, only: 'is resumed without another test run' },
  },
  {
    of: 'tools',
    name: 'a test run is used before it is in the journal',
    file: 'src/graph/tools/record-turn.ts',
    find: '  await store.record(after.run.id, [entry])',
    replace: '  void [store, entry]',
    ...{ test, only: 'is resumed without another test run' },
  },
  {
    of: 'tools',
    name: 'a recorded test run is not read',
    file: 'src/graph/tools/record-turn.ts',
    find: "found?.kind !== 'observed' || ",
    replace: "found?.kind === 'observed' || found === undefined || ",
    ...{ test, only: 'is resumed without another test run' },
  },
  {
    of: 'tools',
    name: "the roadmap's own folder is shown to a tool",
    file: 'src/graph/tools/look.ts',
    find: '/^(?:\\.executor|\\.git)(?:\\/|$)/',
    replace: '/^(?:\\.git)(?:\\/|$)/',
    ...{ test: tool, only: 'never sees' },
  },
  {
    of: 'tools',
    name: 'git searches .executor',
    file: 'src/adapters/git-workspace/grep.ts',
    find: "[sha, '--', `:(top,exclude,literal)${ownFolder}`]",
    replace: "[sha, '--']",
    ...{ test: 'test/adapters/git-workspace/grep.test.ts', only: '.executor' },
  },
  {
    of: 'tools',
    name: 'lines are shown that their file hides',
    file: 'src/graph/tools/search.ts',
    find: '[path, showText(path, text).text.split',
    replace: '[path, text.split',
    ...{ test: tool, only: 'finds no line that its file hides' },
  },
  {
    of: 'tools',
    name: 'a file is read with its hidden text',
    file: 'src/graph/tools/look.ts',
    find: 'const shown = showText(path, text)',
    replace: 'const shown = { ...showText(path, text), text }',
    ...{ test: tool, only: 'shows no hidden text' },
  },
  {
    of: 'tools',
    name: 'the last answers of a loop are not pushed',
    file: 'src/adapters/durable-store.ts',
    find: '} else if (this.#isBehind && entries.some(endsLoop)) {',
    replace: '} else if (this.#isBehind && entries.length < 0) {',
    ...{ test: 'test/adapters/durable-store.test.ts', only: 'shares answers of a loop of tools' },
  },
  {
    of: 'tools',
    name: 'what a file holds is read as a call',
    file: 'src/changes/reply/read-tool-calls.ts',
    find: 'const outside = withoutFiles(said)',
    replace: 'const outside = said',
    ...{
      test: 'test/changes/reply/read-tool-calls.test.ts',
      only: 'a file that holds what looks like',
    },
  },
]
