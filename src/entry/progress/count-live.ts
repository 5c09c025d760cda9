import { longestLine, plainText } from '../../../packages/diagnosis/diagnosis.ts'

/** Results so far. A runner that names test files only is counted in files. */
export interface LiveCounts {
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
