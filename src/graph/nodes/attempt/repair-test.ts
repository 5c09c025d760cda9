import {
  changesBetween,
  contentAfter,
  type Draft,
  openTree,
} from '../../../../packages/change/change.ts'
import { openRepair, readDraft } from '../../../../packages/judge/judge.ts'
import { isTestFile, newLineNumbers } from '../../../../packages/source/source.ts'
import { estimatePromptTokens, showText, showTexts } from '../../../../packages/text/text.ts'
import type { Attempt, ContextFile } from '../../../core/domain/attempt.ts'
import {
  attemptOf,
  changeState,
  joinPatches,
  leftOutOf,
  patchAttempt,
  type StatePatch,
  wayOf,
  withEarlierNotes,
} from '../../../core/domain/change-state.ts'
import type { RunState } from '../../../core/domain/run-state.ts'
import { withoutAnswer, withoutRoom } from '../../../core/domain/unanswered.ts'
import type { Ports } from '../../../core/ports.ts'
import { askModel, firstOf, type ModelPorts } from '../../../model/ask/ask-model.ts'
import { aroundAttempt } from '../../../model/context/around-attempt.ts'
import { failingCode } from '../../../model/context/failing-code.ts'
import { excerpt } from '../../../model/context/relevant-part.ts'
import { showReflection } from '../../../model/prompts/reflect.ts'
import { repairTestPrompt } from '../../../model/prompts/repair-test.ts'
import { type Confirmation, confirmFailures } from '../../../recovery/step/confirm-failures.ts'
import { afterRed, mayTryAgain } from '../../../recovery/step/next-request.ts'
import { noteTestRepair, uselessRepair } from '../../../recovery/step/note-repair.ts'
import { fixForFailure } from '../../../recovery/step/offer-fix.ts'
import { isTooWeak } from '../../../recovery/task/no-usable-answers.ts'
import { formFor } from '../../parts/ask-for-draft.ts'
import { type Answered, type AskedForDraft, drawSample, mayDraw } from '../../parts/draw-sample.ts'
import type { StepOf } from '../../step.ts'

type Needs = ModelPorts & Pick<Ports, 'workspace' | 'memory' | 'sandbox' | 'random'>

/** Lines shown on each side of the line where the test fails. */
const testLines = 8
/** Tokens of the whole prompt as estimated, by whether the failing test imports the change directly. */
const mostTokens = { direct: 600, indirect: 1_900 }

/**
 * Asks for a repair, showing the parsed failures and the code that they point at. The failing test is read-only:
 * answers that touch it are refused. Meanwhile the tests run a second time; when they failed by chance, the answer is
 * dropped and the change is judged again.
 */
export async function repairTest(state: RunState, ports: Needs): Promise<StepOf<'repair_test'>> {
  const confirmation = confirmFailures(state, ports)
  try {
    return await askForRepair(state, confirmation, ports)
  } finally {
    await confirmation.end()
  }
}

async function askForRepair(
  state: RunState,
  { isChance, confirmed }: Confirmation,
  ports: Needs,
): Promise<StepOf<'repair_test'>> {
  const attempt = attemptOf(state)
  const byChance = { outcome: 'flaky', patch: patchAttempt(state, { isFlaky: true }) } as const
  if (wayOf(attempt, ports.settings.strategy) === 'agent') {
    return (await isChance) ? byChance : { outcome: 'needs_agent' }
  }
  const sample = mayDraw(attempt, ports) ? afterRed(attempt, ports.settings) : null
  const { asked, read } =
    sample === null ? await askForEdits(state, ports) : await drawSample(state, sample, ports)
  if (await isChance) {
    // Only the cost and the lessons of this request count: an unreachable model stops nothing here.
    const { spent, learned } = changeState(state, asked.patch)
    return { ...byChance, patch: joinPatches({ spent, learned }, byChance.patch) }
  }
  if (asked.status === 'too_large') return withoutRoom(state, asked)
  if (asked.status !== 'answered') {
    // A run that resumes here does not run the tests a third time.
    const tests = (await confirmed) ?? attempt.tests
    const kept = patchAttempt(changeState(state, asked.patch), { tests })
    return withoutAnswer(state, { ...asked, patch: joinPatches(asked.patch, kept) })
  }
  const { draft, patch } = await read(asked)
  return takeRepair(changeState(state, patch), draft, patch, ports)
}

/** Takes a repaired draft, unless it is one that was tested before. */
function takeRepair(
  after: RunState,
  draft: Draft,
  patch: StatePatch,
  { settings }: Pick<Ports, 'settings'>,
): StepOf<'repair_test'> {
  const attempt = attemptOf(after)
  const testRepairs = attempt.testRepairs + 1
  const isKnown = [attempt.draft, attempt.best?.draft].some(
    (known) => known != null && changesBetween(draft.changes, known.changes).length === 0,
  )
  const isNothing = draft.changes.length === 0
  if (isNothing || (isKnown && draft.refusals.length === 0)) {
    const remedies = noteTestRepair(attempt, null)
    const emptyRepairs = attempt.emptyRepairs + (isNothing ? 1 : 0)
    const nothing = patchAttempt(after, { testRepairs, emptyRepairs, remedies })
    const tried = { ...attempt, testRepairs, emptyRepairs }
    const isOver = isTooWeak(after, tried) || !mayTryAgain(tried, settings)
    const outcome = isOver ? 'failed' : 'repeated'
    return { outcome, patch: joinPatches(patch, nothing) }
  }
  const remedies = noteTestRepair(attempt, draft)
  const change = { draft, testRepairs, problems: [], remedies }
  return { outcome: 'repaired', patch: joinPatches(patch, patchAttempt(after, change)) }
}

/** Asks for a repair of the draft, with the failures and the code that they point at. */
async function askForEdits(state: RunState, ports: Needs): Promise<AskedForDraft> {
  const attempt = attemptOf(state)
  const { failures, readOnly: tests, guard } = openRepair(attempt)
  const { task } = attempt
  const failing = await readFailing(attempt, tests, ports)
  const own = [...failing.keys()].filter((path) => !tests.has(path))
  const testExcerpt = excerptOf(attempt, failing, tests, testLines)
  const useless = uselessRepair(attempt, 'repair_test')
  const reflection = showReflection(attempt.reflections)
  const targets = (attempt.draft?.changes ?? [])
    .map(({ path }) => path)
    .filter((path) => !tests.has(path))
  const leftOut = leftOutOf(attempt.draft)
  const parts = { task, failures, testExcerpt, own, useless, reflection, targets, leftOut }
  const frame = estimatePromptTokens(repairTestPrompt({ ...parts, files: [], form: 'edits' }))
  const files = await relevantFiles(attempt, { tests, failing, frame }, ports)
  const knownFix = await knownFixOf(attempt, files, ports)
  const asked = await askModel(state, ports, {
    purpose: 'repair_test',
    messages: (share) =>
      repairTestPrompt({
        ...{ ...parts, knownFix },
        failures: firstOf(failures, share),
        files: firstOf(files, share),
        form: formFor(state, ports, firstOf(files, share), []),
      }),
  })
  const read = async ({ text, why, runaway, patch }: Answered) => {
    const { changes: base = [], summary = '' } = attempt.draft ?? {}
    const answer = await readDraft(runaway ? '' : text, {
      ...(why && { end: { why } }),
      base,
      expectedPath: base.length === 1 ? base[0]?.path : undefined,
      ...(await aroundAttempt(attempt, ports)),
    })
    const noted = withEarlierNotes(answer, attempt.draft)
    const draft = await guard({ ...noted, summary: summary || answer.summary })
    return { draft, patch }
  }
  return { asked, read }
}

/** The fix that solved the same failure before, in one line; usually empty. */
async function knownFixOf(
  { broken }: Attempt,
  files: readonly ContextFile[],
  { memory }: Pick<Ports, 'memory'>,
): Promise<string | null> {
  const [first] = broken
  return first === undefined ? null : fixForFailure(first, files, memory)
}

/** The code to repair: files that the change wrote, that the failing tests import, or that the failures name. */
async function relevantFiles(
  attempt: Attempt,
  given: {
    readonly tests: ReadonlySet<string>
    readonly failing: ReadonlyMap<string, string>
    readonly frame: number
  },
  ports: Needs,
): Promise<readonly ContextFile[]> {
  const { tests, failing, frame } = given
  const changed = new Map<string, string>()
  const written = new Map<string, ReadonlySet<number>>()
  for (const change of attempt.draft?.changes ?? []) {
    const text = tests.has(change.path) ? undefined : contentAfter(change)
    if (text === undefined) continue
    const shown = showText(change.path, text).text
    changed.set(change.path, shown)
    if (change.action === 'modify') written.set(change.path, newLineNumbers(change.before, shown))
  }
  const { start } = attempt
  const tree = await openTree(start.sha, ports.workspace)
  return failingCode({
    changed,
    written,
    tests: failing,
    traced: tracedLines(attempt),
    hint: excerptOf(attempt, failing, new Set(failing.keys()), 1),
    paths: tree.paths,
    read: async (paths) => showTexts(await tree.read(paths)).texts,
    room: { direct: mostTokens.direct - frame, indirect: mostTokens.indirect - frame },
  })
}

/** First line of each file that the failures name, then of those in their stack traces. */
function tracedLines({ broken }: Attempt): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  const add = (path: string, line: number) => {
    if (path !== '' && !found.has(path)) found.set(path, line)
  }
  for (const { file, line } of broken) if (file !== null && line !== null) add(file, line)
  for (const frame of broken.flatMap(({ trace }) => trace)) {
    const [path = '', line = ''] = frame.split(':')
    add(path, Number(line) || 1)
  }
  return found
}

/** Reads the failing tests in their present state, by path. */
async function readFailing(
  attempt: Attempt,
  tests: ReadonlySet<string>,
  { workspace }: Pick<Ports, 'workspace'>,
): Promise<ReadonlyMap<string, string>> {
  const files = attempt.broken.flatMap(({ file }) => file ?? [])
  const changes = attempt.draft?.changes ?? []
  const isOwn = (path: string): boolean =>
    isTestFile(path) && changes.some((each) => each.path === path && each.action === 'create')
  const paths = [...new Set(files)].filter((path) => tests.has(path) || isOwn(path))
  const before = await workspace.readFiles(attempt.start.sha, paths)
  const texts = paths.flatMap((path): [string, string][] => {
    const written = changes.find((change) => change.path === path)
    const text = (written && contentAfter(written)) ?? before.get(path)
    return text === undefined ? [] : [[path, showText(path, text).text]]
  })
  return new Map(texts)
}

/** Excerpts the first of these failing tests around the line where it fails. */
function excerptOf(
  { broken }: Attempt,
  failing: ReadonlyMap<string, string>,
  tests: ReadonlySet<string>,
  around: number,
): string {
  const first = broken.find(({ file }) => file !== null && tests.has(file) && failing.has(file))
  const text = first?.file == null ? undefined : failing.get(first.file)
  return text === undefined ? '' : excerpt(text.split('\n'), first?.line ?? 1, around)
}
