import { checkDiff } from '../../../changes/gate/gate.ts'
import { gateRules } from '../../../changes/gate/gate-rules.ts'
import { attemptOf, patchAttempt } from '../../../core/domain/attempt.ts'
import type { CodeProblem } from '../../../core/domain/problem.ts'
import type { RunState } from '../../../core/domain/run-state.ts'
import type { Ports } from '../../../core/ports.ts'
import { settleRepairs } from '../../../recovery/step/note-repair.ts'
import { materialise } from '../../../verify/prepare/materialise.ts'
import type { Step } from '../../step.ts'

/**
 * Writes the change set into a fresh folder of the task's own, all or nothing, and then asks
 * git what really changed: the gate's second look is at the disk, not at the plan. A file that cannot
 * be there under its name is asked for anew, as long as repairs last.
 */
export async function writeFiles(
  state: RunState,
  ports: Pick<Ports, 'workspace' | 'settings'>,
): Promise<Step<'written' | 'unfit' | 'refused'>> {
  const attempt = attemptOf(state)
  const changes = attempt.draft?.changes ?? []
  const written = await materialise(attempt, ports)
  if (written.status === 'refused') {
    const { path, reason } = written
    const type = typeOf(reason)
    const problems = type === null ? [] : [unfit(path, type, reason)]
    return askForAnother(state, problems, ports) ?? refuse(state, `${path}: ${reason}`, [])
  }
  const files = await ports.workspace.listFiles(attempt.start.sha)
  const rules = gateRules(attempt, files, ports.settings)
  const diff = await ports.workspace.diff(written.folder)
  const problems = checkDiff(diff, changes, rules)
  if (problems.length === 0) return settled(state)
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

/** Reasons that are about the name: under another one the same text can be written. */
const aboutName =
  /ENAMETOOLONG|something of this name is there|is not a directory|is a symlink|not a regular file/

/** `null` for a reason that no other answer mends: a file that changed under us. */
function typeOf(reason: string): CodeProblem['type'] | null {
  if (aboutName.test(reason)) return 'write'
  return /\bE(?:ACCES|PERM)\b/.test(reason) ? 'write_denied' : null
}

const unfit = (path: string, type: string, reason: string): CodeProblem => ({
  ...{ path, type, line: 0, column: 0 },
  message: `${path} cannot be written: ${reason}. It was left out: write it under another path, if it is needed.`,
})

/** The rest of the change is kept. `null` where there is nothing to ask, or no repair is left. */
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

/** What was asked for anew could be written. */
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
  const failure = { at: 'refused', message, problems, failures: [], output: '' }
  const remedies = settleRepairs(attempt, attempt.problems)
  return { outcome: 'refused', patch: patchAttempt(state, { failure, problems, remedies }) }
}
