import type { Focus, PartName } from './quick-parts.ts'

/** A bug to be planted: the text is there exactly once, and what comes in its place is wrong. */
export interface Mutant extends Focus {
  readonly name: string
  readonly file: string
  readonly find: string
  readonly replace: string
  /** What meets it. */
  readonly part: PartName
}

const effects = 'src/effects/perform-effect.ts'
const marked = 'src/adapters/octokit/upsert-marked.ts'
const roadmap = 'src/runs/run-roadmap.ts'
const ask = 'src/budget/ask-model.ts'

export const mutants: readonly Mutant[] = [
  {
    name: 'a write in doubt is repeated without a look',
    file: effects,
    find: "attempt(verdict === 'in_doubt' ? () => lookFor(effect, means) : effect.look)",
    replace: 'attempt(async () => seen)',
    part: 'effect',
  },
  {
    name: 'nobody looks before the act',
    file: effects,
    find: 'effect.seen === undefined ? await attempt(effect.look) : { value: effect.seen }',
    replace: '{ value: effect.seen ?? (false as Seen) }',
    part: 'effect',
  },
  {
    name: 'one look after a write in doubt has to do',
    file: effects,
    find: 'for (const seconds of others) {',
    replace: 'for (const seconds of others.slice(0, 0)) {',
    part: 'effect',
  },
  {
    name: 'the intent is recorded after the act',
    file: effects,
    find: '  await means.log.intend(kind, key, detail)\n  const end = await bringAbout(effect, means)\n',
    replace:
      '  const end = await bringAbout(effect, means)\n  await means.log.intend(kind, key, detail)\n',
    part: 'effect',
  },
  {
    name: 'what was refused is tried again',
    file: effects,
    find: "if (verdict === 'refused') return { outcome: 'refused', error: failure }",
    replace: '',
    part: 'effect',
  },
  {
    name: 'a marker is enough, whoever wrote it',
    file: marked,
    find: "body?.startsWith(marker) && sameName(user?.login ?? '', ours)",
    replace: 'body?.startsWith(marker)',
    part: 'foreignMarker',
  },
  {
    name: 'comments lose their marker',
    file: marked,
    find: 'body.startsWith(marker) ? body : `${marker}\\n${body}`',
    replace: 'body',
    part: 'foreignMarker',
  },
  {
    name: "somebody else's pull request is ours",
    file: 'src/adapters/octokit/upsert-pull-request.ts',
    find: "sameHead.filter(({ user }) => sameName(user?.login ?? '', us))",
    replace: 'sameHead',
    part: 'foreignPull',
  },
  {
    name: 'a push does not say what it expects',
    file: 'src/adapters/git-workspace/move-ref.ts',
    find: "`--force-with-lease=${ref}:${expected ?? ''}`",
    replace: "'--force'",
    part: 'foreignCommit',
  },
  {
    name: 'the client repeats writes, too',
    file: 'src/adapters/octokit/client/follow-policy.ts',
    find: 'const again = isRead(options)',
    replace: 'const again = true',
    part: 'calls',
    call: ['comment', 1, '502, and it took effect'],
  },
  {
    name: 'an answer is not journalled',
    file: ask,
    find: '    await keep(state, ports, { ...answer',
    replace: '    void ((..._: unknown[]) => keep)(state, ports, { ...answer',
    part: 'memory',
    cases: /: night: killed before store\.save .* then night/,
  },
  {
    name: 'an answer is kept before it is booked',
    file: ask,
    find: '    await record(reply.usage, ports)\n    const outline = outlineRequest(messages)\n    await keep(state, ports, { ...answer, purpose, model, seconds, outline })\n',
    replace:
      '    const outline = outlineRequest(messages)\n    await keep(state, ports, { ...answer, purpose, model, seconds, outline })\n    await record(reply.usage, ports)\n',
    part: 'memory',
    cases: /killed after store\.record \(call \d\d\), then night/,
  },
  {
    name: 'any answer to the same call is taken',
    file: 'src/adapters/file-store/journal-log.ts',
    find: 'answers.get(`${call} ${hash}`) ?? null',
    replace: '[...answers.values()].find((one) => one.call === call) ?? null',
    part: 'tornJournal',
  },
  {
    name: 'a torn line swallows the next',
    file: 'src/adapters/file-store/journal-log.ts',
    find: "(isTorn ? '\\n' : '')",
    replace: "''",
    part: 'tornJournal',
  },
  {
    name: 'a damaged state is no state',
    file: 'src/adapters/file-store/state-files.ts',
    find: "return { status: 'damaged', detail: `${name}: ${why}` }",
    replace: "return { status: 'none' }",
    part: 'cutState',
  },
  {
    name: 'a held lock is taken',
    file: 'src/adapters/file-store/run-lock.ts',
    find: "error.code === 'EEXIST') return false",
    replace: "error.code === 'EEXIST') return true",
    part: 'lock',
  },
  {
    name: 'starts that ended in a death are not counted',
    file: roadmap,
    find: 'state.stopped === null ? countStart(resumed, ports) : resumed',
    replace: 'resumed',
    part: 'poison',
  },
  {
    name: 'steps are not saved',
    file: 'src/graph/run-graph.ts',
    find: '    await ports.store.save(state, events)\n',
    replace: '',
    part: 'memory',
    cases: /: night: killed after forge\.upsertPullRequest .* then night/,
  },
  {
    name: 'what a killed process pushed is taken for somebody else’s',
    file: 'src/effects/publish-attempt.ts',
    find: 'tip?.trailers[trailer.run] === state.runId',
    replace: 'tip?.trailers[trailer.run] === `${state.runId} `',
    part: 'memory',
    cases: /: night: killed after workspace\.publish .* then night/,
  },
  {
    name: 'a command whose reply was lost is obeyed again',
    file: roadmap,
    find: '  if (last !== null && isOfRemark(last.state, request) && isOver(last.state)) return last.state\n',
    replace: '',
    part: 'memory',
    scenario: 1,
    cases: /reviews a line: killed after discussion\.answer .* then again/,
  },
  {
    name: 'a command that was cut off is forgotten',
    file: 'src/runs/serve-trigger.ts',
    find: 'mayWork(request.trigger) ? await finishCutOff(services.ports, request) : null',
    replace: 'request.trigger.kind === "lint" ? await finishCutOff(services.ports, request) : null',
    part: 'memory',
    scenario: 2,
    cases: /labels an issue: killed after store\.save \(call [4-9]\d\), then night/,
  },
  {
    name: 'what a list says is told without another look',
    file: 'src/runs/refresh-pull-requests.ts',
    find: "  if (!labelled && (await forge.pullRequest(number))?.state !== 'open') return []\n",
    replace: '',
    part: 'memory',
    cases: /merges the first: lagging forge\.pullRequests/,
  },
  {
    name: 'work that could not be pushed is thrown away',
    file: 'src/domain/unanswered.ts',
    find: "error?.code !== 'forge_unreachable'",
    replace: "error?.code !== ''",
    part: 'memory',
    cases: /: night: unreachable workspace\.publish/,
  },
  {
    name: 'a question is asked on the line and below',
    file: 'src/effects/publish-on-recovery-branch.ts',
    find: "onLine.status === 'refused' && onLine.code !== 'forge_unreachable'",
    replace: "onLine.status === 'refused'",
    part: 'memory',
    cases: /unanswered forge\.upsertReviewComment/,
  },
  {
    name: 'a question that was never put is waited for',
    file: 'src/reconcile/judge-recovery.ts',
    find: "given.forge === 'local' && given.branches.has(branch)",
    replace: 'given.branches.has(branch)',
    part: 'memory',
    cases: /: night: unanswered workspace\.publish/,
  },
  {
    name: 'a branch that moved without a word of it was moved by somebody else',
    file: 'src/adapters/git-workspace/move-ref.ts',
    find: '      if (now === sha) return null\n      if (now !== expected) return',
    replace: '      if (now !== expected) return',
    part: 'localPublish',
  },
  {
    name: 'a git that fails on a full disk is a verdict on the work',
    file: 'src/adapters/git-workspace/move-ref.ts',
    find: "if (!cannotBe.test(run.stderr)) throw gitFailed(['update-ref'], run)",
    replace: '',
    part: 'localPublish',
  },
  {
    name: 'a lock that a killed git left holds for ever',
    file: 'src/adapters/git-workspace/move-ref.ts',
    find: 'await removeStaleLock(join(gitDir, `${ref}.lock`))',
    replace: '',
    part: 'localPublish',
  },
]
