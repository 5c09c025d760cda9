import { readDraft } from '../../../changes/reply/read-draft.ts'
import { attemptOf, patchAttempt, withEarlierNotes } from '../../../core/domain/attempt.ts'
import { contentAfter } from '../../../core/domain/change-set.ts'
import type { Attempt, ContextFile, RunState } from '../../../core/domain/run-state.ts'
import type { TestFailure } from '../../../core/domain/test-report.ts'
import { withoutAnswer, withoutRoom } from '../../../core/domain/unanswered.ts'
import type { Ports } from '../../../core/ports.ts'
import type { ModelPorts } from '../../../model/ask/ask-model.ts'
import { askSmaller, firstOf } from '../../../model/ask/ask-smaller.ts'
import { aroundAttempt } from '../../../model/context/around-attempt.ts'
import { excerpt, relevantPart } from '../../../model/context/relevant-part.ts'
import { repairTestPrompt } from '../../../model/prompts/repair-test.ts'
import { failureSignature, noteTestRepair } from '../../../recovery/step/note-repair.ts'
import { fittingFix, uselessRepair } from '../../../recovery/step/tell-repairs.ts'
import { showText } from '../../../text/hidden/show-text.ts'
import { failingTests, guardTests, sameChanges } from '../../../verify/run/guard-tests.ts'
import type { ModelOutcome, Step } from '../../step.ts'

type Outcome = 'repaired' | 'failed' | 'too_large' | ModelOutcome
type Needs = ModelPorts & Pick<Ports, 'workspace' | 'memory'>

/** Lines of the failing test shown on each side of where it fails. */
const testLines = 8
const sourceFiles = 4

/**
 * Asks for a repair from the parsed failures and the code they point at. The failing test is
 * shown to be read: an answer that touches it is not taken.
 */
export async function repairTest(state: RunState, ports: Needs): Promise<Step<Outcome>> {
  const attempt = attemptOf(state)
  const tests = failingTests(attempt)
  const { task } = attempt
  const failures = whatToMend(attempt)
  const files = await relevantFiles(attempt, tests, ports)
  const testExcerpt = await excerptOfTest(attempt, ports)
  const knownFix = await knownFixOf(attempt, files, ports)
  const useless = uselessRepair(attempt, 'repair_test')
  const asked = await askSmaller(state, ports, {
    purpose: 'repair_test',
    messages: (share) =>
      repairTestPrompt({
        ...{ task, testExcerpt, knownFix, useless },
        failures: firstOf(failures, share),
        files: firstOf(files, share),
      }),
  })
  if (asked.status === 'too_large') return withoutRoom(state, asked)
  if (asked.status !== 'answered') return withoutAnswer(state, asked)
  const { changes: base = [], summary = '' } = attempt.draft ?? {}
  const answer = await readDraft(asked.text, {
    base,
    expectedPath: base.length === 1 ? base[0]?.path : undefined,
    ...aroundAttempt(attemptOf(state), ports),
  })
  const noted = withEarlierNotes(answer, attempt.draft)
  const repaired = await guardTests({ ...noted, summary: summary || answer.summary }, attempt)
  const after = { ...state, ...asked.patch }
  const testRepairs = attempt.testRepairs + 1
  if (repaired.refusals.length === 0 && sameChanges(repaired.changes, base)) {
    const remedies = noteTestRepair(attemptOf(after), null)
    const nothing = patchAttempt(after, { testRepairs, remedies })
    return { outcome: 'failed', patch: { ...asked.patch, ...nothing } }
  }
  const remedies = noteTestRepair(attemptOf(after), repaired)
  const change = { draft: repaired, testRepairs, problems: [], remedies }
  return { outcome: 'repaired', patch: { ...asked.patch, ...patchAttempt(after, change) } }
}

/** Where no test is broken, there was none that could fail: `require-tests` asks for one. */
function whatToMend({ broken, failure }: Attempt): readonly TestFailure[] {
  if (broken.length > 0 || failure === null) return broken
  const unknown = { file: null, line: null, expected: null, actual: null, errorType: null }
  return [{ ...unknown, test: 'verification', message: failure.message, trace: [] }]
}

/** What mended the same failure before, in a line; nothing for most. */
async function knownFixOf(
  { broken }: Attempt,
  files: readonly ContextFile[],
  { memory }: Pick<Ports, 'memory'>,
): Promise<string | null> {
  const [first] = broken
  if (first === undefined) return null
  const lines = files.flatMap(({ text }) => text.split('\n'))
  return fittingFix(await memory.recall(failureSignature(first)), lines)
}

/** The code to mend: what the change wrote and the failure's trace passes through. */
async function relevantFiles(
  attempt: Attempt,
  tests: ReadonlySet<string>,
  ports: Needs,
): Promise<readonly ContextFile[]> {
  const traced = attempt.broken.flatMap(({ trace, file }) => [
    ...(file === null ? [] : [file]),
    ...trace.map((frame) => frame.split(':')[0] ?? ''),
  ])
  const changes = (attempt.draft?.changes ?? []).filter(({ path }) => !tests.has(path))
  const texts = new Map<string, string>()
  for (const change of changes) {
    const text = contentAfter(change)
    if (text !== undefined) texts.set(change.path, text)
  }
  const others = [...new Set(traced)].filter((path) => !texts.has(path) && !tests.has(path))
  const unchanged = await ports.workspace.readFiles(attempt.start.sha, others)
  const hint = await failingLine(attempt, ports)
  const rank = (path: string) => (traced.includes(path) ? 0 : 1)
  return [...texts, ...unchanged]
    .toSorted(([a], [b]) => rank(a) - rank(b))
    .slice(0, sourceFiles)
    .map(([path, text]) =>
      relevantPart(path, showText(path, text).text, lineInTrace(path, attempt), hint),
    )
}

function lineInTrace(path: string, { broken }: Attempt): number | null {
  const named = broken.find(({ file, line }) => file === path && line !== null)?.line
  if (named != null) return named
  const frame = broken.flatMap(({ trace }) => trace).find((line) => line.startsWith(`${path}:`))
  return frame === undefined ? null : Number(frame.slice(path.length + 1).split(':')[0])
}

const excerptOfTest = (attempt: Attempt, ports: Needs): Promise<string> =>
  readTest(attempt, ports, testLines)

const failingLine = (attempt: Attempt, ports: Needs): Promise<string> => readTest(attempt, ports, 1)

/** The first failing test around the line where it fails. */
async function readTest(attempt: Attempt, ports: Needs, around: number): Promise<string> {
  const tests = failingTests(attempt)
  const first = attempt.broken.find(({ file }) => file !== null && tests.has(file))
  if (first?.file == null) return ''
  const written = (attempt.draft?.changes ?? []).find(({ path }) => path === first.file)
  const texts = await ports.workspace.readFiles(attempt.start.sha, [first.file])
  const text = (written && contentAfter(written)) ?? texts.get(first.file)
  if (text === undefined) return ''
  return excerpt(showText(first.file, text).text.split('\n'), first.line ?? 1, around)
}
