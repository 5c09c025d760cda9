import type { Price } from './domain/settings.ts'

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
