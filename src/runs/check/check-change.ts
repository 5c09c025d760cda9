import { openTree, type Tree } from '../../../packages/change/change.ts'
import {
  findOperations,
  findProblems,
  nothingRun,
  openBaseline,
  openPolicyGate,
  type Receipt,
  stopBaselines,
  type TestFailure,
  verifyChange,
} from '../../../packages/judge/judge.ts'
import type { Task } from '../../../packages/task/task.ts'
import type { Ports } from '../../core/ports.ts'
import { type CheckFinding, findingOf, findingOn } from './check-rules.ts'
import { type ReadChange, readChange } from './read-change.ts'

type Needs = Pick<Ports, 'workspace' | 'sandbox' | 'settings' | 'clock' | 'random' | 'syntax'>

/** What a task says of a change; none of it is the change's own word. */
type CheckTask = Pick<Task, 'title' | 'details' | 'files' | 'accept' | 'verify'>

export interface ChangeToCheck {
  /** The commit that the change starts from. */
  readonly base: string
  readonly head: string
  /** Judges scope, and adds its commands; `null` for a change without a task. */
  readonly task: CheckTask | null
}

export interface Checked {
  /** Passed only without errors, and with tests that show it. */
  readonly result: Receipt['result']
  /** Errors first. */
  readonly findings: readonly CheckFinding[]
  readonly receipt: Receipt
}

const noTask: CheckTask = { title: '', details: '', files: [], accept: [], verify: null }

/** The folder's name; one check at a time uses a workspace. */
const folderName = 'check'

/**
 * Gives any change what our own drafts get: the gate, the validation, and the tests before and
 * after. What a writer could grant to a draft (protected files, scope, destructive operations) is a warning.
 *
 * @returns `null` for a change without any difference
 */
export async function checkChange(
  { base, head, task: given }: ChangeToCheck,
  ports: Needs,
  signal?: AbortSignal,
): Promise<Checked | null> {
  const task = given ?? noTask
  const read = await readChange(base, head, ports.workspace)
  if (read.isEmpty) return null
  const stop = () => void stopBaselines(ports)
  signal?.addEventListener('abort', stop)
  try {
    const start = await openTree(base, ports.workspace)
    const rules = openPolicyGate(start, { task, grants: null }, ports.settings)
    const gate = rules.check(read.changes).map(findingOf)
    const cannotWrite = [...gate, ...read.findings].some(({ rule }) => isUnwritable(rule))
    const found = cannotWrite ? [] : await findInCode({ base, task, ...read }, start, ports)
    const findings = [...read.findings, ...gate, ...found]
    if (cannotWrite) {
      const notes = ['The tests did not run: this change cannot be written safely.']
      return conclude(findings, { receipt: nothingRun(read.changes, notes), broken: [] })
    }
    return conclude(findings, await verify({ base, head, task, ...read }, ports, signal))
  } finally {
    signal?.removeEventListener('abort', stop)
    await stopBaselines(ports)
  }
}

const isUnwritable = (rule: CheckFinding['rule']): boolean =>
  rule === 'size' || rule === 'path' || rule === 'tree'

interface Around extends ReadChange {
  readonly base: string
  readonly task: CheckTask
}

async function findInCode(
  { base, task, changes, findings }: Around,
  start: Tree,
  ports: Needs,
): Promise<readonly CheckFinding[]> {
  // Files that a change set cannot hold are there all the same.
  const paths = [...new Set([...start.paths, ...findings.map(({ path }) => path)])]
  const before = async () =>
    ports.settings.verify.mode === 'skip'
      ? null
      : (await openBaseline({ sha: base, task }, ports)).report()
  const change = { task, draft: { changes }, tests: null, feedback: null }
  const means = { syntax: ports.syntax, before }
  const problems = await findProblems(change, { ...start, paths }, means)
  const operations = await findOperations(changes, start, ports.settings)
  return [
    ...problems.map(findingOf),
    ...operations.map(({ path, line, column, operation, why }) => ({
      ...findingOn(path, 'destructive', `${operation}: ${why}`),
      ...{ line, column },
    })),
  ]
}

/** Runs the tests on the commit itself, with the files that a change set cannot hold. */
async function verify(
  { base, head, task, changes }: Around & Pick<ChangeToCheck, 'head'>,
  ports: Needs,
  signal: AbortSignal | undefined,
): Promise<Judgement> {
  if (ports.settings.verify.mode === 'skip') {
    const notes = ['verification was switched off (verify-mode: skip)']
    return { receipt: nothingRun(changes, notes, 'unverified'), broken: [] }
  }
  const { workspace } = ports
  const { paths, read } = await openTree(head, workspace)
  // Whatever asks for the commit asks for the start: what the change itself names does not count.
  const tree = { sha: base, changes, paths, read }
  const folder = { ...(await workspace.checkOut(folderName, head)), sha: base }
  try {
    return await verifyChange({ task, folder, tree }, ports, signal)
  } finally {
    await workspace.discard(folderName)
  }
}

type Judgement = Pick<Awaited<ReturnType<typeof verifyChange>>, 'receipt' | 'broken' | 'stillRed'>

const mostTests = 50

function conclude(
  findings: readonly CheckFinding[],
  { receipt, broken, stillRed = [] }: Judgement,
): Checked {
  const ofTests = [
    ...broken.slice(0, mostTests).map(ofTest('failed-test')),
    ...stillRed.slice(0, mostTests).map(ofTest('still-red')),
  ]
  const all = [...findings, ...ofTests, ...(receipt.warnings ?? []).map(ofWarning)]
  const isSaid = broken.length > 0 || (receipt.result === 'unverified' && stillRed.length > 0)
  const unsaid =
    receipt.result === 'passed' || isSaid
      ? []
      : [findingOn('', 'not-run', receipt.notes.join(' ') || 'The tests show nothing.')]
  const ordered = [...all, ...unsaid].sort((a, b) => rank(a) - rank(b))
  const isFailed = all.some(({ severity }) => severity === 'error')
  return { result: isFailed ? 'failed' : receipt.result, findings: ordered, receipt }
}

const rank = ({ severity }: CheckFinding): number => (severity === 'error' ? 0 : 1)

/** A warning may end with its place. */
function ofWarning(warning: string): CheckFinding {
  const place = / \(([^()]+):(\d+)\)$/.exec(warning)
  const [, path = '', line = '0'] = place ?? []
  return { ...findingOn(path, 'doubt', warning.slice(0, place?.index)), line: Number(line) }
}

const ofTest =
  (rule: CheckFinding['rule']) =>
  ({ test, file, line, message }: TestFailure): CheckFinding => ({
    ...findingOn(file ?? '', rule, message === '' ? test : `${test}: ${message}`),
    line: line ?? 0,
  })
