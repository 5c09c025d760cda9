import type { Price } from '../../core/domain/settings.ts'
import type { Task } from '../../core/domain/task.ts'
import { dollarsFor } from '../../core/prices.ts'

/** Instructions, project map and a few related lines that every first request carries. */
const requestTokens = 700
/** An ordinary answer, and the share of tasks that need a repair of a third of that size. */
const answerTokens = 600
const repairShare = 1.2
const charactersPerToken = 4

export interface Forecast {
  readonly tokens: number
  /** `null` when the model has no known price. */
  readonly dollars: number | null
}

/**
 * What a task will probably take: its own words, the files it names, one answer, and a bit for
 * repairs. A guess to compare tasks by, not a promise.
 *
 * @param sizes bytes by path at the base commit
 * @param factor how far such forecasts were off before
 */
export function forecastTask(
  task: Task,
  sizes: ReadonlyMap<string, number>,
  price: Price | null,
  factor = 1,
): Forecast {
  const words = task.title.length + task.details.length
  const named = task.files.reduce((sum, path) => sum + (sizes.get(path) ?? 0), 0)
  const prompt = requestTokens + (words + named) / charactersPerToken
  const promptTokens = Math.round(prompt * repairShare * factor)
  const completionTokens = Math.round(answerTokens * repairShare * factor)
  return {
    tokens: promptTokens + completionTokens,
    dollars: price === null ? null : dollarsFor({ promptTokens, completionTokens }, price),
  }
}
