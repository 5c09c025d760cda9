import { membersOf, type Task } from '../../../packages/task/task.ts'
import type { Attempt } from '../../core/domain/attempt.ts'
import {
  changeState,
  joinPatches,
  patchAttempt,
  type StateFacts,
  type StatePatch,
  shareCost,
} from '../../core/domain/change-state.ts'
import { composeTask } from '../../core/domain/compose-task.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import { subtractUsage } from '../../core/domain/usage.ts'
import { withoutResults } from './join-tasks.ts'
import { changesWithout, ownersOf } from './split-changes.ts'

/**
 * The patch that takes the tasks that failed out of a group's attempt, with their changes: they go alone, and the rest
 * is validated and verified again. `null` when nothing tells which tasks failed, when all did, or when their changes
 * cannot be told apart.
 */
export function partGroup(state: RunState, attempt: Attempt): StatePatch | null {
  const members = membersOf(attempt.task)
  const out = findFailed(attempt)
  if (attempt.draft === null || out === null || out.size === members.length) return null
  const changes = changesWithout(attempt, out)
  if (changes === null || changes.length === 0) return null
  const { locks: _, ...draft } = attempt.draft
  const rest = members.filter(({ id }) => !out.has(id))
  const gone = members.filter(({ id }) => out.has(id))
  const parted = goAlone(state, attempt, gone)
  const booked = gone.flatMap(({ id }) => parted.tasks.alone?.[id] ?? [])
  const next = patchAttempt(state, {
    ...{ task: composeTask(rest), draft: { ...draft, changes, refusals: [] } },
    usage: booked.reduce((left, { usage }) => subtractUsage(left, usage), attempt.usage),
    seconds: booked.reduce((left, { seconds }) => left - seconds, attempt.seconds),
    ...{ failure: null, problems: [], broken: [], tests: null, receipt: null, destructive: [] },
    ...(attempt.attributed && {
      attributed: attempt.attributed.filter(({ id }) => !out.has(id)),
    }),
  })
  return joinPatches(parted, next)
}

/** Books what a group's attempt cost so far on these members, each of which goes alone from now on. */
function goAlone(
  { tasks: { alone = {} } }: StateFacts<'tasks.alone'>,
  attempt: Attempt,
  gone: readonly Task[],
): { readonly tasks: Pick<RunState['tasks'], 'alone'> } {
  const members = membersOf(attempt.task)
  const attempts = attempt.number
  const booked = members.flatMap((member, index) =>
    gone.includes(member)
      ? [[member.id, { ...shareCost(attempt, members.length, index), attempts }] as const]
      : [],
  )
  return { tasks: { alone: { ...alone, ...Object.fromEntries(booked) } } }
}

/** The members whose accept command, code or tests failed; `null` when a failure cannot be blamed on one. */
function findFailed(attempt: Attempt): ReadonlySet<string> | null {
  const { tests, broken, failure } = attempt
  const failed = (tests?.commands ?? []).filter(
    ({ role, exitCode, timedOut }) => role === 'accept' && (timedOut || exitCode !== 0),
  )
  const commands = new Set(failed.map(({ command }) => words(command)))
  const unmet = membersOf(attempt.task).filter(({ accept }) =>
    accept.some((command) => commands.has(words(command))),
  )
  if (unmet.length > 0) return new Set(unmet.map(({ id }) => id))
  // A repair that cannot be used says less than the tests that it was for.
  const places =
    broken.length > 0
      ? broken.map(({ file, trace }) => [file ?? '', ...trace.map(withoutLine)])
      : (failure?.problems ?? []).map(({ path }) => [path])
  const blamed = places.map((paths) => blame(paths, attempt))
  const ids = blamed.flatMap((id) => id ?? [])
  return blamed.length === 0 || ids.length < blamed.length ? null : new Set(ids)
}

/** The only member that changed one of these files, the first that anyone changed. */
function blame(paths: readonly string[], attempt: Attempt): string | null {
  const changed = new Set(attempt.draft?.changes.map(({ path }) => path))
  const first = paths.find((path) => changed.has(path))
  const [owner, ...others] = first === undefined ? [] : ownersOf(first, attempt)
  return owner === undefined || others.length > 0 ? null : owner
}

/** `src/a.js:3:7` → `src/a.js`. */
const withoutLine = (frame: string): string => frame.replace(/:\d+(?::\d+)?$/, '')

const words = (command: string): string => command.trim().split(/\s+/).join(' ')

/** The verdicts of a group that could not be published are withdrawn: its members go alone. */
export function dissolve(state: RunState, attempt: Attempt): RunState {
  const members = membersOf(attempt.task)
  return withoutResults(changeState(state, goAlone(state, attempt, members)), members)
}
