import type { Finding } from './finding.ts'

const walk = 'src/runs/workspace/walk-workspace.ts'
const walkTest = 'test/runs/workspace/walk-workspace.test.ts'
const merge = 'src/runs/workspace/merge-set.ts'
const mergeTest = 'test/runs/workspace/merge-set.test.ts'
const waits = 'src/roadmap/standing/wait-elsewhere.ts'
const pickTest = 'test/graph/nodes/choose/pick-task.test.ts'
const references = 'src/roadmap/document/read-references.ts'
const readTest = 'test/roadmap/document/read-roadmap.test.ts'
const report = 'src/publish/report/workspace-report.ts'
const reportTest = 'test/publish/report/workspace-report.test.ts'

/** What goes wrong in a workspace of several repositories. */
export const workspaces: readonly Finding[] = (
  [
    [
      'an interrupted run comes last',
      walk,
      'if (interrupted !== undefined) return interrupted.only',
      '',
      walkTest,
    ],
    [
      'a walk goes on after a limit',
      walk,
      '      if (state.progress.stopped !== null) return state.progress.stopped\n',
      '',
      walkTest,
    ],
    [
      'a set is merged although one part is red',
      merge,
      "  if (reasons.length > 0) return { status: 'not_ready', reasons }\n",
      '',
      mergeTest,
    ],
    [
      'a set merges what was pushed after the checks',
      merge,
      'const pullRequest = known === null ? null : await forge.pullRequest(known.number)',
      'const pullRequest = known',
      mergeTest,
    ],
    [
      'a set that fails halfway counts as merged',
      merge,
      "return { status: 'halfway', merged, failed: task, reason }",
      "return { status: 'merged', merged }",
      mergeTest,
    ],
    [
      'a task outside a workspace starts without the other',
      waits,
      'if (others === undefined) {',
      'if (others === undefined) return null\n    if (others === null) {',
      pickTest,
    ],
    [
      'a task of another repository is taken for our own',
      references,
      "rest: value.replaceAll(elsewhere, '')",
      'rest: value',
      readTest,
    ],
    [
      'an atomic set is merged in part',
      report,
      'atomic && others.length > 0\n        ? `Do not merge',
      '!atomic && others.length > 0\n        ? `Do not merge',
      reportTest,
    ],
  ] as const
).map(([name, file, find, replace, test]) => ({ of: '20.1', name, file, find, replace, test }))
