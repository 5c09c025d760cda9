import { changeState } from '../../../src/core/domain/change-state.ts'
import type { JournalEntry, JournalEvent } from '../../../src/core/domain/journal-event.ts'
import type { RunState } from '../../../src/core/domain/run-state.ts'
import type { NodeName } from '../../../src/core/domain/steps.ts'
import { addUsage, noUsage, type Usage } from '../../../src/core/domain/usage.ts'
import type { TaskResult, Verdict } from '../../../src/core/domain/verdict.ts'
import { buildReport, type Report } from '../../../src/publish/report/build-report.ts'
import { sampleResult, sampleState } from '../../contracts/run-state.ts'

const start = Date.UTC(2026, 0, 2, 1, 17)
const iso = (second: number): string => new Date(Math.round(start + second * 1000)).toISOString()

const verdicts: readonly Verdict[] = [
  ...([
    'in_review',
    'in_review',
    'done',
    'in_review',
    'failed',
    'in_review',
    'unverified',
  ] as const),
  ...([
    'in_review',
    'waiting',
    'in_review',
    'deferred',
    'in_review',
    'replaced',
    'rejected',
  ] as const),
]

const titles = [
  'Parse the header of a `.csv` file, in `src/read-header.ts`',
  'Say which line of the import is wrong, and what stands in it',
  'Retry uploads that time out, with a growing pause between them',
  'Round prices half to even, as the tax office asks',
]

const reasons: Readonly<Partial<Record<Verdict, string>>> = {
  failed:
    'still not valid after 2 repairs: the test `rounds half to even` fails: expected 2, got 3 (test/round.test.ts:14)',
  unverified: 'no test has seen this: the project has none for `scripts/`.',
  waiting:
    'waits: the change contains destructive operations: 1 filesystem (scripts/clean.sh:3 `rm -rf "$DIR"`)',
  deferred: 'needs `src/format-date.ts`, which T-12 brings.',
  replaced: 'two smaller tasks took its place.',
}

type Took = readonly [node: NodeName | 'installed', seconds: number, outcome?: string]

/** What a task of this verdict goes through. */
function stepsOf(verdict: Verdict, n: number): readonly Took[] {
  const draft = 8 + ((n * 37) % 50)
  const begun: readonly Took[] = [
    ['pick_task', 0.4],
    ['plan_task', 4],
    ['build_context', 0.3],
  ]
  const install: readonly Took[] = n === 0 ? [['installed', 34]] : []
  const drafted: readonly Took[] = [
    ...begun,
    ...install,
    ['execute_task', draft],
    ['validate_code', 0.3],
  ]
  const repaired: readonly Took[] = [
    ['verify_task', 9],
    ['repair_test', 12],
    ['verify_task', 11],
  ]
  if (verdict === 'waiting') return [...drafted, ['await_approval', 0.5, 'waiting']]
  if (verdict === 'failed')
    return [...drafted, ...repaired, ['repair_test', 14], ['classify_failure', 5]]
  if (n % 3 === 1) return [...drafted, ...repaired, ['checkpoint', 2.2]]
  return [...drafted, ['write_files', 0.2], ['verify_task', 7 + (n % 5) * 3], ['checkpoint', 2.1]]
}

/** A run of so many tasks, with every outcome, a pause of hours, and its journal. */
export function aNight(
  count: number,
  changed: (result: TaskResult, n: number) => Partial<TaskResult> = () => ({}),
): { readonly state: RunState; readonly events: readonly JournalEvent[]; readonly report: Report } {
  const events: JournalEvent[] = []
  const results: Record<string, TaskResult> = {}
  const nodes: Record<string, RunState['spent']['nodes']['execute_task']> = {}
  let now = 0
  let total: Usage = noUsage
  const tell = (entry: JournalEntry) =>
    events.push({ seq: events.length, at: iso(now), run: 'run-20260102-011700-a1b2c3', ...entry })
  for (let n = 0; n < count; n++) {
    const verdict = verdicts[n % verdicts.length] ?? 'done'
    const id = `T-${101 + n}`
    const began = now
    let used: Usage = noUsage
    for (const [node, seconds, outcome = 'picked'] of stepsOf(verdict, n)) {
      const isModel = /task$|^repair/.test(node) && !/^(?:pick|verify)/.test(node)
      const usage = isModel
        ? { requests: 1, promptTokens: 2_400, completionTokens: 500, dollars: 0.0021 }
        : noUsage
      if (node === 'installed') {
        now += seconds
        tell({ kind: 'installed', tool: 'npm ci', exitCode: 0, seconds })
        now -= seconds
        continue
      }
      now += seconds
      tell({
        kind: 'stepped',
        node,
        outcome: outcome as 'picked',
        task: id,
        attempt: 1,
        seconds,
        usage,
      })
      used = addUsage(used, usage)
      const known = nodes[node] ?? { calls: 0, seconds: 0, usage: noUsage }
      nodes[node] = {
        calls: known.calls + 1,
        seconds: known.seconds + seconds,
        usage: addUsage(known.usage, usage),
      }
    }
    total = addUsage(total, used)
    const isStacked = n % 5 === 3 || n % 5 === 4
    const hasBranch = ['in_review', 'done', 'unverified', 'failed'].includes(verdict)
    const { receipt } = sampleResult(id)
    const result = sampleResult(id, {
      ...{ title: titles[n % titles.length] ?? '', verdict, reason: reasons[verdict] ?? '' },
      ...{
        usage: used,
        seconds: now - began,
        repairs: verdict === 'failed' ? 2 : n % 3 === 1 ? 1 : 0,
      },
      sha: hasBranch ? String(n + 1).padStart(40, 'a') : null,
      branch: hasBranch ? `agent/${id}` : null,
      start: isStacked ? String(n).padStart(40, 'a') : 'b'.repeat(40),
      pullRequest:
        hasBranch || verdict === 'waiting'
          ? { number: 41 + n, url: `https://github.com/corner/shop/pull/${41 + n}` }
          : null,
      receipt:
        hasBranch && receipt
          ? { ...receipt, changed: { files: 1 + (n % 4), added: 12 + n, removed: n % 7 } }
          : null,
    })
    results[id] = { ...result, ...changed(result, n) }
    // A limit ended the run, and the next night went on with it.
    if (n === Math.floor(count / 2)) now += 7 * 3600
  }
  const base = sampleState()
  const state = changeState(base, {
    run: {
      id: 'run-20260102-011700-a1b2c3',
      startedAt: iso(0),
      completedAt: iso(now + 1),
      gap: null,
    },
    tasks: { results, leases: {} },
    spent: { usage: total, seconds: now - 7 * 3600, nodes },
    record: { ...base.record, errors: [] },
    progress: { limits: [] },
  })
  return { state, events, report: buildReport(state, { events }) }
}
