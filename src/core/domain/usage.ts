import { count, object, type Stored } from '../../../packages/text/text.ts'
import type { Price } from './settings.ts'

/** Tokens and dollars of one or more model calls. */
export const usageSchema = object({
  requests: count,
  promptTokens: count,
  completionTokens: count,
  dollars: count,
})

export type Usage = Stored<typeof usageSchema>

export const noUsage: Usage = { requests: 0, promptTokens: 0, completionTokens: 0, dollars: 0 }

export const addUsage = (a: Usage, b: Usage): Usage => combine(a, b, 1)

export const subtractUsage = (a: Usage, b: Usage): Usage => combine(a, b, -1)

const combine = (a: Usage, b: Usage, sign: 1 | -1): Usage => ({
  requests: a.requests + sign * b.requests,
  promptTokens: a.promptTokens + sign * b.promptTokens,
  completionTokens: a.completionTokens + sign * b.completionTokens,
  dollars: a.dollars + sign * b.dollars,
})

export const totalTokens = (usage: Pick<Usage, 'promptTokens' | 'completionTokens'>): number =>
  usage.promptTokens + usage.completionTokens

/** Shares a number among `many`: whole numbers stay whole, and the shares add up to it exactly, in this order. */
export function shareOf(total: number, many: number, index: number): number {
  const isWhole = Number.isInteger(total)
  const each = isWhole ? Math.floor(total / many) : total / many
  if (isWhole) return each + (index < total - each * many ? 1 : 0)
  if (index < many - 1) return each
  let others = 0
  for (let left = many - 1; left > 0; left--) others += each
  return total - others
}

/** The share of one of `many` tasks in what they cost together. */
export const shareUsage = (usage: Usage, many: number, index: number): Usage => ({
  requests: shareOf(usage.requests, many, index),
  promptTokens: shareOf(usage.promptTokens, many, index),
  completionTokens: shareOf(usage.completionTokens, many, index),
  dollars: shareOf(usage.dollars, many, index),
})

/**
 * List prices in dollars per million tokens, as published on openai.com/api/pricing in autumn 2025.
 * Prices change and resellers differ: `prices` of the configuration come first.
 */
const listPrices: Readonly<Record<string, Price>> = {
  'gpt-4o': { prompt: 2.5, completion: 10 },
  'gpt-4o-mini': { prompt: 0.15, completion: 0.6 },
  'gpt-4.1': { prompt: 2, completion: 8 },
  'gpt-4.1-mini': { prompt: 0.4, completion: 1.6 },
  'gpt-4.1-nano': { prompt: 0.1, completion: 0.4 },
  'gpt-5': { prompt: 1.25, completion: 10 },
  'gpt-5-mini': { prompt: 0.25, completion: 2 },
  'gpt-5-nano': { prompt: 0.05, completion: 0.4 },
  o3: { prompt: 2, completion: 8 },
  'o4-mini': { prompt: 1.1, completion: 4.4 },
}

const datedSnapshot = /-\d{4}-\d{2}-\d{2}$/

/**
 * The price of a model: the one configured under its name, or else under its longest `beginning*`, or else the list
 * price of it or of its dated snapshot, or else `null`.
 */
export function priceOf(model: string, prices: Readonly<Record<string, Price>>): Price | null {
  if (Object.hasOwn(prices, model)) return prices[model] ?? null
  const [beginning] = Object.keys(prices)
    .filter((key) => key.endsWith('*') && model.startsWith(key.slice(0, -1)))
    .sort((a, b) => b.length - a.length)
  if (beginning !== undefined) return prices[beginning] ?? null
  const name = model.replace(/^openai\//, '').replace(datedSnapshot, '')
  return Object.hasOwn(listPrices, name) ? (listPrices[name] ?? null) : null
}

/** Cost of these tokens in dollars; zero when the price is unknown. */
export function dollarsFor(
  tokens: { readonly promptTokens: number; readonly completionTokens: number },
  price: Price | null,
): number {
  if (price === null) return 0
  return (tokens.promptTokens * price.prompt + tokens.completionTokens * price.completion) / 1e6
}
