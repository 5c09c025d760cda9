import type { Task } from '../../../packages/task/task.ts'
import { charactersPerToken, countOf } from '../../../packages/text/text.ts'
import type { TaskWay } from '../../core/domain/route.ts'
import type { Price, Settings } from '../../core/domain/settings.ts'
import { dollarsFor, priceOf } from '../../core/domain/usage.ts'
import { chooseWay } from '../../core/history/choose-way.ts'
import { noRecord } from '../../core/ports/routes.ts'
import type { PastTask } from '../../core/ports/store.ts'
import { sizeTask } from '../size/complexity.ts'

export interface Forecast {
  readonly tokens: number
  /** `null` when a model has no known price. */
  readonly dollars: number | null
}

interface Basis {
  /** The calibration of earlier forecasts. */
  readonly factor?: number
  readonly strategy?: Settings['strategy']
}

/** The way that the task takes; with `auto`, by its words alone. */
export const expectedWay = (
  task: Task,
  strategy: Settings['strategy'],
  paths: readonly string[],
): TaskWay | 'agent' =>
  strategy === 'auto' ? chooseWay(sizeTask(task, paths), false, noRecord).way : strategy

/** The error of earlier forecasts, learned from finished tasks. */
interface Calibration {
  /** Factor that corrects a forecast. */
  readonly factor: number
  /** Number of finished tasks behind the factor; with 0 the forecast is a guess. */
  readonly samples: number
}

/** Fewer tasks say nothing about the next one. */
const fewest = 3
const smallest = 0.25
const largest = 8

/** The median ratio of actual to forecast usage, so one outlier moves it little. Clamped to a quarter and eight. */
export function calibrate(past: readonly PastTask[]): Calibration {
  const ratios = past
    .map(({ tokens, forecastTokens }) => tokens / forecastTokens)
    .filter((ratio) => Number.isFinite(ratio) && ratio > 0)
    .sort((a, b) => a - b)
  if (ratios.length < fewest) return { factor: 1, samples: 0 }
  const middle = ratios.length / 2
  const median = ((ratios[Math.ceil(middle) - 1] ?? 1) + (ratios[Math.floor(middle)] ?? 1)) / 2
  return { factor: Math.min(largest, Math.max(smallest, median)), samples: ratios.length }
}

/** Tokens of a way for a task, as a multiple of those of `single` (docs/performance.md, Strategies). */
const factors: Readonly<Record<TaskWay | 'agent', number>> = {
  ...{ single: 1, two_phase: 1.03, tools: 5 },
  // It asks some times, and reads parts of the files.
  agent: 3,
}

export const toolsFactor = factors.tools

/** Codex and Claude Code begin each request with seven to nineteen thousand tokens of their own. */
const agentTokens = 60_000

/** Instructions, project map and a few related lines, which every first request carries. */
const requestTokens = 700
/** An ordinary answer, and the share of tasks that need a repair of a third of its size. */
const answerTokens = 600
const repairShare = 1.2

/**
 * Estimates a task's usage: its own words, the files it names, one answer, and some repairs. Good for comparing
 * tasks; not a promise.
 *
 * @param sizes bytes by path at the base commit
 */
export function forecastTask(
  task: Task,
  sizes: ReadonlyMap<string, number>,
  price: Price | null,
  { factor = 1, strategy = 'single' }: Basis = {},
): Forecast {
  const words = task.title.length + task.details.length
  const named = task.files.reduce((sum, path) => sum + (sizes.get(path) ?? 0), 0)
  const prompt = requestTokens + (words + named) / charactersPerToken
  const completionTokens = Math.round(answerTokens * repairShare * factor)
  // Another way reads more; it writes about as much.
  const way = expectedWay(task, strategy, [...sizes.keys()])
  const own = way === 'agent' ? agentTokens : 0
  const all = (prompt + answerTokens) * factors[way] + own
  const promptTokens = Math.round((all - answerTokens) * repairShare * factor)
  return {
    tokens: promptTokens + completionTokens,
    dollars: price === null ? null : dollarsFor({ promptTokens, completionTokens }, price),
  }
}

/**
 * Forecasts each of these tasks and their sum, corrected by calibration. The sum's dollars are `null` when one
 * model's price is unknown.
 *
 * @param sizes bytes by path at the base commit
 */
export function forecastTasks(
  tasks: readonly Task[],
  sizes: ReadonlyMap<string, number>,
  { model, strategy }: Pick<Settings, 'model' | 'strategy'>,
  past: readonly PastTask[],
): Forecast & {
  readonly byTask: ReadonlyMap<string, Forecast>
  readonly samples: Calibration['samples']
} {
  const { factor, samples } = calibrate(past)
  const byTask = new Map<string, Forecast>()
  let tokens = 0
  let dollars: number | null = 0
  for (const task of tasks) {
    const price = priceOf(task.model ?? model.name, model.prices)
    const forecast = forecastTask(task, sizes, price, { factor, strategy })
    byTask.set(task.id, forecast)
    tokens += forecast.tokens
    dollars = dollars === null || forecast.dollars === null ? null : dollars + forecast.dollars
  }
  return { byTask, tokens, dollars, samples }
}

/** `from 5 past tasks`, or "a guess". */
export const describeBasis = (samples: number): string =>
  samples === 0 ? 'a guess, until three tasks are done' : `from ${samples} past tasks`

/** `3 open tasks, about 9,000 tokens, $0.0123 (from 5 past tasks)`. */
export function describeForecast(
  forecast: Forecast & { readonly tasks: number; readonly samples: number },
): string {
  const { tasks, tokens, dollars, samples } = forecast
  const many = countOf(tasks, 'open task')
  // Every run prints this once; loading the locale tables for it would take 12 ms.
  const grouped = String(tokens).replace(/\B(?=(?:\d{3})+$)/g, ',')
  const cost = dollars === null ? 'cost unknown' : `$${dollars.toFixed(4)}`
  return `${many}, about ${grouped} tokens, ${cost} (${describeBasis(samples)})`
}
