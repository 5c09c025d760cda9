/** What a person can do about a task that is not done, in a sentence; empty where nothing is left to say. */
export function nextStep(verdict: string, pullRequest: { readonly number: number } | null): string {
  const there = pullRequest === null ? '' : `#${pullRequest.number}`
  switch (verdict) {
    case 'failed':
      return there === ''
        ? 'Word it anew, or run it by its name to try it again.'
        : `Answer in ${there}: \`/retry\`, \`/rewrite\`, \`/decompose\` or \`/skip\`.`
    case 'unverified':
      return 'Look at it before you merge it: no test has.'
    case 'deferred':
      return 'The next run tries it again.'
    case 'waiting':
      return there === '' ? '' : `Answer in ${there}.`
    default:
      return ''
  }
}
