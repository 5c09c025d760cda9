import { type ChangeSet, changesOf } from '../../../../packages/change/change.ts'
import { openBaseline } from '../../../../packages/judge/judge.ts'
import {
  issueOf,
  resolveRoadmap,
  tickTask,
  tickUnboxed,
} from '../../../../packages/roadmap/roadmap.ts'
import { membersOf, type Task } from '../../../../packages/task/task.ts'
import type { Attempt } from '../../../core/domain/attempt.ts'
import {
  attemptOf,
  fileVerdict,
  joinPatches,
  noteErrors,
  type StatePatch,
} from '../../../core/domain/change-state.ts'
import { label } from '../../../core/domain/identity.ts'
import { sayOvertaken } from '../../../core/domain/overtaken.ts'
import type { RunState } from '../../../core/domain/run-state.ts'
import { withoutForge } from '../../../core/domain/unanswered.ts'
import { isFinishedVerdict, type Verdict } from '../../../core/domain/verdict.ts'
import type { Ports } from '../../../core/ports.ts'
import { keepPatch, settleQuestions, tellKept } from '../../../publish/effects/keep-attempt.ts'
import {
  compareOvertaken,
  forgetKept,
  tellOvertaken,
} from '../../../publish/effects/keep-overtaken.ts'
import { readNotes } from '../../../publish/effects/keep-scratchpad.ts'
import {
  type Published,
  publishAttempt,
  wordsFor,
} from '../../../publish/effects/publish-attempt.ts'
import { type IssueOrigin, writePullRequest } from '../../../publish/report/write-pull-request.ts'
import { isJoined } from '../../../recovery/task/join-tasks.ts'
import { splitChanges } from '../../../recovery/task/split-changes.ts'
import { loadRoadmap } from '../../../tasks/load-roadmap.ts'
import type { StepOf } from '../../step.ts'

type Needs = Pick<Ports, 'workspace' | 'forge' | 'settings' | 'store' | 'clock' | 'sandbox'>

/**
 * Commits the validated change and the ticked roadmap to `agent/<id>`, pushes it, and creates or updates its pull
 * request. Never overwrites other people's commits on the branch.
 */
export async function checkpoint(state: RunState, ports: Needs): Promise<StepOf<'checkpoint'>> {
  const attempt = attemptOf(state)
  const ticked = await tickRoadmap(attempt, state, ports)
  if (ticked.status === 'refused') {
    const reason = `the roadmap could not be ticked: ${ticked.reason}`
    await keepPatch(attempt, ports)
    return { outcome: 'failed', patch: fileVerdict(state, 'failed', { reason }) }
  }
  const unverified = attempt.receipt?.result !== 'passed'
  const published = await publishAttempt(attempt, state, ports, {
    changes: [...changesOf(attempt.draft), ...(ticked.steps.at(-1)?.whole ?? [])],
    parts: partsOf(attempt, ticked.steps, state),
    outcome: unverified ? 'unverified' : 'done',
    text: writePullRequest(attempt, state, wordsFor(ports), {
      origin: await originOf(state, ports),
      notes: await readNotes(attempt, state.run.id, ports),
    }),
    labels: unverified ? [label.task, label.unverified] : [label.task],
    draft: false,
  })
  const { branch, sha } = published
  switch (published.status) {
    case 'overtaken':
      return { outcome: 'overtaken', patch: await giveWay(published, state, ports) }
    case 'refused': {
      const reason = published.error.message
      // The work is paid for: the next run resumes here.
      const unreachable = withoutForge(state, published.error)
      if (unreachable !== null) return unreachable
      if (sha === null) await keepPatch(attempt, ports)
      const verdict = fileVerdict(state, 'failed', { reason, branch, sha })
      return {
        outcome: 'forge_refused',
        patch: joinPatches(verdict, noteErrors(state, published.error)),
      }
    }
    case 'published': {
      const { tests, task } = attempt
      await forgetKept(task.id, ports)
      if (tests !== null) {
        const baseline = await openBaseline({ sha: published.sha, task }, ports)
        baseline.remember(tests)
      }
      const { pullRequest } = published
      const verdict = verdictFor(unverified, ports)
      // The last note says why the tests prove nothing.
      const reason = unverified ? (attempt.receipt?.notes.at(-1) ?? 'nothing was run') : ''
      const number = pullRequest?.number ?? 0
      const how = { said: `The task is finished: see #${number}.`, except: number }
      const settled = await settleQuestions(task.id, state, ports, how)
      const opened = pullRequest !== null && state.tasks.heads[branch] === undefined ? 1 : 0
      return {
        outcome: 'proposed',
        patch: joinPatches(
          settled,
          fileVerdict(state, verdict, { reason, branch, sha, pullRequest }),
          {
            pullRequests: { opened: state.pullRequests.opened + opened },
            roadmap: {
              changes: isFromIssue(state)
                ? state.roadmap.changes
                : [
                    ...state.roadmap.changes,
                    ...membersOf(task).map(({ id }) => `${id} ticked on ${branch}`),
                  ],
            },
          },
        ),
      }
    }
  }
}

/** Leaves the branch to the person who moved it, and says where our commit is. */
async function giveWay(
  { branch, sha, kept }: Extract<Published, { readonly status: 'overtaken' }>,
  state: RunState,
  ports: Needs,
): Promise<StatePatch> {
  const attempt = attemptOf(state)
  const { id } = attempt.task
  if (kept === null) {
    const said = sha === null ? 'someone deleted' : `someone else's commit ${sha.slice(0, 7)} is on`
    const reason = await tellKept(`${said} ${branch}`, attempt, ports)
    return fileVerdict(state, 'waiting', { reason, branch })
  }
  await keepPatch(attempt, ports)
  const overtaken = await compareOvertaken(id, kept, sha, ports)
  const pullRequest = await tellOvertaken(overtaken, ports)
  const reason = sayOvertaken({ ...overtaken, ours: kept, theirs: sha })
  return fileVerdict(state, 'waiting', { reason, branch, pullRequest, overtaken })
}

function verdictFor(unverified: boolean, { forge }: Pick<Ports, 'forge'>): Verdict {
  if (unverified) return 'unverified'
  return forge.kind === 'local' ? 'done' : 'in_review'
}

const isFromIssue = (state: RunState): boolean =>
  issueOf(state.asked.issues, attemptOf(state).task.id) !== null

/** The issue that asked for this task, and whether merging this completes the issue. */
async function originOf(state: RunState, ports: Needs): Promise<IssueOrigin | null> {
  const { id } = attemptOf(state).task
  const issue = issueOf(state.asked.issues, id)
  if (issue === null) return null
  const roadmap = await loadRoadmap(state, ports)
  const isLast = (roadmap?.tasks ?? [])
    .filter((task) => task.id !== id && issueOf(state.asked.issues, task.id) === issue)
    .every(
      (task) =>
        task.status !== 'pending' || isFinishedVerdict(state.tasks.results[task.id]?.verdict),
    )
  return { issue, isLast }
}

/** The tick of one task: on top of those before it, and all of them so far. */
interface Tick {
  readonly own: ChangeSet
  readonly whole: ChangeSet
}

/** A commit for each task of a group, where its changes can be told apart and do not import each other. */
function partsOf(attempt: Attempt, ticks: readonly Tick[], state: RunState) {
  if (attempt.task.members === undefined || isJoined(state.tasks, attempt.task.id)) return null
  const split = splitChanges(attempt)
  return (
    split &&
    attempt.task.members.map((member, index) => ({
      member,
      changes: [...(split[index]?.changes ?? []), ...(ticks[index]?.own ?? [])],
    }))
  )
}

/** Ticks the task, or one task of a group after another, in the roadmap of the branch that this work starts from. */
async function tickRoadmap(
  { task, start }: Attempt,
  state: RunState,
  ports: Needs,
): Promise<
  | { readonly status: 'ticked'; readonly steps: readonly Tick[] }
  | { readonly status: 'refused'; readonly reason: string }
> {
  if (isFromIssue(state)) return { status: 'ticked', steps: [] }
  const path = state.roadmap.path
  const before = await roadmapAt(start.sha, state, ports)
  if (before === null) return { status: 'refused', reason: `${path} is gone` }
  const { granularity } = ports.settings
  const tick = (text: string, one: Task) => {
    const boxed = tickTask(text, one, { granularity })
    if (boxed.status !== 'refused') return boxed
    return tickUnboxed(text, one, state.roadmap.normalized?.marks ?? [], { granularity }) ?? boxed
  }
  const steps: Tick[] = []
  let now = before
  for (const one of membersOf(task)) {
    const here = tick(now, one)
    const newer =
      here.status === 'refused' ? await withNewTasks(now, start.sha, state, ports) : null
    const edited = newer === null ? here : tick(newer, one)
    if (edited.status === 'refused') return here.status === 'refused' ? here : edited
    const { text } = edited
    const since = (earlier: string): ChangeSet =>
      text === earlier ? [] : [{ action: 'modify', path, before: earlier, content: text }]
    steps.push({ own: since(now), whole: since(before) })
    now = text
  }
  return { status: 'ticked', steps }
}

/** Returns the base's roadmap, which may have tasks newer than the branch, with the branch's ticks. */
async function withNewTasks(
  ours: string,
  sha: string,
  state: RunState,
  ports: Needs,
): Promise<string | null> {
  const parting = await ports.workspace.mergeBase(state.roadmap.base.sha, sha)
  const [start, theirs] = await Promise.all([
    parting === null ? null : roadmapAt(parting, state, ports),
    roadmapAt(state.roadmap.base.sha, state, ports),
  ])
  if (start === null || theirs === null) return null
  const { granularity } = ports.settings
  const resolved = resolveRoadmap({ start, ours, theirs }, { granularity })
  return resolved.status === 'resolved' ? resolved.text : null
}

const roadmapAt = async (
  sha: string,
  { roadmap: { path: roadmap } }: RunState,
  { workspace }: Pick<Needs, 'workspace'>,
): Promise<string | null> => (await workspace.readFiles(sha, [roadmap])).get(roadmap) ?? null
