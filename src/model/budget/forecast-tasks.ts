import type { Settings } from '../../core/domain/settings.ts'
import type { Task } from '../../core/domain/task.ts'
import type { PastTask } from '../../core/ports/store.ts'
import { priceOf } from '../../core/prices.ts'
import { calibrate } from './calibrate.ts'
import { type Forecast, forecastTask } from './forecast-task.ts'

/** What a list of tasks will probably take. */
export interface TasksForecast extends Forecast {
  readonly byTask: ReadonlyMap<string, Forecast>
  /** The finished tasks it was learned from; 0: it is a guess. */
  readonly samples: number
}

/**
 * A forecast for each of these tasks and for all of them, corrected by how far it was off before.
 * The dollars of all are `null` as soon as one model has no known price.
 *
 * @param sizes bytes by path at the base commit
 */
export function forecastTasks(
  tasks: readonly Task[],
  sizes: ReadonlyMap<string, number>,
  { model }: Pick<Settings, 'model'>,
  past: readonly PastTask[],
): TasksForecast {
  const { factor, samples } = calibrate(past)
  const byTask = new Map<string, Forecast>()
  let tokens = 0
  let dollars: number | null = 0
  for (const task of tasks) {
    const price = priceOf(task.model ?? model.name, model.prices)
    const forecast = forecastTask(task, sizes, price, factor)
    byTask.set(task.id, forecast)
    tokens += forecast.tokens
    dollars = dollars === null || forecast.dollars === null ? null : dollars + forecast.dollars
  }
  return { byTask, tokens, dollars, samples }
}
