import type { TestCounts } from '../../core/domain/test-report.ts'

type Reads = (text: string) => TestCounts | null

/** Of all runs that a text tells of; `null` where it tells of none. */
export function sumCounts(all: readonly TestCounts[]): TestCounts | null {
  const sum = (key: keyof TestCounts) => all.reduce((total, counts) => total + counts[key], 0)
  return all.length === 0
    ? null
    : { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
}

/** Each run of a kind, by the line that sums it up. */
const each =
  (pattern: RegExp, read: (found: RegExpMatchArray) => TestCounts | null): Reads =>
  (text) =>
    sumCounts([...text.matchAll(pattern)].flatMap((found) => read(found) ?? []))

const countsOf = (total: number, failed: number, skipped: number): TestCounts => ({
  passed: Math.max(0, total - failed - skipped),
  failed,
  skipped,
})

/** `3 failed | 1 passed (4)`, `1 failed, 2 passed, 3 total`, ` 2 fail`. */
const amount = (text: string, name: string): number =>
  Number(new RegExp(`(\\d{1,9}) ${name}\\b`).exec(text)?.[1] ?? 0)

const jestLine = /^Tests: {2,}(\d.{1,200} total)$/gm
const vitestLine = /^ *Tests {2}(\S.{1,200}) \(\d{1,9}\)$/gm
const mavenLine =
  /^(?:\[\w+\] )?Tests run: (\d{1,9}), Failures: (\d{1,9}), Errors: (\d{1,9}), Skipped: (\d{1,9})$/gm
const rspecLine = /^(\d{1,9}) examples?, (\d{1,9}) failures?(?:, (\d{1,9}) pending)?/gm
const phpunitLine =
  /^Tests: (\d{1,9}), Assertions: \d{1,9}((?:, (?:[A-Z][A-Za-z ]{2,30}): \d{1,9}){0,9})\.$/gm
const phpunitGood = /^OK \((\d{1,9}) tests?, \d{1,9} assertions?\)$/gm
const ctestLine = /^\d{1,3}% tests passed, (\d{1,9}) tests failed out of (\d{1,9})$/gm
const dotnetLine =
  /^(?:Passed|Failed)! +- Failed: +(\d{1,9}), Passed: +(\d{1,9}), Skipped: +(\d{1,9}), Total:/gm
const gradleLine = /^(\d{1,9}) tests completed(?:, (\d{1,9}) failed)?(?:, (\d{1,9}) skipped)?$/gm
const bunLine = /^ *\d{1,9} pass\n(?: *\d{1,9} [a-z]+\n){0,4}/gm

/** Runners say that they found nothing to run each in their own words. */
const nothingRan: readonly RegExp[] = [
  /^No tests? (?:suite )?(?:files? )?found/m,
  /^No tests executed!$/m,
  /^No tests were found!!!$/m,
  /^\[INFO\] No tests to run\.$/m,
  /^Error: No test files found/m,
  /^No test is available in /m,
  /^no packages to test$/m,
  /^collected 0 items$/m,
]

/** Counts only, of what a person's own command printed (`make test`, a script of npm). */
const summaries: readonly Reads[] = [
  each(jestLine, (found) => counted(found[1], ['passed'], ['failed'], ['skipped', 'todo'])),
  each(vitestLine, (found) => counted(found[1], ['passed'], ['failed'], ['skipped', 'todo'])),
  each(bunLine, (found) => counted(found[0], ['pass'], ['fail'], ['skip', 'todo'])),
  each(mavenLine, (found) =>
    countsOf(Number(found[1]), Number(found[2]) + Number(found[3]), Number(found[4])),
  ),
  each(rspecLine, (found) => countsOf(Number(found[1]), Number(found[2]), Number(found[3] ?? 0))),
  each(phpunitLine, (found) => {
    const number = (name: string) =>
      Number(new RegExp(`, ${name}: (\\d{1,9})`).exec(found[2] ?? '')?.[1] ?? 0)
    const skipped = number('Skipped') + number('Incomplete')
    return countsOf(Number(found[1]), number('Errors') + number('Failures'), skipped)
  }),
  each(phpunitGood, (found) => countsOf(Number(found[1]), 0, 0)),
  each(ctestLine, (found) => countsOf(Number(found[2]), Number(found[1]), 0)),
  each(dotnetLine, ([, failed, passed, skipped]) => ({
    ...{ passed: Number(passed), failed: Number(failed), skipped: Number(skipped) },
  })),
  each(gradleLine, (found) =>
    countsOf(Number(found[1]), Number(found[2] ?? 0), Number(found[3] ?? 0)),
  ),
]

function counted(
  line: string | undefined,
  ...[passed, failed, skipped]: (readonly string[])[]
): TestCounts | null {
  if (line === undefined) return null
  const sum = (names: readonly string[] = []) =>
    names.reduce((total, name) => total + amount(line, name), 0)
  return { passed: sum(passed), failed: sum(failed), skipped: sum(skipped) }
}

/** How many tests ran, by the words of whatever runner wrote this; `null` when none is known. */
export function readSummary(text: string): TestCounts | null {
  const told = sumCounts(summaries.flatMap((read) => read(text) ?? []))
  if (told !== null) return told
  return saysNothingRan(text) ? { passed: 0, failed: 0, skipped: 0 } : null
}

export const saysNothingRan = (text: string): boolean =>
  nothingRan.some((words) => words.test(text)) || isUpToDate(text)

/** Of make and its kin: all that was said is that there is nothing to do. */
function isUpToDate(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const isIdle = (line: string) =>
    /: Nothing to be done for |: ['`‘].+['’] is up to date\.$/.test(line)
  return lines.some(isIdle) && lines.every((line) => isIdle(line) || around.test(line))
}

const around = /^(?:g?make(?:\[\d+\])?: (?:Entering|Leaving) directory|> )/
