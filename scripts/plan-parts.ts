/** A part of the full test run and its result. */
export interface Played {
  readonly name: string
  readonly status: 'good' | 'failed' | 'cut off' | 'not played'
  readonly seconds: number
  readonly passed: number
  readonly failed: number
}

/** Seconds of `40m`, `90s` or `2h`; `null` for no budget. */
export function readBudget(text: string | undefined): number | null | 'invalid' {
  if (text === undefined) return null
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([smh])$/.exec(text) ?? []
  if (number === undefined) return 'invalid'
  return Number(number) * ({ s: 1, m: 60, h: 3600 }[unit] ?? 1)
}

/** Lists the parts to run, with the last saved duration of each. */
export function planParts(
  seconds: ReadonlyMap<string, number | null>,
  budget: number | null,
): string {
  const lines = [...seconds].map(
    ([name, known]) => `  ${name.padEnd(12)} ${known === null ? 'not timed yet' : minutes(known)}`,
  )
  const sum = [...seconds.values()].reduce<number>((total, known) => total + (known ?? 0), 0)
  const limit = budget === null ? '' : `, in at most ${minutes(budget)}`
  return [`${seconds.size} parts, about ${minutes(sum)}${limit}:`, ...lines].join('\n')
}

/** Reads vitest's JSON report, or the last sum that the fault harness printed: `7198 cases, 0 wrong`. */
export function readCounts(
  report: string | null,
  printed: string,
): { readonly passed: number; readonly failed: number } {
  if (report !== null) {
    const { numPassedTests, numFailedTests } = JSON.parse(report)
    return { passed: numPassedTests, failed: numFailedTests }
  }
  const [, cases, wrong] = [...printed.matchAll(/(\d+) cases, (\d+) wrong/g)].at(-1) ?? []
  return { passed: Number(cases ?? 0) - Number(wrong ?? 0), failed: Number(wrong ?? 0) }
}

/** One line per part, then the omitted parts, then the sum. */
export function showEnd(played: readonly Played[]): string {
  const lines = played.map(
    ({ name, status, passed, failed, seconds }) =>
      `  ${name.padEnd(12)} ${status.padEnd(10)} ${String(passed).padStart(6)} passed ${String(failed).padStart(4)} failed  ${minutes(seconds)}`,
  )
  const sum = (key: 'passed' | 'failed') => played.reduce((total, part) => total + part[key], 0)
  const left = played.filter(({ status }) => status === 'cut off' || status === 'not played')
  const leftOut = left.map(({ name }) => name).join(' ')
  return [
    '',
    ...lines,
    ...(leftOut === '' ? [] : [`Left out: npm run test:full -- ${leftOut}`]),
    `${sum('passed')} passed, ${sum('failed')} failed`,
  ].join('\n')
}

const minutes = (seconds: number): string =>
  seconds < 60
    ? `${Math.round(seconds)} s`
    : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
