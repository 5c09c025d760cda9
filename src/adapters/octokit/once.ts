/** Asks the first time; a failure is not remembered. */
export function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | null = null
  return () => {
    answer ??= ask().catch((error: unknown) => {
      answer = null
      throw error
    })
    return answer
  }
}
