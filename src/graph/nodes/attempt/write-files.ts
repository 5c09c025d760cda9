import {
  type ChangeSet,
  type CodeProblem,
  contentAfter,
  type Folder,
  openTree,
  type Tree,
} from '../../../../packages/change/change.ts'
import { findOperations, openPolicyGate, packagesOf } from '../../../../packages/judge/judge.ts'
import {
  attemptOf,
  changeState,
  failureAt,
  joinPatches,
  patchAttempt,
} from '../../../core/domain/change-state.ts'
import type { RunState } from '../../../core/domain/run-state.ts'
import type { Ports } from '../../../core/ports.ts'
import { notAllowed } from '../../../core/proposal-hash.ts'
import { settleRepairs } from '../../../recovery/step/note-repair.ts'
import { recordUnasked } from '../../../recovery/task/decide.ts'
import type { Step, StepOf } from '../../step.ts'

type Needs = Pick<Ports, 'workspace' | 'settings' | 'sandbox' | 'clock'>

/**
 * Writes the change set into a fresh folder for this task, all or nothing, then asks git what changed: the gate's
 * second check reads the disk, not the plan. Asks the model again for a file whose name cannot be written, while
 * repairs remain. Renews the lock files of changed manifests as part of the change, and asks a person when one would
 * load packages from a new place.
 */
export async function writeFiles(state: RunState, ports: Needs): Promise<StepOf<'write_files'>> {
  const attempt = attemptOf(state)
  const changes = attempt.draft?.changes ?? []
  const folder = await ports.workspace.checkOut(attempt.task.id, attempt.start.sha)
  const written = await ports.workspace.write(folder, changes)
  if (written.status === 'refused') {
    const { path, reason } = written
    const type = typeOf(reason)
    const problems = type === null ? [] : [unfit(path, type, reason)]
    return askForAnother(state, problems, ports) ?? refuse(state, `${path}: ${reason}`, [])
  }
  const tree = await openTree(attempt.start.sha, ports.workspace)
  const diff = await ports.workspace.diff(folder)
  const problems = openPolicyGate(tree, attempt, ports.settings).checkDiff(diff, changes)
  if (problems.length === 0) return withLocks(state, folder, tree, ports)
  await ports.workspace.discard(attempt.task.id)
  const ignored = changes.filter(({ path }) => !diff.some((entry) => entry.path === path))
  const others = problems.filter(({ path }) => !ignored.some((change) => change.path === path))
  const unfits = others.length > 0 ? [] : ignored.map(({ path }) => unfit(path, 'write', isIgnored))
  return (
    askForAnother(state, unfits, ports) ??
    refuse(state, 'the files on disk differ from the validated change', problems)
  )
}

const isIgnored = 'git ignores it (.gitignore)'

/** Reasons that concern the name: the same text can be written under another. */
const aboutName =
  /ENAMETOOLONG|something of this name is there|is not a directory|is a symlink|not a regular file/

/** `null` for a reason that no other answer solves: a file that changed meanwhile. */
function typeOf(reason: string): CodeProblem['type'] | null {
  if (aboutName.test(reason)) return 'write'
  return /\bE(?:ACCES|PERM)\b/.test(reason) ? 'write_denied' : null
}

const unfit = (path: string, type: string, reason: string): CodeProblem => ({
  ...{ path, type, line: 0, column: 0 },
  message: `${path} cannot be written: ${reason}. It was left out: write it under another path, if it is needed.`,
})

/** Keeps the rest of the change. `null` when there is nothing to ask for, or no repair is left. */
function askForAnother(
  state: RunState,
  problems: readonly CodeProblem[],
  { settings }: Pick<Ports, 'settings'>,
): Step<'unfit'> | null {
  const attempt = attemptOf(state)
  const { draft, validationRepairs } = attempt
  if (draft === null || problems.length === 0) return null
  if (validationRepairs >= settings.limits.validationRepairs) return null
  const isLeft = ({ path }: { readonly path: string }) =>
    !problems.some((problem) => problem.path === path)
  const notes = problems.map(({ message }) => message)
  const left = {
    ...draft,
    changes: draft.changes.filter(isLeft),
    notes: [...draft.notes, ...notes],
  }
  const remedies = settleRepairs(attempt, problems)
  return { outcome: 'unfit', patch: patchAttempt(state, { draft: left, problems, remedies }) }
}

/** An approved change keeps the lock files that were approved. */
async function withLocks(
  state: RunState,
  folder: Folder,
  tree: Tree,
  ports: Needs,
): Promise<StepOf<'write_files'>> {
  const { draft, allowed } = attemptOf(state)
  if (draft === null || ports.settings.verify.mode === 'skip') return settled(state)
  const { locks: approved } = draft
  const renewed =
    approved === undefined
      ? await (await packagesOf(tree.with(draft.changes))).renewLocks(folder, ports)
      : ({ status: 'renewed', locks: approved, notes: [] } as const)
  if (renewed.status === 'failed') {
    const { reason, output, diagnosis, tried } = renewed
    const remedies = [
      ...attemptOf(state).remedies,
      ...tried.map((each) => ({ ...each, node: 'verify_task' as const })),
    ]
    const failure = failureAt('cannot_run', reason, { output, diagnosis })
    return { outcome: 'cannot_run', patch: patchAttempt(state, { failure, remedies }) }
  }
  const { locks, notes } = renewed
  const changes = locks.map(({ change }) => change)
  if (changes.length + notes.length === 0) return settled(state)
  const warnings = [...(draft.warnings ?? []), ...notes]
  const whole = patchAttempt(state, { draft: { ...draft, locks, warnings } })
  const found = await findOperations(changes, tree, ports.settings, true)
  const operations = notAllowed(found, allowed)
  if (operations.length > 0 && ports.settings.pauseDestructive) {
    const patch = patchAttempt(changeState(state, whole), { destructive: operations })
    return { outcome: 'destructive', patch }
  }
  const result = await ports.workspace.write(folder, overDraft(changes, draft.changes))
  if (result.status === 'refused') return refuse(state, `${result.path}: ${result.reason}`, [])
  const step = settled(changeState(state, whole))
  const unasked = recordUnasked(state, operations, ports.clock.now())
  return { ...step, patch: joinPatches(whole, step.patch, unasked) }
}

/** The folder already holds the model's own text of such a file. */
const overDraft = (locks: ChangeSet, changes: ChangeSet): ChangeSet =>
  locks.map((lock) => {
    const own = changes.find(({ path }) => path === lock.path)
    const before = own === undefined ? undefined : contentAfter(own)
    if (before === undefined || lock.action === 'delete') return lock
    return { action: 'modify', path: lock.path, before, content: lock.content }
  })

/** Marks requested renames as successful. */
function settled(state: RunState): Step<'written'> {
  const attempt = attemptOf(state)
  if (attempt.remedies.every(({ worked }) => worked !== null)) return { outcome: 'written' }
  const remedies = settleRepairs(attempt, [])
  return { outcome: 'written', patch: patchAttempt(state, { remedies }) }
}

function refuse(
  state: RunState,
  message: string,
  problems: readonly CodeProblem[],
): Step<'refused'> {
  const attempt = attemptOf(state)
  const failure = failureAt('refused', message, { problems })
  const remedies = settleRepairs(attempt, attempt.problems)
  return { outcome: 'refused', patch: patchAttempt(state, { failure, problems, remedies }) }
}
