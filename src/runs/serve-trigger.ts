import type { AdoptedIssue } from '../core/domain/answer.ts'
import { ExecutorError } from '../core/domain/errors.ts'
import { label } from '../core/domain/identity.ts'
import { isBefore, secondsBefore } from '../core/domain/instant.ts'
import type { RunState } from '../core/domain/run-state.ts'
import type { Overview, Remark } from '../core/ports/discussion.ts'
import { describeGap } from '../publish/report/describe-gap.ts'
import {
  dashboardMarker,
  dashboardTitle,
  writeDashboard,
} from '../publish/report/write-dashboard.ts'
import { readLastRun, writeLastRun } from '../publish/report/write-last-run.ts'
import { takeBackLeft } from '../publish/rollback/roll-back-parts.ts'
import { findBroken, findStanding } from '../tasks/standing/find-standing.ts'
import { findUnanswered, withoutRun } from './commands/find-unanswered.ts'
import { brokenSetUp, type Served, serveCommands } from './commands/serve-commands.ts'
import { loadAdopted, tellIssues } from './issues/adopted-issues.ts'
import { serveIssues } from './issues/serve-issues.ts'
import { nothingAsked } from './new-run.ts'
import { fortnight, isSwitchedOff, type Seen, type Services } from './pass.ts'
import { refreshPullRequests } from './refresh-pull-requests.ts'
import { repairChecks } from './repair-checks.ts'
import { dryRunPorts } from './run-ports.ts'
import { finishCutOff, type RunRequest, runRoadmap } from './run-roadmap.ts'
import { lookAtSchedule } from './schedule/look-at-schedule.ts'
import type { Trigger } from './triggers/trigger.ts'

export interface ServeRequest extends Pick<RunRequest, 'dryRun' | 'signal' | 'observer'> {
  readonly trigger: Trigger
  /** False where no model can be asked; by default, one can. */
  readonly model?: boolean
  /** Receives what was answered and updated, one sentence each. */
  readonly say: (sentence: string) => void
}

type Wanted = Pick<RunRequest, 'only' | 'asked' | 'remark' | 'gap'>
type StartRun = (wanted: Wanted) => Promise<RunState>

/**
 * Makes one pass over a repository, whatever started it: issues, unanswered commands, changes since the last pass,
 * the requested work, the dashboard. Can be killed anywhere and repeated: each part reads the present state first. A
 * pass with nothing to do writes nothing.
 *
 * @returns the runs of this pass, oldest first; empty when there was no work
 */
export async function serveTrigger(
  request: ServeRequest,
  services: Services,
): Promise<readonly RunState[]> {
  const runs: RunState[] = []
  let seen: Seen | null = null
  const tell = async (state: RunState): Promise<RunState> => {
    runs.push(state)
    for (const sentence of await tellIssues(state, services, seen)) request.say(sentence)
    return state
  }
  const startRun: StartRun = async (wanted) => tell(await start(request, services, wanted))
  const alone = standsAlone(request)
  const isWoken = request.trigger.kind === 'run' && request.trigger.woken === true
  if (isWoken && isOff(await services.discussion.overview(), request)) return runs
  if (alone !== null) {
    await startRun({ ...alone, asked: withIssues(await loadIssues(alone.only, services)) })
    return runs
  }
  await services.ports.leases.look()
  const cron = request.trigger.kind === 'run' ? (request.trigger.cron ?? null) : null
  const [before, scheduled] = await Promise.all([
    look(services, request.trigger),
    cron === null ? null : services.discussion.scheduledRuns(),
  ])
  seen = before
  const gap = cron === null ? null : await lookAtSchedule(cron, scheduled, services.ports)
  if (gap !== null) request.say(describeGap(gap))
  if (isOff(seen.overview, request)) return runs
  // A command that needs no run is answered before one starts.
  const early = await answerAll(request, seen, services, { startRun, which: withoutRun })
  if (early.answered > 0) seen = await look(services, request.trigger)
  const cutOff = mayWork(request.trigger)
    ? await finishCutOff(services.ports, request).catch(brokenSetUp)
    : null
  if (cutOff instanceof ExecutorError) {
    // Report the failure to everyone who asked for that run, or asks for another one.
    const fail: StartRun = () => Promise.reject(cutOff)
    await answerAll(request, seen, services, { startRun: fail })
    throw cutOff
  }
  if (cutOff !== null) await tell(cutOff)
  if (request.signal.aborted) return runs
  if (cutOff !== null) seen = await look(services, request.trigger)
  await serveAll(request, seen, services, { startRun, runs, gap })
  return runs
}

/** Tells that a person switched everything off. */
function isOff({ dashboard }: Overview, { say }: Pick<ServeRequest, 'say'>): boolean {
  if (!isSwitchedOff({ dashboard })) return false
  say(`Switched off: #${dashboard?.number} has the label ${label.stop}.`)
  return true
}

/** Merges and closed issues are handled without a model. */
const mayWork = ({ kind }: Trigger): boolean => kind !== 'reconcile' && kind !== 'issue_dropped'

/** Jobs of a matrix run in parallel, and a dry run writes nothing: each does only its tasks. */
function standsAlone({ trigger, dryRun }: ServeRequest): Pick<RunRequest, 'only'> | null {
  const only = trigger.kind === 'run' ? trigger.only : null
  return dryRun || only !== null ? { only } : null
}

/** Checks ended, and a model can be asked about failed ones. */
const mayRepair = ({ trigger, model = true }: ServeRequest): boolean =>
  model && trigger.kind === 'reconcile' && trigger.after === 'checks'

async function serveAll(
  request: ServeRequest,
  seen: Seen,
  services: Services,
  pass: {
    readonly startRun: StartRun
    /** Oldest first. */
    readonly runs: readonly RunState[]
    readonly gap: RunState['run']['gap']
  },
): Promise<void> {
  const { startRun, runs, gap } = pass
  const { trigger, say, signal } = request
  const { issues, work } = await serveIssues(trigger, seen, services, say)
  const asked = withIssues(issues)
  const commands = await answerAll(request, seen, services, { startRun })
  let before = commands.changed ? await look(services, request.trigger) : seen
  const isRefreshed = await refresh(before, services, say)
  const repaired = mayRepair(request)
    ? await repairChecks(
        isRefreshed ? await look(services, trigger) : before,
        services,
        startRun,
        say,
      )
    : []
  for (const number of repaired) say(`#${number} was worked on, because its checks failed.`)
  if (repaired.length > 0) before = await look(services, trigger)
  const only = trigger.kind === 'run' ? null : work
  const isAsked = only === null || only.length > 0
  const worked = isAsked && !signal.aborted ? await startRun({ only, asked, gap }) : null
  const isChanged = commands.changed || repaired.length > 0 || isRefreshed || didWork(worked)
  if (worked !== null && worked.roadmap.base.sha !== before.base) {
    // Our own merges start no workflow: handle their consequences here.
    await refresh(await look(services, request.trigger), services, say)
  }
  if (signal.aborted || !services.ports.settings.dashboard) return
  const standing = isChanged ? await standNow(before.overview, services) : before.standing
  const shown = { overview: before.overview, standing, lastRun: runs.findLast(didWork) }
  await updateDashboard(shown, services, say)
}

/** A run that only found earlier work changes nothing. */
const didWork = (state: RunState | null): boolean =>
  Object.values(state?.tasks.results ?? {}).some(({ thisRun }) => thisRun)

/** Skips lists without new remarks; the forge answers unchanged ones by ETag. */
async function look(services: Services, trigger: Trigger): Promise<Seen> {
  const { ports, discussion } = services
  const [view, pullRequests, overview, self] = await Promise.all([
    ports.workspace.refresh(),
    ports.forge.pullRequests(),
    discussion.overview(),
    discussion.self(),
  ])
  const { linesQuietSince: quiet, issues: open, dashboard } = overview
  const since = secondsBefore(ports.clock.now(), fortnight)
  const isPlace = pullRequests.length + open.length > 0 || dashboard !== null
  const kinds = quiet === null || isBefore(quiet, since) ? 'conversations' : 'all'
  const isSaid = isPlace || trigger.kind === 'remark'
  const remarks = isSaid ? await discussion.remarksSince(since, kinds) : []
  const issues = await adoptedIn(overview, services)
  const standing = () => findStanding(view, pullRequests, issues, ports)
  const broken = () => findBroken(view, pullRequests, issues, ports)
  return { base: view.base.sha, pullRequests, overview, remarks, self, issues, standing, broken }
}

/** The standing of the tasks after the work. A merge by someone else has its own event and pass. */
async function standNow(overview: Overview, services: Services): Promise<Seen['standing']> {
  const { forge, workspace } = services.ports
  const [view, pullRequests] = await Promise.all([workspace.refresh(), forge.pullRequests('known')])
  const issues = await adoptedIn(overview, services)
  return () => findStanding(view, pullRequests, issues, services.ports)
}

const adoptedIn = async (
  { issues }: Overview,
  { ports }: Services,
): Promise<readonly AdoptedIssue[]> => (issues.length > 0 ? await loadAdopted(ports) : [])

/** Answers the event's command, and those whose event was lost or merged with it. */
async function answerAll(
  { trigger, say }: ServeRequest,
  seen: Seen,
  services: Services,
  {
    startRun,
    which = (remarks) => remarks,
  }: { startRun: StartRun; which?: (remarks: readonly Remark[]) => readonly Remark[] },
): Promise<Served> {
  const all = findUnanswered({
    ...seen,
    own: trigger.kind === 'remark' ? trigger.remark : null,
    now: services.ports.clock.now(),
    mergeOnApprove: services.ports.settings.merge.onApprove,
  })
  const unanswered = which(all)
  if (unanswered.length === 0) return { answered: 0, changed: false }
  const served = await serveCommands(unanswered, seen, services, startRun)
  say(`${served.answered} of ${unanswered.length} commands answered.`)
  return served
}

/** Takes back what belongs together with a task that failed for good, and keeps the other pull requests mergeable. */
async function refresh(
  seen: Seen,
  { ports }: Services,
  say: (sentence: string) => void,
): Promise<boolean> {
  const taken = await takeBackLeft(await seen.broken(), ports)
  for (const { task, words, detail } of taken) say(`${task}: ${words.trim()} ${detail}`.trim())
  const pullRequests = taken.length > 0 ? await ports.forge.pullRequests() : seen.pullRequests
  const refreshed = await refreshPullRequests(pullRequests, seen.overview.pullRequests, ports)
  for (const number of refreshed.updated) say(`#${number} was brought up to date with its base.`)
  for (const { number, base } of refreshed.retargeted) say(`#${number} now targets ${base}.`)
  for (const { message } of refreshed.errors) say(message)
  return taken.length + refreshed.updated.length + refreshed.retargeted.length > 0
}

function start(
  { dryRun, signal, observer }: ServeRequest,
  { ports }: Services,
  wanted: Wanted,
): Promise<RunState> {
  return runRoadmap(dryRun ? dryRunPorts(ports) : ports, {
    ...wanted,
    fresh: false,
    dryRun,
    signal,
    ...(observer && { observer }),
  })
}

/** Reads adopted issues only when one is requested, or everything is. */
async function loadIssues(
  only: readonly string[] | null,
  { ports }: Services,
): Promise<readonly AdoptedIssue[]> {
  const isAsked = only === null || only.some((id) => id.startsWith('T-issue-'))
  return isAsked ? await loadAdopted(ports) : []
}

const withIssues = (issues: readonly AdoptedIssue[]): NonNullable<RunRequest['asked']> => ({
  ...nothingAsked,
  issues,
})

/** Writes the dashboard when its text changes; only reports a refusal. */
async function updateDashboard(
  shown: Pick<Seen, 'overview' | 'standing'> & { readonly lastRun: RunState | undefined },
  { ports }: Pick<Services, 'ports'>,
  say: (sentence: string) => void,
): Promise<void> {
  const { overview, standing, lastRun } = shown
  const { settings, forge } = ports
  const now = await standing()
  const ran =
    lastRun === undefined
      ? readLastRun(overview.dashboard?.body ?? '')
      : writeLastRun(lastRun, forge.runLog)
  const body = writeDashboard(now, settings.roadmap, ran)
  if (now.tasks.length === 0 || overview.dashboard?.body.trim() === body.trim()) return
  const labels = [label.dashboard]
  const written = await forge.upsertIssue({
    marker: dashboardMarker,
    title: dashboardTitle,
    body,
    labels,
    seen: overview.dashboard,
  })
  if (written.status === 'refused') say(`The dashboard was not written: ${written.detail}`)
}
