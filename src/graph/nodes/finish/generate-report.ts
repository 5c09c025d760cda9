import { changeState, fileVerdict } from '../../../core/domain/change-state.ts'
import { ExecutorError } from '../../../core/domain/errors.ts'
import type { JournalEvent } from '../../../core/domain/journal-event.ts'
import type { RunError, RunState } from '../../../core/domain/run-state.ts'
import type { Ports } from '../../../core/ports.ts'
import { commentReport } from '../../../publish/effects/comment-report.ts'
import { buildReport, type Report, writeTodos } from '../../../publish/report/build-report.ts'
import { summariseDestructive } from '../../../publish/report/describe-change.ts'
import { writeReportHtml } from '../../../publish/report/write-report-html.ts'
import { writeReportMarkdown } from '../../../publish/report/write-report-markdown.ts'
import { loadRoadmap } from '../../../tasks/load-roadmap.ts'
import { isLeft } from '../../../tasks/standing/is-left.ts'
import type { Step } from '../../step.ts'

type Needs = Pick<Ports, 'store' | 'forge' | 'clock' | 'workspace' | 'settings'>

/** Writes the report for people and for programs, and on the run's pull requests. */
export async function generateReport(state: RunState, ports: Needs): Promise<Step<'reported'>> {
  const completedAt = ports.clock.now()
  const roadmap = await loadRoadmap(state, ports)
  const results = withDeferred(state)
  const events = await ports.store.journal(state.run.id)
  const known = [...state.record.errors, ...unseenWrites(state, events)]
  const write = async (errors: readonly RunError[]): Promise<Report> => {
    const report = buildReport(
      changeState(state, { tasks: { results }, record: { errors }, run: { completedAt } }),
      { events, runLog: ports.forge.runLog },
    )
    await ports.store.writeReport('report.json', `${JSON.stringify(report, null, 2)}\n`)
    await ports.store.writeReport('report.md', writeReportMarkdown(report))
    await ports.store.writeReport('report.html', writeReportHtml(report))
    return report
  }
  const report = await write(known)
  await ports.store.writeReport('todos.json', writeTodos(roadmap?.tasks ?? [], results))
  // Only now: where the forge ends the run, the files are there.
  const refused = await commentReport(report, ports)
  const errors = [...known, ...refused]
  if (refused.length > 0) await write(errors)
  return {
    outcome: 'reported',
    patch: { run: { completedAt }, tasks: { results }, record: { errors } },
  }
}

/** Deferred tasks without a second try stay deferred, and unasked questions wait, unless the next run resumes here. */
function withDeferred(state: RunState): RunState['tasks']['results'] {
  if (state.progress.resumeAt !== null) return state.tasks.results
  const unreached = Object.values(state.tasks.parked).filter(({ task }) => isLeft(state, task.id))
  const left = unreached.map((attempt) => {
    const waits = attempt.destructive.length > 0
    const reason = waits
      ? `waits: the change contains destructive operations: ${summariseDestructive(attempt.destructive)}`
      : (attempt.proposal?.explanation ?? '')
    return fileVerdict(changeState(state, { attempt }), waits ? 'waiting' : 'deferred', { reason })
  })
  return Object.assign({}, state.tasks.results, ...left.map(({ tasks }) => tasks?.results))
}

/** Writes of this run whose outcome is unknown and that nothing else reports. */
function unseenWrites(
  { record: { errors } }: RunState,
  events: readonly JournalEvent[],
): readonly RunError[] {
  const uncertain = new Map<string, string | null>()
  for (const event of events) {
    if (event.kind !== 'effected') continue
    const { effect, key, outcome, detail } = event
    uncertain.set(`${effect} ${key}`, outcome === 'uncertain' ? detail : null)
  }
  return [...uncertain.values()]
    .flatMap((detail) => detail ?? [])
    .filter((detail) => !errors.some(({ message }) => message.includes(detail)))
    .map((detail) => new ExecutorError('forge_unreachable', detail).toRecord(null))
}
