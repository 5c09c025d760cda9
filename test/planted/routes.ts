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
]
