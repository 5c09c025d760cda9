import { count, object, type Stored } from '../../../packages/text/text.ts'

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
