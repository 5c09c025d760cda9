import { posix } from 'node:path'
import {
  contentAfter,
  type Draft,
  type FileChange,
  type Refusal,
} from '../../../../packages/change/change.ts'
import { openRepair, readDraft } from '../../../../packages/judge/judge.ts'
import { fenced, showText } from '../../../../packages/text/text.ts'
import type { AnswerForm, TriedRequest } from '../../../core/domain/answer-form.ts'
import type { Attempt, ContextFile } from '../../../core/domain/attempt.ts'
import {
  attemptOf,
  changeState,
  joinPatches,
  patchAttempt,
  type StatePatch,
  wayOf,
  withEarlierNotes,
  withoutPaths,
} from '../../../core/domain/change-state.ts'
import type { RunState } from '../../../core/domain/run-state.ts'
import { withoutAnswer, withoutRoom } from '../../../core/domain/unanswered.ts'
import type { Message } from '../../../core/ports/model.ts'
import type { Ports } from '../../../core/ports.ts'
import { askModel, firstOf, type ModelPorts } from '../../../model/ask/ask-model.ts'
import { aroundAttempt } from '../../../model/context/around-attempt.ts'
import { partFrom } from '../../../model/context/relevant-part.ts'
import { shortenFile } from '../../../model/prompts/compose-prompt.ts'
import { showReflection } from '../../../model/prompts/reflect.ts'
import { repairCodePrompt, type ShownProblem } from '../../../model/prompts/repair-code.ts'
import { answerRoom, chooseForm } from '../../../model/size/complexity.ts'
import { afterCopy, afterUnusable } from '../../../recovery/step/next-request.ts'
import { noteRepair, repairedNothing, uselessRepair } from '../../../recovery/step/note-repair.ts'
import { fixForProblem } from '../../../recovery/step/offer-fix.ts'
import { askForDraft, draftForm, readAsked } from '../../parts/ask-for-draft.ts'
import { isElsewhere } from '../../parts/beside-change.ts'
import { mayDraw } from '../../parts/draw-sample.ts'
import type { StepOf } from '../../step.ts'

/**
 * Asks for an edit of the faulty lines only, showing the error and a few lines around it. Asks for the whole answer
 * again when no part of it could be used.
 */
export async function repairCode(
  state: RunState,
  ports: ModelPorts & Pick<Ports, 'workspace' | 'memory'>,
): Promise<StepOf<'repair_code'>> {
  const attempt = attemptOf(state)
  const allowed = leaveOut(attempt)
  if (allowed !== null) return { outcome: 'repaired', patch: patchAttempt(state, allowed) }
  if (wayOf(attempt, ports.settings.strategy) === 'agent') return { outcome: 'needs_agent' }
  const unseen = await unseenCode(attempt, ports)
  const { draft } = attempt
  // A repair of a file that the task does not need brings it no nearer.
  if (draft === null || draft.changes.length === 0 || isElsewhere(attempt)) {
    const request = afterUnusable(attempt, draftForm(state, ports))
    return askAgain(state, request, defectOf(attempt, request.form), unseen, ports)
  }
  // A weak model copies the faulty code that it is shown.
  const isAll = faultyFiles(attempt).length === draft.changes.length
  if (isAll && attempt.tests === null && mayDraw(attempt, ports) && repairedNothing(attempt)) {
    const request = afterCopy(attempt, draftForm(state, ports))
    return askAgain(state, request, reasonsOf(attempt, request.form), unseen, ports)
  }
  return askForEdits(state, unseen, ports)
}

type Needs = ModelPorts & Pick<Ports, 'workspace' | 'memory'>

/** Asks for all of the change again, in another form or as another sample: the last answer does not count. */
async function askAgain(
  state: RunState,
  request: TriedRequest,
  defect: string,
  unseen: readonly ContextFile[],
  ports: Needs,
): Promise<StepOf<'repair_code'>> {
  const attempt = attemptOf(state)
  const asked = await askForDraft(state, ports, {
    ...{ purpose: 'repair_code', request, defect, unseen },
  })
  if (asked.status === 'too_large') return withoutRoom(state, asked)
  if (asked.status !== 'answered') return withoutAnswer(state, asked)
  const { refusals = [] } = attempt.draft ?? {}
  const read = await readAsked(state, asked, request, ports, { changes: [], refusals })
  const { draft, patch } = { ...read, draft: await openRepair(attempt).guard(read.draft) }
  return repaired(changeState(state, patch), withNotes(draft, attempt), patch)
}

/** Asks for an edit of the faulty lines, with the error and a few lines around it. */
async function askForEdits(
  state: RunState,
  unseen: readonly ContextFile[],
  ports: Needs,
): Promise<StepOf<'repair_code'>> {
  const attempt = attemptOf(state)
  const known = await knownFixes(attempt, ports)
  const messages = (share: number) => repairMessages(attempt, known, firstOf(unseen, share), share)
  const written = (attempt.draft?.changes ?? []).map((change) => {
    const text = contentAfter(change) ?? ''
    return { path: change.path, text }
  })
  const room = answerRoom(
    written,
    written.map(({ path }) => path),
  )
  const asked = await askModel(state, ports, { purpose: 'repair_code', messages, ...room })
  if (asked.status === 'too_large') return withoutRoom(state, asked)
  if (asked.status !== 'answered') return withoutAnswer(state, asked)
  const read = await readDraft(asked.runaway ? '' : asked.text, {
    end: asked,
    base: attempt.draft?.changes ?? [],
    refused: attempt.draft?.refusals ?? [],
    expectedPath: onlyPath(attempt),
    ...(await aroundAttempt(attempt, ports)),
  })
  const guarded = await openRepair(attempt).guard(read)
  const draft = withoutReplaced(withNotes(guarded, attempt), attempt)
  return repaired(changeState(state, asked.patch), draft, asked.patch)
}

const withNotes = (draft: Draft, { draft: before }: Attempt): Draft => ({
  ...withEarlierNotes(draft, before),
  summary: before?.summary || draft.summary,
})

function repaired(after: RunState, draft: Draft, patch: StatePatch): StepOf<'repair_code'> {
  const attempt = attemptOf(after)
  const validationRepairs = attempt.validationRepairs + 1
  const remedies = noteRepair(attempt, draft)
  const change = { draft, validationRepairs, remedies }
  return { outcome: 'repaired', patch: joinPatches(patch, patchAttempt(after, change)) }
}

/** Keeps the files that may be changed. `null` when all of them may, or when the draft would be empty. */
function leaveOut(attempt: Attempt): Pick<Attempt, 'draft'> | null {
  const { draft } = attempt
  const { forbidden } = openRepair(attempt)
  if (draft === null || forbidden.length === 0) return null
  const left = withoutPaths(draft, forbidden)
  return left.changes.length === 0 ? null : { draft: { ...left, locks: undefined } }
}

/**
 * Drops a faulty new file when the answer sends it under another path instead. Two files count as the same when they
 * share the name or most of their lines.
 */
function withoutReplaced(draft: Draft, { draft: before, problems }: Attempt): Draft {
  const known = new Map((before?.changes ?? []).map((change) => [change.path, change]))
  const fresh = draft.changes.filter(({ action, path }) => action === 'create' && !known.has(path))
  const replaced = draft.changes.filter(
    (change) =>
      change.action === 'create' &&
      known.get(change.path) === change &&
      problems.some(({ path }) => path === change.path) &&
      fresh.some((other) => isSameFile(change, other)),
  )
  if (replaced.length === 0) return draft
  const notes = replaced.map(
    ({ path }) => `${path} was left out: the answer has it under another path`,
  )
  const changes = draft.changes.filter((change) => !replaced.includes(change))
  return { ...draft, changes, locks: undefined, notes: [...draft.notes, ...notes] }
}

function isSameFile(one: FileChange, other: FileChange): boolean {
  if (posix.basename(one.path) === posix.basename(other.path)) return true
  if (posix.extname(one.path) !== posix.extname(other.path)) return false
  const [lines, others] = [one, other].map((change) =>
    (contentAfter(change) ?? '').split('\n').filter((line) => line.trim().length > 2),
  )
  const shared = lines?.filter((line) => others?.includes(line)).length ?? 0
  return shared * 2 > Math.max(lines?.length ?? 0, 1)
}

/** The fix that solved the same problem before, in one line; usually empty. */
async function knownFixes(
  { problems, draft }: Attempt,
  { memory }: Pick<Ports, 'memory'>,
): Promise<string | null> {
  const [first] = problems
  const change = draft?.changes.find(({ path }) => path === first?.path)
  if (first === undefined || change === undefined) return null
  return fixForProblem(first, contentAfter(change) ?? '', memory)
}

/** In tokens for each file. */
const longestUnseen = 1_200
const mostUnseen = 2

/**
 * The code that refused edits are about, where the model was shown its outline or nothing of it; and where it found
 * nothing to change for a failing test in the lines that it was shown.
 */
async function unseenCode(
  { context, draft, start, failure }: Attempt,
  { workspace }: Pick<Ports, 'workspace'>,
): Promise<readonly ContextFile[]> {
  const whole = new Set(context.flatMap(({ path, whole }) => (whole ? [path] : [])))
  const isUnseen = ({ path, isEcho }: Refusal) =>
    isEcho === true ? failure?.at === 'failed' : !whole.has(path)
  const refused = Map.groupBy((draft?.refusals ?? []).filter(isUnseen), ({ path }) => path)
  const paths = [...refused.keys()].slice(0, mostUnseen)
  if (paths.length === 0) return []
  const texts = await workspace.readFiles(start.sha, paths)
  return paths.flatMap((path) => {
    const change = draft?.changes.find((each) => each.path === path)
    const text = (change && contentAfter(change)) ?? texts.get(path)
    const [quoted] = refused.get(path)?.flatMap(({ excerpt }) => excerpt || []) ?? []
    if (text === undefined || quoted === undefined) return []
    return partFrom(path, showText(path, text).text, quoted, longestUnseen) ?? []
  })
}

/** In characters, of a failing test's message. */
const longestCause = 300

const onlyOneFile =
  'It was cut off because it was too long. Reply with one file alone, the most needed; of a file that exists send SEARCH/REPLACE blocks only. The others are asked for afterwards.'

/** The advice of a refusal, and what it means for a file that is sent whole. */
const sendEdits = '; send only what changes, as SEARCH/REPLACE edits'
const keepAll = '; keep everything else that the file has'

/** Why the last answer could not be used, with the lines of the files that come closest to it. */
function defectOf(attempt: Attempt, form: AnswerForm): string {
  const scope = attempt.draft?.isCut ? ` ${onlyOneFile}` : ''
  const lines = isElsewhere(attempt) ? '' : closestLines(attempt)
  const why = `${reasonsOf(attempt, form)}${scope}${lines}`
  return [showReflection(attempt.reflections), why].filter((part) => part !== '').join('\n')
}

function reasonsOf(attempt: Attempt, form: AnswerForm): string {
  const { problems, draft, targets } = attempt
  const changed = (draft?.changes ?? []).map(({ path }) => path)
  const reasons =
    changed.length > 0 && isElsewhere(attempt)
      ? [`It changes only ${changed.join(', ')}. The task needs ${targets.join(', ')}.`]
      : problems.map(({ message }) =>
          form === 'edits' ? message : message.replace(sendEdits, keepAll),
        )
  return `Your last answer could not be used: ${reasons.join(' ')}`
}

/** The files with problems, where each is short enough to be sent whole; empty where one is not. */
function faultyFiles({ draft, problems }: Attempt): readonly ContextFile[] {
  const paths = new Set(problems.map(({ path }) => path))
  const files = (draft?.changes ?? []).flatMap((change): readonly ContextFile[] => {
    const text = paths.has(change.path) ? contentAfter(change) : undefined
    return text === undefined
      ? []
      : [{ path: change.path, text: showText(change.path, text).text, whole: true }]
  })
  return files.length === paths.size && chooseForm(files, [...paths], null) === 'whole' ? files : []
}

/** `share`, 1 or less, limits the problems shown. */
function repairMessages(
  attempt: Attempt,
  knownFix: string | null,
  unseen: readonly ContextFile[],
  share: number,
): readonly Message[] {
  const problems = firstOf(attempt.problems, share).map(show(attempt))
  const cause = attempt.failure?.at === 'failed' ? attempt.failure.message : null
  return repairCodePrompt({
    task: attempt.task,
    problems,
    files: unseen,
    faulty: faultyFiles(attempt),
    knownFix,
    cause: cause && shortenFile(cause, longestCause),
    useless: uselessRepair(attempt, 'repair_code'),
    reflection: showReflection(attempt.reflections),
  })
}

const mostExcerpts = 3

/** The lines that the reasons speak of: those of the file that come closest to a refused edit. */
const closestLines = (attempt: Attempt): string =>
  attempt.problems
    .map(show(attempt))
    .filter(({ excerpt }) => excerpt !== '')
    .slice(0, mostExcerpts)
    .map(({ path, excerpt }) => `\n${path}\n${fenced(excerpt)}`)
    .join('')

/** Shows a refused part of the answer itself; for any other problem, the code around it. */
const show =
  (attempt: Attempt) =>
  (problem: Attempt['problems'][number]): ShownProblem => {
    const refused = attempt.draft?.refusals.find(
      (refusal) => refusal.path === problem.path && refusal.reason === problem.message,
    )
    const excerpt = refused
      ? showText(problem.path, refused.excerpt).text
      : openRepair(attempt).excerptOf(problem)
    return { ...problem, excerpt }
  }

/** A code block without a name must be the one faulty file. */
function onlyPath(attempt: Attempt): string | undefined {
  const paths = new Set(attempt.problems.map((problem) => problem.path))
  const [only] = paths
  return paths.size === 1 && only !== '' ? only : undefined
}
