import { posix } from 'node:path'
import type { Folder, Tree } from '../../change/change.ts'
import { type ClassifiedError, isKnownTool, signatureOf } from '../../diagnosis/diagnosis.ts'
import type { Comparison } from '../compare/compare.ts'
import { timesIn } from '../compare/find-unrun.ts'
import { earlier, identity, outputWithoutOthers } from '../compare/read-outcome.ts'
import type { Scope } from '../judging.ts'
import { prepareProof } from '../proof/prepare-proof.ts'
import type { ProofPorts } from '../proof/run-changed.ts'
import type { CommandReport, TestFailure, TestReport } from '../results/test-report.ts'
import { baselineOn, baselineWith, mostShown, toStored } from '../run/baseline.ts'
import {
  reportOf,
  type Verification,
  type VerifyOptions,
  verifyFolder,
} from '../run/verify-folder.ts'
import { compareChange, type JudgedChange } from './compare-change.ts'
import { nothingRun } from './nothing-run.ts'

/** A change that is already in a folder. */
export interface WrittenChange {
  readonly task: Scope
  /** Its commit is the one that the change starts from; `folder.sha` is the same. */
  readonly tree: Pick<Tree, 'sha' | 'changes' | 'paths' | 'read'>
  readonly folder: Folder
}

/** The verification of the start commit and of the change. */
export interface Verified {
  readonly before: Verification
  readonly after: Verification
}

/** A change whose tests ran. */
export interface Tested extends Verified {
  readonly after: Extract<Verification, { readonly status: 'verified' }>
  /** For the receipt: warnings of earlier checks. */
  readonly warnings: readonly string[]
}

/** What the tests say of a change. */
export interface TestVerdict extends Comparison {
  /** The first failures of the change, and its report, as a state keeps them. */
  readonly kept: { readonly broken: readonly TestFailure[]; readonly tests: TestReport }
  /** The output of its commands, without that of tests that were red before. */
  readonly output: string
}

/** Runs the tests with and without one change, and judges it. */
export interface Verifier {
  readonly tree: WrittenChange['tree']
  /** Runs both trees' tests side by side. */
  run(choice?: Pick<VerifyOptions, 'defersSecondRun'>): Promise<Verified>
  /** Runs other lines on both, where a command cannot run as written. */
  runInstead(choice: Pick<VerifyOptions, 'instead' | 'setup'>): Promise<Verified>
  /** Joins a report with a second run of what ran only once; with `whole`, runs everything again. */
  runAgain(report: TestReport, choice?: RunAgain): Promise<TestReport>
  /** The command lines that could run neither with the change nor before it. */
  findTroubles(found: Verified): readonly CommandTrouble[]
  /** True when each of these failures passed in the report's second run. */
  isByChance(report: TestReport, failures: readonly TestFailure[]): boolean
  judge(tested: Tested, change: JudgedChange): Promise<TestVerdict>
  /** Ends the checks that run beside the tests. */
  end(): Promise<void>
}

interface RunAgain {
  readonly whole?: boolean
  readonly signal?: AbortSignal
}

/** No test runs before the first call. */
export function createVerifier(
  { task, tree, folder }: WrittenChange,
  ports: ProofPorts,
  signal?: AbortSignal,
): Verifier {
  const start = { sha: tree.sha, task }
  const proof = prepareProof(start, tree, ports)
  const runOn = (choice: VerifyOptions) =>
    verifyFolder(folder, tree, task, ports, { signal, ...choice })
  const begins = proof.begin
  const change = {
    paths: tree.changes.map(({ path }) => path),
    before: () => baselineOn(start, ports),
  }
  return {
    tree,
    async run(choice = {}) {
      const own = runOn({ ...choice, change, begins })
      const [before, after] = await Promise.all([change.before(), own])
      return { before, after }
    },
    async runInstead(choice) {
      const both = [baselineWith(start, choice, ports), runOn({ ...choice, begins })] as const
      const [before, after] = await Promise.all(both)
      return { before, after }
    },
    async runAgain(report, { whole = false, signal: until = signal } = {}) {
      const again = whole ? undefined : report
      const found = reportOf(await runOn({ change, again, signal: until }))
      if (found === null) return report
      return whole ? found : { ...report, commands: found.commands }
    },
    findTroubles: ({ before, after }) => findTroubles(before, after),
    isByChance({ commands }, failures) {
      const flaky = new Set(commands.flatMap((command) => command.flaky ?? []).map(identity))
      return failures.length > 0 && failures.every((failure) => flaky.has(identity(failure)))
    },
    async judge(tested, judged) {
      const compared = await compareChange(judged, tested, tree, proof, ports)
      const { report } = tested.after
      const kept = { broken: compared.broken.slice(0, mostShown), tests: toStored(report) }
      return { ...compared, kept, output: outputWithoutOthers(report, compared.broken) }
    },
    end: proof.end,
  }
}

/**
 * Runs the tests with and without a change, and compares them. No command line is corrected. A test that was red before
 * is the change's to turn green only where the task names it: its author may not have known of it.
 */
export async function verifyChange(
  change: WrittenChange,
  ports: ProofPorts,
  signal?: AbortSignal,
): Promise<Comparison> {
  const { task, tree } = change
  const verifier = createVerifier(change, ports, signal)
  try {
    const { before, after } = await verifier.run()
    if (after.status === 'not_prepared') {
      const { diagnosis } = after
      const receipt = nothingRun(tree.changes, [diagnosis.message])
      return { result: 'cannot_run', broken: [], receipt, diagnosis }
    }
    const judged = { task, draft: { changes: tree.changes }, owes: namedBy(task) }
    return await verifier.judge({ before, after, warnings: [] }, judged)
  } finally {
    await verifier.end()
  }
}

/** Tells the failures that a task names, by their test or its file. */
function namedBy({ title, details, files }: Scope) {
  const words = [title, details, ...files].join('\n')
  return ({ file, test }: TestFailure): boolean =>
    [posix.basename(file ?? ''), test.split(' > ').at(-1) ?? ''].some(
      (name) => timesIn(words, name) > 0,
    )
}

/** A command line of the project that cannot run as written. */
export interface CommandTrouble {
  /** As a person typed it. */
  readonly subject: string
  readonly role: 'tests' | 'lint' | 'accept' | 'setup'
  readonly error: ClassifiedError
  readonly signature: string
  readonly output: string
}

/**
 * Returns the command lines that could not run, neither with the change nor before it. A well-known tool that this
 * machine lacks does not make a command wrong. An accept command may name files that the task is to create: only a
 * missing program or folder makes it wrong.
 */
export function findTroubles(before: Verification, after: Verification): readonly CommandTrouble[] {
  if (after.status === 'not_prepared') {
    const { setup, error, output } = after
    const isWrong = setup !== null && isCorrectable(error, 'setup')
    return isWrong && before.status === 'not_prepared'
      ? [trouble(setup, 'setup', error, output)]
      : []
  }
  return after.report.commands.flatMap((command) => {
    const { role = 'tests' } = command
    const error = whyNotStarted(command)
    if (error === null || !isCorrectable(error, role)) return []
    if (couldStart(before, command)) return []
    return [trouble(command.command, role, error, command.tail)]
  })
}

function trouble(
  subject: string,
  role: CommandTrouble['role'],
  error: ClassifiedError,
  output: string,
): CommandTrouble {
  const signature = signatureOf({ type: error.type, tool: subject, message: error.line })
  return { subject, role, error, signature, output }
}

function isCorrectable(error: ClassifiedError, role: CommandTrouble['role']): boolean {
  if (!error.isWrongCommand) return false
  if (error.program !== null && isKnownTool(error.program)) return false
  return role !== 'accept' || error.program !== null || /\bcd\b/.test(error.line)
}

/** Why the command ran nothing; `null` for one that did its work, well or badly. */
export function whyNotStarted(report: CommandReport): ClassifiedError | null {
  const { ended, counts, failures, flaky, fault } = report
  if (ended !== undefined || flaky !== undefined || counts !== null) return null
  const isNamed = failures.some(({ file, test }) => file !== null && test !== report.command)
  if (isNamed) return null
  return fault?.error?.isWrongCommand ? fault.error : null
}

function couldStart(before: Verification, command: CommandReport): boolean {
  const was = earlier(reportOf(before), command)
  return was !== null && whyNotStarted(was) === null
}
