import { describeBasis } from './calibrate.ts'

/** `3 open tasks, about 9,000 tokens, $0.0123 (from 5 past tasks)`. */
export function describeForecast(forecast: {
  readonly tasks: number
  readonly tokens: number
  readonly dollars: number | null
  readonly samples: number
}): string {
  const { tasks, tokens, samples } = forecast
  const many = `${tasks} open ${tasks === 1 ? 'task' : 'tasks'}`
  const cost = describeDollars(forecast.dollars)
  return `${many}, about ${grouped(tokens)} tokens, ${cost} (${describeBasis({ samples })})`
}

/** `$0.0123`, or that nobody knows. */
const describeDollars = (dollars: number | null): string =>
  dollars === null ? 'no price known for this model' : `$${dollars.toFixed(4)}`

/** `12,345`. Every run says it once, and to load the tables of locales for that takes 12 ms. */
const grouped = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, ',')
