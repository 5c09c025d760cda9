import type { Finding } from './finding.ts'

const walk = 'src/runs/workspace/walk-workspace.ts'
const walkTest = 'test/runs/workspace/walk-workspace.test.ts'
const merge = 'src/runs/workspace/merge-set.ts'
const mergeTest = 'test/runs/workspace/merge-set.test.ts'
const waits = 'src/tasks/standing/is-left.ts'
const pickTest = 'test/graph/nodes/choose/pick-task.test.ts'
const references = 'packages/roadmap/document/read-references.ts'
const readTest = 'packages/roadmap/test/document/read-roadmap.test.ts'
const report = 'src/publish/report/workspace-report.ts'
const reportTest = 'test/publish/report/workspace-report.test.ts'

const sets = 'src/runs/workspace/serve-sets.ts'
const setsTest = 'test/runs/workspace/serve-sets.test.ts'
const approval = 'src/runs/commands/find-approval.ts'
const repositories = 'src/runs/workspace/repositories.ts'
const repositoriesTest = 'test/runs/workspace/repositories.test.ts'
const place = 'src/entry/app/open-place.ts'
const served = 'src/entry/app/serve-workspace.ts'
const jobTest = 'test/entry/app/serve-job.test.ts'
const approvalTest = 'test/runs/commands/find-approval.test.ts'

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
      "  if (obstacles.length > 0) return { status: 'not_ready', obstacles }\n",
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
      "{ status: 'halfway', merged, failed }",
      "{ status: 'merged', merged }",
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
    [
      'a set is merged with an approval of an older commit',
      merge,
      'approval !== undefined && approval.sha !== headSha',
      'approval === undefined && headSha === sha',
      mergeTest,
    ],
    [
      'a set is merged on top of its own open revert',
      merge,
      'if (reverting !== null)',
      'if (false)',
      mergeTest,
    ],
    [
      'an approval counts after its author lost the right to write',
      sets,
      ' && (await mayCommand(found.by, discussion))',
      '',
      setsTest,
    ],
    [
      'half of a set is merged although the other is known to conflict',
      merge,
      'if (member.conflicts)',
      'if (false)',
      setsTest,
    ],
    [
      'a set is merged though a repository is switched off',
      sets,
      'const stopped = approved.find(({ isStopped }) => isStopped)',
      'const stopped = approved.find(() => false)',
      setsTest,
    ],
    [
      'a set that is not atomic is merged at once or not at all',
      sets,
      'atomic ? [members] : members.map((member) => [member])',
      '[members]',
      setsTest,
    ],
    [
      'an edited approval counts for a set',
      approval,
      'remark.createdAt === remark.updatedAt &&',
      '',
      approvalTest,
    ],
    [
      'anybody records an approval for a set',
      approval,
      'isOurs ? readReply(body) : null',
      'readReply(body)',
      approvalTest,
    ],
    [
      '/approve merges one task of a set alone',
      'src/runs/commands/approve.ts',
      "if (set.status === 'member')",
      'if (false)',
      'test/runs/commands/serve-commands.test.ts',
    ],
    [
      'a name of a repository leads out of its folder',
      'src/core/domain/repository-name.ts',
      '(?!\\.{1,2}$)',
      '',
      'test/core/domain/repository-name.test.ts',
    ],
    [
      'a GitHub that is away for a moment halves a set',
      merge,
      "if (code === 'forge_unreachable') throw new ExecutorError(code, detail)",
      '',
      mergeTest,
    ],
    [
      'a set goes on past a merge queue',
      merge,
      "done.status === 'queued' && member !== last",
      'false',
      mergeTest,
    ],
    [
      'a stacked pull request of a set is merged into the branch below',
      merge,
      'base !== member.base && !before.some(isBelow)',
      'false',
      mergeTest,
    ],
    [
      'the top of a stack is not brought onto the default branch',
      merge,
      'base === member.base ? null : await forge.retarget(number, member.base)',
      'null',
      mergeTest,
    ],
    [
      'a failed attempt is merged as a part of a set',
      merge,
      "  if (labels.includes(label.needsHuman)) return 'is a failed attempt'\n",
      '',
      mergeTest,
    ],
    [
      'a task that was ticked by hand holds its set up for ever',
      merge,
      "member.isDone ? null : 'has no pull request'",
      "'has no pull request'",
      mergeTest,
    ],
    [
      'the top of a stack comes before its bottom',
      repositories,
      'a.depth - b.depth',
      '0',
      repositoriesTest,
    ],
    [
      'a set merges a proposal about its task',
      repositories,
      'return taskIdOfBranch(current.head) === null ? null : current',
      'return current',
      repositoriesTest,
    ],
    [
      'a set forgets a merged group',
      repositories,
      '(head === branchOf(id) || fingerprintIn(body, id) !== null)',
      'head === branchOf(id)',
      setsTest,
    ],
    [
      "a group's pull request merges half of another set",
      merge,
      'if (sharedWith !== null)',
      "if (sharedWith === '')",
      setsTest,
    ],
    [
      'the revert of a group is looked for under the wrong task',
      sets,
      "taskIdOfBranch(pullRequest?.head ?? '') ?? id",
      'id',
      setsTest,
    ],
    [
      'a set is merged while a group of it is being reverted',
      repositories,
      'heads.includes(pull.head)',
      'pull.head === branchOf(id)',
      setsTest,
    ],
    [
      'the reverts are forgotten when a pass is killed before them',
      sets,
      'stillHalfway(ended, approved) ?? ended',
      'ended',
      setsTest,
    ],
    [
      'an approval outlives merge-on-approve',
      sets,
      ' && ports.settings.merge.onApprove',
      '',
      setsTest,
    ],
    [
      'one repository that cannot be read stops all sets',
      repositories,
      "if (!(error instanceof ExecutorError) || error.code === 'forge_unreachable') throw error",
      'throw error',
      setsTest,
    ],
    [
      'a revert that was refused is not told',
      sets,
      'return done.length === 0 ? plan.leftAlone : left',
      'return plan.leftAlone',
      setsTest,
    ],
    [
      'a workspace wakes tasks of a repository that is switched off',
      sets,
      'isSwitchedOff(await discussion.overview()) ? []',
      'false ? []',
      setsTest,
    ],
    [
      'a woken task starts though all is switched off',
      'src/runs/serve-trigger.ts',
      'if (isWoken && isOff',
      'if (false && isOff',
      'test/runs/serve-trigger.test.ts',
    ],
    [
      'the words of a workspace.yml reach a repository that it does not name',
      served,
      'own === null ? await read() : await orElse(read, () => stranger)',
      'await read()',
      jobTest,
    ],
    [
      'the settings of a repository reach a workspace that it does not name',
      place,
      '() => stranger,',
      '(reason) => wrong(reason),',
      jobTest,
    ],
    [
      'a workspace of a repository that the operator does not name is read',
      served,
      '!mayRunHere(home, services.environment.localRepositories)',
      'false',
      jobTest,
    ],
    [
      'a repository that the operator does not name is read for a workspace',
      place,
      '!mayRunHere(fullName, services.environment.localRepositories)',
      'false',
      jobTest,
    ],
    [
      '/approve merges a task that a set writes in other letters',
      served,
      'isSameTask(each, task)',
      'each === task',
      jobTest,
    ],
    [
      "a pass that the App's stop ends is lost",
      'src/entry/app/serve-job.ts',
      "if (signal.aborted) return { status: 'again', reason: 'the App stops' }\n",
      '\n',
      jobTest,
    ],
    [
      'a task is in two sets in other letters',
      'src/entry/config/read-workspace-file.ts',
      'known.has(task.toLowerCase())',
      'known.has(task)',
      'test/entry/config/read-workspace-file.test.ts',
    ],
    [
      'the words of a workspace act in a reply',
      'src/runs/commands/approve.ts',
      'quoted(set.reason)',
      'set.reason',
      'test/runs/commands/serve-commands.test.ts',
    ],
    [
      'each event reads a whole workspace',
      'src/entry/app/serve-workspace.ts',
      "state === 'waiting' && covers(event)",
      'false',
      'test/entry/app/serve-workspace.test.ts',
    ],
  ] as const
).map(([name, file, find, replace, test]) => ({ of: '20.1', name, file, find, replace, test }))
