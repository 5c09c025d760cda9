import type { Finding } from './finding.ts'

const publish = 'src/publish/effects/publish-attempt.ts'
const publishTest = 'test/publish/effects/publish-attempt.test.ts'
const keep = 'src/publish/effects/keep-overtaken.ts'
const keepTest = 'test/publish/effects/keep-overtaken.test.ts'
const checkpoint = 'src/graph/nodes/attempt/checkpoint.ts'
const checkpointTest = 'test/graph/nodes/attempt/checkpoint.test.ts'
const own = 'src/tasks/standing/find-own-work.ts'
const ownTest = 'test/tasks/standing/find-own-work.test.ts'
const reconcile = 'src/tasks/standing/reconcile-tasks.ts'
const reconcileTest = 'test/tasks/standing/reconcile-tasks.test.ts'
const text = 'src/publish/report/write-overtaken.ts'
const textTest = 'test/publish/report/write-overtaken.test.ts'
const compare = 'src/adapters/git-workspace/compare.ts'
const compareTest = 'test/adapters/git-workspace/compare.test.ts'

/** What goes wrong when a person and the executor write to one branch. */
export const writers: readonly Finding[] = [
  {
    of: '18.3',
    name: 'finished work that somebody overtook is kept nowhere',
    file: publish,
    find: 'const keeping = isFinished ? await keepOurs(',
    replace: 'const keeping = branch === "" ? await keepOurs(',
    test: checkpointTest,
  },
  {
    of: '18.3',
    name: 'a repeated step keeps its work once more',
    file: publish,
    find: 'keepOurs(attempt, found.kept ?? sha, ports)',
    replace: 'keepOurs(attempt, sha, ports)',
    test: publishTest,
  },
  {
    of: '18.3',
    name: 'what a person merged is published once more',
    file: publish,
    find: 'return { tip: tip?.sha ?? null, ours: isThere ? ours.sha : null,',
    replace:
      'return { tip: tip?.sha ?? null, ours: isThere && tip.sha === ours.sha ? ours.sha : null,',
    test: checkpointTest,
  },
  {
    of: '18.3',
    name: 'what a newer attempt replaced is kept for ever',
    file: checkpoint,
    find: '      await forgetKept(task.id, ports)\n',
    replace: '',
    test: checkpointTest,
  },
  {
    of: '18.3',
    name: 'each repetition comments once more',
    file: keep,
    find: 'upsertComment(open.number, overtakenMarker, body)',
    replace:
      'upsertComment(open.number, `${overtakenMarker}${open.headSha}${all.length}${performance.now()}`, body)',
    test: keepTest,
  },
  {
    of: '18.3',
    name: 'a conflict within a private key is shown',
    file: keep,
    find: "if (shownText.includes('PRIVATE KEY')) return undefined\n",
    replace: '',
    test: keepTest,
  },
  {
    of: '18.3',
    name: 'their commits are told without an end',
    file: keep,
    find: 'commits.slice(0, mostCommits)',
    replace: 'commits',
    test: keepTest,
  },
  {
    of: '18.3',
    name: 'a rebase by hand is not recognised',
    file: own,
    find: 'isFinished(each) && isSameAttempt(each, tip)',
    replace: 'each.sha === tip.sha',
    test: ownTest,
  },
  {
    of: '18.3',
    name: "anybody's ref counts as finished work",
    file: own,
    find: ' || !isFinishedFor(tip, id)) continue',
    replace: ') continue',
    test: ownTest,
  },
  {
    of: '18.3',
    name: 'a task is paid for again while its work is kept',
    file: reconcile,
    find: '(kept && judgeKept(task, kept, { branches, pullRequest, forge })) ??',
    replace: '',
    test: reconcileTest,
  },
  {
    of: '18.3',
    name: 'an attempt drops what somebody pushed before it',
    file: 'src/tasks/start/find-start.ts',
    find: 'return { ...start, sha: head }',
    replace: 'return start',
    test: 'test/tasks/start/start-on-others.test.ts',
  },
  {
    of: '18.3',
    name: 'a title of their commit acts on GitHub',
    file: text,
    find: "neutraliseLine(title).replaceAll('`', \"'\")",
    replace: 'title',
    test: textTest,
  },
  {
    of: '18.3',
    name: 'the command that takes ours drops a commit that nobody has seen',
    file: text,
    find: '`git push --force-with-lease=${branch}:${other} origin',
    replace: '`git push --force origin',
    test: textTest,
  },
  {
    of: '18.3',
    name: 'what a merge brought from the base counts as theirs',
    file: compare,
    find: 'readSide(clone, theirs, [ours, base],',
    replace: 'readSide(clone, theirs, [ours],',
    test: compareTest,
  },
]
