/** The issues of the same repository that a pull request closes when it is merged, by what its text says. */
export function closingReferences(text: string): readonly number[] {
  const keyword = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):? #(\d+)\b/gi
  return [...new Set([...text.matchAll(keyword)].map(([, number]) => Number(number)))]
}
