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
  return `${many}, about ${tokens.toLocaleString('en')} tokens, ${cost} (${describeBasis({ samples })})`
}

/** `$0.0123`, or that nobody knows. */
const describeDollars = (dollars: number | null): string =>
  dollars === null ? 'no price known for this model' : `$${dollars.toFixed(4)}`
