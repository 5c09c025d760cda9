import type { Finding } from './finding.ts'

const change = 'src/runs/check/check-change.ts'
const changeTest = 'test/runs/check/check-change.test.ts'
const readTest = 'test/runs/check/read-change.test.ts'
const patch = 'src/adapters/git-workspace/apply-patch.ts'
const patchTest = 'test/adapters/git-workspace/apply-patch.test.ts'
const checkoutTest = 'test/adapters/user-checkout.test.ts'
const newTest = 'packages/judge/gate/check-scope.ts'
const newTestTest = 'packages/judge/test/gate/new-test.test.ts'
const gateTest = 'packages/judge/test/gate/gate.test.ts'
const testFiles = 'packages/source/code/test-files.ts'

/** What the scope of a task keeps out although it calls itself a new test. */
const newTests: readonly Finding[] = (
  [
    [
      'a new test of the changed code is left out for its name',
      'packages/judge/gate/gate.ts',
      '(inScope(path, scope) || isNew)',
      'inScope(path, scope)',
      gateTest,
    ],
    [
      'an existing test counts as a new one',
      'packages/judge/gate/gate.ts',
      "change?.action === 'create' && !modes.has(path)",
      'change !== undefined',
      gateTest,
    ],
    [
      'a plan with a new test is sent back for its name',
      'src/model/planning/judge-plan.ts',
      "isPlainTest(path) && !gate.modes.has(path) ? 'tests' : 'others'",
      "isPlainTest(path) ? 'others' : 'others'",
      'test/model/planning/judge-plan.test.ts',
    ],
    ['set-up counts as a new test', testFiles, ' && !setUp.test(path)', '', newTestTest],
    ['settings count as a new test', testFiles, ' && !testSettings.test(path)', '', newTestTest],
    [
      'a file without a test counts as one',
      newTest,
      ' || !declaresTest(path, content)',
      '',
      newTestTest,
    ],
    [
      'a test of another file is let in',
      newTest,
      '(each) => isTested(each) ||',
      '(each) => each ||',
      newTestTest,
    ],
    [
      'a test of another module is let in',
      newTest,
      'isBelow(other, around) &&',
      'true &&',
      newTestTest,
    ],
  ] as const
).map(([name, file, find, replace, test]) => ({ of: '20', name, file, find, replace, test }))

/** What goes wrong when a change of anybody is checked. */
export const checks: readonly Finding[] = [
  {
    of: '19.2',
    name: 'green tests excuse an error',
    file: change,
    find: "result: isFailed ? 'failed' : receipt.result",
    replace: 'result: receipt.result',
    test: changeTest,
  },
  {
    of: '20',
    name: 'a change is blamed for tests that were red before',
    file: 'packages/judge/verdict/verify-change.ts',
    find: 'owes: namedBy(task)',
    replace: 'owes: () => true',
    test: changeTest,
  },
  {
    of: '20',
    name: 'a change passes beside red tests of its files',
    file: 'packages/judge/verdict/compare-change.ts',
    find: '    ...(stillRed.length > 0 ? [stayRed(stillRed)] : []),\n',
    replace: '',
    test: changeTest,
  },
  {
    of: '20',
    name: 'old findings of a linter in changed files fail a change',
    file: 'packages/judge/compare/find-unrun.ts',
    find: "report.commands.filter(({ role }) => role !== 'lint')",
    replace: 'report.commands',
    test: 'packages/judge/test/compare/find-unrun.test.ts',
  },
  {
    of: '20',
    name: 'a range with two dots starts at the merge base',
    file: 'src/adapters/user-checkout.ts',
    find: "isExact: third === ''",
    replace: 'isExact: false',
    test: checkoutTest,
  },
  {
    of: '20',
    name: 'a commit to leave out is taken for one to check',
    file: 'src/adapters/git-workspace/git.ts',
    find: "run.code === 0 && !run.text.startsWith('^')",
    replace: 'run.code === 0',
    test: checkoutTest,
  },
  {
    of: '20',
    name: 'a path with two dots is a range',
    file: 'src/adapters/user-checkout.ts',
    find: '(?!\\/)',
    replace: '',
    test: checkoutTest,
  },
  ...newTests,
  {
    of: '20',
    name: 'a run leaves the temporary folders of killed ones',
    file: 'packages/sandbox/process-sandbox.ts',
    find: '    await removeLeftFolders()\n',
    replace: '',
    test: 'packages/sandbox/test/process-sandbox.test.ts',
    only: 'what a killed process left',
  },
  {
    of: '20',
    name: 'a temporary folder of another machine counts as left',
    file: 'packages/files/temporary-folder.ts',
    find: 'pid === undefined || place !== machine()',
    replace: 'pid === undefined',
    test: 'packages/files/test/temporary-folder.test.ts',
  },
  {
    of: '20',
    name: 'a temporary folder of a living process is removed',
    file: 'packages/files/temporary-folder.ts',
    find: 'pid === process.pid || processExists(pid)',
    replace: 'pid === process.pid',
    test: 'packages/files/test/temporary-folder.test.ts',
  },
  {
    of: '19.2',
    name: 'a change with a link is written to disk',
    file: change,
    find: "rule === 'size' || rule === 'path' || rule === 'tree'",
    replace: "rule === 'size' || rule === 'path'",
    test: changeTest,
  },
  {
    of: '19.2',
    name: 'the advice for a draft is given to everybody',
    file: 'packages/judge/gate/gate.ts',
    find: "rules.allowed === null ? '' :",
    replace: "why === '' ? '' :",
    test: changeTest,
  },
  {
    of: '19.2',
    name: 'a link that becomes a file is read as an edit',
    file: 'packages/judge/answer/read-difference.ts',
    find: '[newMode, oldMode].find(isLink)',
    replace: '[newMode].find(isLink)',
    test: readTest,
  },
  {
    of: '19.2',
    name: 'a patch without prefixes loses the first folder of its paths',
    file: patch,
    find: '[{ ...bare, input: patch }, plain]',
    replace: '[plain, { ...bare, input: patch }]',
    test: patchTest,
  },
  {
    of: '19.2',
    name: 'a patch with prefixes is also tried as one without',
    file: patch,
    find: 'prefixed.test(text) ? [plain]',
    replace: 'prefixed.test(text) ? [plain, { ...bare, input: patch }]',
    test: patchTest,
  },
  {
    of: '20',
    name: 'a test in a language that the project does not have is let in by its name',
    file: 'packages/judge/gate/gate.ts',
    find: ' && languages().has(languageFamily(path))',
    replace: '',
    test: 'packages/judge/test/gate/gate.test.ts',
  },
]
