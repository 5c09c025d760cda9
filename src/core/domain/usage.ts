/** Tokens and dollars of one or more model calls. */
export interface Usage {
  readonly requests: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly dollars: number
}

export const noUsage: Usage = { requests: 0, promptTokens: 0, completionTokens: 0, dollars: 0 }

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    requests: a.requests + b.requests,
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    dollars: a.dollars + b.dollars,
  }
}

export function subtractUsage(a: Usage, b: Usage): Usage {
  return {
    requests: a.requests - b.requests,
    promptTokens: a.promptTokens - b.promptTokens,
    completionTokens: a.completionTokens - b.completionTokens,
    dollars: a.dollars - b.dollars,
  }
}

export const totalTokens = (usage: Usage): number => usage.promptTokens + usage.completionTokens
