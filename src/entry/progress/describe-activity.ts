import { longestLine, plainText } from '../../../packages/diagnosis/diagnosis.ts'
import { clip, countOf, oneLine } from '../../../packages/text/text.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { NodeName } from '../../core/domain/steps.ts'
import type { WatchedCall } from '../observe/watch-ports.ts'

/** Describes the work of a step, apart from the calls that it makes. */
export function describeStep(node: NodeName, { roadmap }: RunState): string {
  if (node !== 'parse_roadmap') return words[node]
  return `reading ${roadmap.path} at ${roadmap.base.branch} ${roadmap.base.sha.slice(0, 7)}`
}

const words: Readonly<Record<Exclude<NodeName, 'parse_roadmap'>, string>> = {
  normalize_roadmap: 'looking for tasks in the roadmap',
  pick_task: 'choosing the next task',
  plan_task: 'preparing the request',
  build_context: 'choosing the files to show',
  execute_task: 'preparing the request',
  run_agent: 'preparing the folder of the agent',
  think: 'preparing the request',
  use_tool: 'using a tool',
  validate_code: 'checking the change',
  repair_code: 'preparing the request',
  write_files: 'writing the files',
  verify_task: 'running the tests',
  repair_test: 'preparing the request',
  reflect: 'preparing the request',
  checkpoint: 'committing',
  classify_failure: 'finding out why it failed',
  propose_recovery: 'looking for another way',
  await_approval: 'asking for approval',
  apply_recovery: 'applying the decision',
  decide_next: 'choosing the next step',
  retry_deferred: 'looking at deferred tasks',
  generate_report: 'writing the report',
}

/** Returns true for steps whose beginning gets a line in a log: they may take long. */
export const isToldOf = (node: NodeName): boolean =>
  node === 'parse_roadmap' ||
  node === 'verify_task' ||
  node === 'checkpoint' ||
  node === 'classify_failure'

const answers: Readonly<Record<string, string>> = {
  normalize: 'which tasks the roadmap has',
  plan: 'for a plan',
  draft: 'for the change',
  think: 'for the next step',
  reflect: 'why its change failed',
  choose_plan: 'which plan is best',
  repair_code: 'for a repair',
  repair_test: 'for a repair',
  classify: 'why it failed',
  recover: 'for another way',
  correct: 'for a command that works',
}

/** `asking gpt-5 for the change`, `installing dependencies (npm ci)`. */
export function describeCall({ kind, facts, shown }: WatchedCall): string {
  if (kind === 'model') {
    const known = answers[String(facts['executor.purpose'])] ?? 'for an answer'
    // Only the change is drawn again, whichever step asks for it.
    const wanted =
      facts['executor.sample'] === undefined ? known : 'for another version of the change'
    return `asking ${facts['gen_ai.request.model']} ${wanted}`
  }
  return `installing dependencies (${shownLine(shown.title ?? shown.line, longestTitle)})`
}

const outside: Readonly<Record<string, string>> = {
  'git refresh': 'fetching',
  'git publish': 'pushing',
  'forge upsert_pull_request': 'opening the pull request',
  'forge upsert_comment': 'commenting',
}

/** Describes the call that a step waits for: ` (npm test)`, ` (pushing)`. */
export function describeInside({ kind, name, shown }: WatchedCall): string {
  const command = shownLine(shown.title ?? shown.line, longestTitle)
  const inside =
    kind === 'command' ? command : (outside[name] ?? name.replace(/^\w+ /, '').replaceAll('_', ' '))
  return ` (${inside})`
}

/** Enough characters to recognize a command line. */
const longestCommand = 120

/** In a label: the output of the command needs room as well. */
const longestTitle = 32

/** Shortens a command to one line. */
export const shownLine = (line: string, most = longestCommand): string =>
  clip(oneLine(line.replace(/^export PATH="[^"]*"; /, '')), most)

/** `12 s`, `2 min 5 s`. */
export function formatSeconds(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  return whole < 100 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}

/** `12 passed, 1 failed`. */
export function describeLiveCounts({ unit, passed, failed, skipped }: LiveCounts): string {
  const sum = passed + failed + skipped
  const parts = [
    unit === 'files' ? `${countOf(sum, 'file')}` : `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(unit === 'tests' && skipped > 0 ? [`${skipped} skipped`] : []),
  ]
  return parts.join(', ')
}

/** Results so far. A runner that names test files only is counted in files. */
interface LiveCounts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly unit: 'tests' | 'files'
}

interface LiveCounter {
  /** The next piece of output, cut anywhere. */
  add(text: string): void
  /** `null` before the first result. */
  counts(): LiveCounts | null
}

/** A runner's line with results: a word for one test (`one`), a letter per test (`row`), or amounts for a file. */
interface Form {
  readonly line: RegExp
  readonly unit?: 'files'
}

/** The first form that matches decides for the whole output, so that no test counts twice. */
const forms: readonly Form[] = [
  // Vitest, a line for each file.
  {
    line: /^ *[✓❯×] \S.*? \((?<total>\d+) tests?(?: \| (?<failed>\d+) failed)?(?: \| (?<skipped>\d+) skipped)?\)/,
  },
  // Maven, a line for each class; the sums at the end tell no time.
  {
    line: /^\[\w+\] +Tests run: (?<total>\d+), Failures: (?<failed>\d+), Errors: (?<errors>\d+), Skipped: (?<skipped>\d+), Time elapsed/,
  },
  { line: /^(?<one>(?:not )?ok) \d+\b/ },
  // pytest, PHPUnit and their like, behind the file's name or alone.
  { line: /^(?:\S+\.py )?(?<row>[.FEsxXSIRWD]+) +(?:\d+ \/ \d+ \( *\d+%\)|\[ *\d+%\])$/ },
  { line: /^\S+\.py::\S.* (?<one>PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\b/ },
  // Cargo, unittest, Deno.
  { line: /^\S.* \.\.\. (?<one>ok|FAILED|FAIL|ERROR|ignored|skipped)\b/ },
  { line: /^--- (?<one>PASS|FAIL|SKIP): / },
  { line: /^ *\d+\/\d+ Test +#\d+: .*?(?<one>Passed|\*\*\*)/ },
  { line: /^(?=\S.* > ).* (?<one>PASSED|FAILED|SKIPPED)$/ },
  { line: /^(?<one>PASS|FAIL) \S+\.\w+(?: |$)/, unit: 'files' },
  // node --test, Mocha, Bun, AVA; not the sums of ESLint, Vite and Prisma, which scripts run before their tests.
  {
    line: /^(?<indent> *)(?<one>[✔✓✖✗×﹣↓]) (?!\d+ (?:problems?|modules)\b|built in |Generated Prisma)(?<name>\S.*)$/,
  },
]

const outcomes: Readonly<Record<'passed' | 'failed' | 'skipped', ReadonlySet<string>>> = {
  passed: new Set(['ok', 'PASS', 'PASSED', 'Passed', 'XPASS', '✔', '✓', '.', 'X']),
  failed: new Set(['not ok', 'FAIL', 'FAILED', 'ERROR', '***', '✖', '✗', '×', 'F', 'E']),
  skipped: new Set([
    ...['SKIP', 'SKIPPED', 'XFAIL', 'ignored', 'skipped', '﹣', '↓'],
    ...['s', 'x', 'S', 'I', 'R', 'W', 'D'],
  ]),
}

/** Characters; after a longer output, counts are no longer shown. */
const mostRead = 4_000_000

/** A runner that opens more suites repeats itself or misleads. */
const mostSuites = 10_000

const controls = /[\u0000-\u001F\u007F-\u009F]/

/** Counts tests while they run, from their runner's output. Only its report decides verdicts. */
export function countLive(): LiveCounter {
  const sums = { passed: 0, failed: 0, skipped: 0 }
  const suites = new Set<string>()
  let form: Form | undefined
  let rest = ''
  let read = 0
  let isOver = false
  const count = (outcome: string) => {
    for (const key of ['passed', 'failed', 'skipped'] as const)
      if (outcomes[key].has(outcome)) sums[key] += 1
  }
  const readLine = (line: string) => {
    // Node and Jest repeat failed tests at their end. npm then names the next script, as in a workspace.
    if (/^(?:✖ failing tests:|Summary of all failing tests)$/.test(line)) isOver = true
    if (/^> \S+@\S+ \w/.test(line)) isOver = false
    // Node prints a suite at its beginning and its end.
    const suite = line.includes('▶') ? /^( *▶ .*?)(?: \([\d.]+ms\))?$/.exec(line)?.[1] : undefined
    if (suite !== undefined && suites.size < mostSuites) suites.add(suite)
    if (isOver) return
    const chosen = form ?? forms.find((each) => each.line.test(line))
    const groups = chosen?.line.exec(line)?.groups
    if (groups === undefined) return
    form = chosen
    const { total, failed = 0, errors = 0, skipped = 0, one, row = '', indent, name = '' } = groups
    if (indent !== undefined && suites.size > 0) {
      const suiteName = name.replace(/ \([\d.]+ms\)$/, '')
      if (suites.has(`${indent}▶ ${suiteName}`)) return
    }
    if (one !== undefined) count(one)
    for (const letter of row) count(letter)
    if (total === undefined) return
    sums.failed += Number(failed) + Number(errors)
    sums.skipped += Number(skipped)
    sums.passed += Number(total) - Number(failed) - Number(errors) - Number(skipped)
  }
  return {
    add(text) {
      read += text.length
      if (read > mostRead) return
      const lines = (rest + text).split('\n')
      rest = (lines.pop() ?? '').slice(-longestLine)
      for (const line of lines)
        if (line.length <= longestLine)
          readLine((controls.test(line) ? plainText(line) : line).trimEnd())
    },
    counts: () =>
      form === undefined || read > mostRead ? null : { ...sums, unit: form.unit ?? 'tests' },
  }
}
