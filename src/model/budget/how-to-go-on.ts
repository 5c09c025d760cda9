/** What a limit's sentence calls it, and how a person gives it more. */
const remedies: readonly (readonly [named: string, remedy: string])[] = [
  ['(max-cost)', '--max-cost'],
  ['(max-tokens)', '--max-tokens'],
  ['(its Budget line)', "the task's Budget line"],
  ...[
    'minutes',
    ...['call', 'task', 'day'].flatMap((scope) => [`tokens-per-${scope}`, `cost-per-${scope}`]),
  ].map((name) => [`(limits.${name})`, `limits.${name}`] as const),
]

/** The sentence for a person whose run met these limits; `null` when none of them can be raised. */
export function howToGoOn(limits: readonly string[]): string | null {
  const raise = remedies
    .filter(([named]) => limits.some((limit) => limit.includes(named)))
    .map(([, remedy]) => remedy)
  if (raise.length === 0) return null
  return `Raise ${raise.join(' and ')}, then run again: it goes on where it stopped.`
}
