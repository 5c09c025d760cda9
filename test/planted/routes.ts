import type { Finding } from './finding.ts'

const ask = 'src/model/ask/ask-model.ts'
const silence = 'test/model/ask/silence.test.ts'
const fold = 'src/core/history/fold-events.ts'
const foldTest = 'test/core/history/fold-events.test.ts'

/** Of the history, of silent endpoints and of routes. */
export const routes: readonly Finding[] = [
  {
    of: 'history',
    name: 'a silence is not in the journal, and the whole question is paid after a kill',
    file: ask,
    find: '    await store.record(state.run.id, [{ ...about, ...said }])\n    return silent',
    replace: '    return silent',
    ...{ test: silence, only: 'is not asked for the whole again' },
  },
  {
    of: 'history',
    name: 'a silent endpoint is asked for the half for ever',
    file: ask,
    find: '    const next = await askOnce(now, ports, question, shownOf(question, share))',
    replace:
      '    const next = await askOnce(now, ports, { ...question, endsWhenSilent }, shownOf(question, share))',
    ...{ test: silence, only: 'is unavailable when it is silent again' },
  },
  {
    of: 'history',
    name: "the classifier's own error is the task's last error",
    file: fold,
    find: ' && !isInvestigation(event.node)',
    replace: '',
    ...{ test: foldTest, only: 'not the last error of its task' },
  },
  {
    of: 'history',
    name: 'a replay asks a silent endpoint for an answer that it did not give',
    file: 'src/runs/replay/replay-run.ts',
    find: " || event.kind === 'silent'",
    replace: '',
    ...{ test: 'test/runs/replay/replay-loop.test.ts', only: 'silent endpoint' },
  },
  {
    of: 'tried',
    name: "the search for a reason is told as the task's own repair",
    file: 'src/recovery/task/tell-repairs.ts',
    find: '[...remedies.filter(isRepair).map(tellRemedy), ...inLoop]',
    replace: '[...remedies.map(tellRemedy), ...inLoop]',
    ...{ test: 'test/recovery/task/tell-repairs.test.ts', only: 'search for a reason' },
  },
  {
    of: 'tried',
    name: 'the classifier is shown code without a limit',
    file: 'src/model/prompts/classify.ts',
    find: 'writePatch(changes, longestCode * share)',
    replace: 'writePatch(changes, 1e9)',
    ...{ test: 'test/model/prompts/prompts.test.ts' },
  },
  {
    of: 'routes',
    name: 'a resumed or replayed run chooses a way again',
    file: 'src/recovery/task/choose-route.ts',
    find: 'event.task === task.id && event.attempt === number',
    replace: 'event.task === task.id && event.attempt === number + 1_000',
    ...{ test: 'test/recovery/task/choose-route.test.ts', only: 'the journal has' },
  },
  {
    of: 'routes',
    name: 'a failed loop of tools is followed by another for ever',
    file: 'src/recovery/task/choose-route.ts',
    find: " || route.way === 'tools'",
    replace: '',
    ...{ test: 'test/recovery/task/choose-route.test.ts', only: 'after tools' },
  },
  {
    of: 'routes',
    name: 'the next way spends more than the task may',
    file: 'src/recovery/task/choose-route.ts',
    find: 'roomForTask(state, settings) < totalTokens(usage) * toolsFactor',
    replace: 'roomForTask(state, settings) < 0',
    ...{ test: 'test/recovery/task/choose-route.test.ts', only: 'beyond the budget' },
  },
  {
    of: 'routes',
    name: 'a way is left after fewer than five misroutes',
    file: 'src/core/history/choose-way.ts',
    find: '  if ((misroute?.cases ?? 0) < shownFrom) return false\n',
    replace: '',
    ...{ test: 'test/core/history/choose-way.test.ts', only: 'four misroutes' },
  },
  {
    of: 'routes',
    name: 'nine samples decide',
    file: 'src/core/history/choose-way.ts',
    find: 'each.shape === size.shape && samplesOf(each) >= comparedFrom',
    replace: 'each.shape === size.shape',
    ...{ test: 'test/core/history/choose-way.test.ts', only: 'with nine samples' },
  },
  {
    of: 'routes',
    name: 'a dear way is taken where the cheap one serves often enough',
    file: 'src/core/history/choose-way.ts',
    find: 'return rateOf(here) * tokensOf(there) <= tokensOf(here)',
    replace: 'return true',
    ...{ test: 'test/core/history/choose-way.test.ts', only: 'often enough' },
  },
  {
    of: 'routes',
    name: "the pull request on the configuration takes somebody else's branch",
    file: 'src/publish/effects/propose-config.ts',
    find: 'tip !== undefined && tip.trailers[trailer.proposal] === undefined',
    replace: 'tip !== undefined && tip.name === ""',
    ...{ test: 'test/publish/effects/propose-config.test.ts', only: "nobody else's" },
  },
  {
    of: 'routes',
    name: 'the configuration is changed on the default branch',
    file: 'src/publish/effects/propose-config.ts',
    find: 'if (base.branch === routingBranch)',
    replace: 'if (base.branch === "")',
    ...{ test: 'test/publish/effects/propose-config.test.ts', only: 'on no default branch' },
  },
]
