import { count, object, type Stored } from './stored.ts'

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

export const totalTokens = (usage: Usage): number => usage.promptTokens + usage.completionTokens
