/** Describes test results as a pull request shows them: the result, the new tests, the commands folded. */
import type { Receipt } from '../../../packages/judge/judge.ts'
import {
  clip,
  countOf,
  fenced,
  fold,
  inlineCode,
  nameSome,
  neutraliseLine,
  paragraphs,
  writeTable,
} from '../../../packages/text/text.ts'
import type { TaskResult } from '../../core/domain/verdict.ts'
import type { Report } from './build-report.ts'

const mostNamed = 5
const longestName = 80
const longestCommand = 100

/** Of a change that an older version verified. */
const results = {
  passed: 'Verified',
  unverified: 'Not verified',
  failed: 'Verification failed',
} as const satisfies Record<Receipt['result'], string>

const verdicts = {
  proven: 'Proven',
  unharmed: 'Unharmed',
  unverified: 'Unverified',
} as const satisfies Record<NonNullable<Receipt['evidence']>, string>

const verdictOf = ({ result, evidence }: Receipt): string =>
  evidence === undefined ? results[result] : verdicts[evidence]

/** What a green run does not say, behind the verdict: ` No test was seen to fail without this change.` */
export function describeUnshown({ evidence, newTests = [] }: Receipt): string {
  if (evidence !== 'unharmed') return ''
  const passing = newTests.filter(({ before }) => before === 'passed')
  const more =
    passing.length === 0
      ? ''
      : `: ${countOf(passing.length, 'new test')} ${passing.length === 1 ? 'passes' : 'pass'} there, too`
  return ` No test was seen to fail without this change${more}.`
}

/** `**Proven** by npm test: 2 passed, 0 failed (before: 1 passed, 1 failed).` */
export function describeVerdict(receipt: Receipt): string {
  const { commands, before, after } = receipt
  const [first, ...others] = commands
  if (first === undefined) return `**${verdictOf(receipt)}**: nothing was run.`
  const what =
    others.length === 0
      ? inlineCode(clip(first.command, longestCommand))
      : countOf(commands.length, 'command')
  const alone = others.length === 0 ? `: ${describeRun(first)}` : ''
  const counts = after === null ? alone : `: ${describeCounts(before, after)}`
  return `**${verdictOf(receipt)}** by ${what}${counts}.${describeUnshown(receipt)}`
}

/** What each kind of evidence shows, for one and for several tests. Tests without evidence are in the notes. */
const evidence: readonly (readonly [
  NonNullable<Receipt['newTests']>[number]['before'],
  one: string,
  several: string,
])[] = [
  [
    'failed',
    'fails without this change and passes with it',
    'fail without this change and pass with it',
  ],
  [
    'not_run',
    'cannot load without the new code, and passes with it',
    'cannot load without the new code, and pass with it',
  ],
  [
    'guards',
    'passes before and after, and fails when the code it covers throws',
    'pass before and after, and fail when the code they cover throws',
  ],
]

/** A line for each kind of evidence, with the names of the new tests that have it. */
export function describeNewTests({ newTests = [] }: Receipt): readonly string[] {
  return evidence.flatMap(([kind, one, several]) => {
    const names = newTests
      .filter(({ before }) => before === kind)
      .map(({ test }) => inlineCode(clip(test, longestName)))
    if (names.length === 0) return []
    const verb = names.length === 1 ? one : several
    return `${countOf(names.length, 'new test')} ${verb}: ${nameSome(names, mostNamed)}`
  })
}

/** Each command before and after the change, folded; empty when nothing was run. */
export function foldCommands(receipt: Receipt, withOutputs = true): string {
  const { commands, sandbox } = receipt
  if (commands.length === 0) return ''
  const rows = commands.map((run) => [
    inlineCode(run.command),
    run.before === undefined ? '–' : describeRun(run.before),
    describeRun(run),
    `${run.seconds.toFixed(1)} s`,
  ])
  const body = paragraphs([
    writeTable(['command', 'before', 'after', 'time:'], rows),
    sandbox === null ? '' : `Sandbox: ${sandbox}.`,
    ...(withOutputs ? describeOutputs(receipt) : []),
  ])
  return fold('What was run, before and after the change', body)
}

type TestCounts = NonNullable<Receipt['after']>

/** The receipt on one line: for a commit trailer, a terminal, a table cell. */
export function describeReceipt(receipt: Receipt): string {
  if (receipt.commands.length === 0) return `${receipt.result}: nothing was run`
  const commands = receipt.commands
    .map(({ command, exitCode, before }) => {
      const isAsBefore = exitCode !== 0 && before != null && before.exitCode === exitCode
      const ending = `${exitCode ?? 'killed'}${isAsBefore ? ', as before' : ''}`
      return `${command.replaceAll(/\s+/g, ' ')} → ${ending}`
    })
    .join('; ')
  const counts = receipt.after === null ? '' : `, ${describeCounts(receipt.before, receipt.after)}`
  const sandbox = receipt.sandbox === null ? '' : `, ${receipt.sandbox}`
  const warned = receipt.warnings?.length ?? 0
  const warnings = warned === 0 ? '' : `, ${countOf(warned, 'warning')}`
  const seconds = receipt.seconds.toFixed(1)
  return `${receipt.result}: ${commands}${counts}, ${seconds} s${sandbox}${warnings}`
}

/** The last lines of output of each command that failed, folded. */
export const describeOutputs = ({ commands }: Receipt): readonly string[] =>
  commands.flatMap(({ output }, index) =>
    output === undefined ? [] : [fold(`The last lines of command ${index + 1}`, fenced(output))],
  )

/** The result of a command, for a table cell: `9 passed, 0 failed`, else its exit code; `–` when it did not run. */
export function describeRun(
  run: { readonly exitCode: number | null; readonly counts?: Receipt['after'] | undefined } | null,
): string {
  if (run === null) return '–'
  const ending = run.exitCode === null ? 'killed' : `exit code ${run.exitCode}`
  return run.counts == null
    ? ending
    : `${counted(run.counts)}${run.exitCode === null ? ', then killed' : ''}`
}

/** `12 passed, 0 failed (before: 9 passed, 0 failed)` */
function describeCounts(before: Receipt['before'], after: TestCounts): string {
  const now = counted(after)
  return before === null ? now : `${now} (before: ${counted(before)})`
}

function counted({ passed, failed, skipped }: TestCounts): string {
  const more = skipped > 0 ? `, ${skipped} skipped` : ''
  return `${passed} passed, ${failed} failed${more}`
}

export const verdictText = (verdict: string): string => verdict.replaceAll('_', ' ')

/** `[#7](https://…)`; empty without a pull request. */
export const linkTo = (pullRequest: TaskResult['pullRequest'] | undefined): string =>
  pullRequest ? `[#${pullRequest.number}](${pullRequest.url})` : ''

/** `: reason`, to append to a statement; empty without a reason. */
export const because = (reason: string | undefined): string =>
  reason ? `: ${neutraliseLine(reason)}` : ''

/** `$0.0123`, `at least $0.0123`; `unknown` for a `null` price. */
export const describeDollars = (dollars: number | null, isPartial = false): string =>
  dollars === null ? 'unknown' : `${isPartial ? 'at least ' : ''}$${dollars.toFixed(4)}`

/** The cost of a run among other figures. */
export const describeCost = ({ cost, isCostPartial }: Pick<Report, 'cost' | 'isCostPartial'>) =>
  cost === null ? 'cost unknown' : describeDollars(cost, isCostPartial)

/** Says why a report lists no task. */
export function describeNoTasks({ unfinished, errors }: Pick<Report, 'unfinished' | 'errors'>) {
  if (unfinished !== null) return `${unfinished} was started, but no task is finished yet.`
  return errors.length === 0 ? 'There was nothing to do.' : 'No task was started.'
}

/** What a person can do about a task that is not done, in a sentence; empty when there is nothing to do. */
export function nextStep(
  verdict: string,
  pullRequest: { readonly number: number } | null,
  overtaken?: unknown,
): string {
  if (overtaken !== undefined) return 'Take theirs, ours or both by hand: the commands are below.'
  const answers = '`/retry`, `/rewrite`, `/decompose` or `/skip`'
  switch (verdict) {
    case 'failed':
      return pullRequest === null
        ? 'Reword the task, or name its id in the next run to try it again.'
        : `Answer in #${pullRequest.number}: ${answers}.`
    case 'unverified':
      return 'Try it yourself before you merge it: no test covers it.'
    case 'deferred':
      return 'The next run retries it.'
    case 'waiting':
      return pullRequest === null
        ? 'Run the same command at a terminal to answer.'
        : `Answer in #${pullRequest.number}: \`/approve\` or \`/reject\`, or one of the other commands there.`
    default:
      return ''
  }
}
