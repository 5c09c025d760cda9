import type { OpenRelay, Relay, RelayedRequest, RelayFailure } from '../../src/core/ports/relay.ts'

/** One request of an agent: what it takes, and how the endpoint answers. */
export interface ScriptedRequest {
  readonly promptTokens?: number
  readonly maxOutputTokens?: number
  readonly ended?: Partial<RelayedRequest>
  readonly failure?: RelayFailure
}

/** Makes these requests before the agent works, the next list for each session, until one is over budget. */
export function createScriptedRelay(
  sessions: readonly (readonly ScriptedRequest[])[] = [],
  signal: AbortSignal = new AbortController().signal,
): Relay & { readonly opened: readonly string[] } {
  const opened: string[] = []
  return {
    opened,
    async open(model, admit): Promise<OpenRelay> {
      let [over, failure]: [string | null, RelayFailure | null] = [null, null]
      for (const request of sessions[opened.length] ?? []) {
        const { promptTokens = 100, maxOutputTokens = 100, ended } = request
        const admission = await admit({ promptTokens, maxOutputTokens })
        if (admission.status === 'over_budget') {
          over = admission.reason
          break
        }
        const usage = { requests: 1, promptTokens: 100, completionTokens: 10, dollars: 0 }
        await admission.settle({ status: 200, usage, seconds: 1, ...ended })
        failure = request.failure ?? null
      }
      opened.push(model)
      const env = { OPENAI_API_KEY: 'word' }
      return {
        ...{ port: 4000, env, homeFiles: {}, signal },
        ...{ overBudget: () => over, failure: () => failure, close: async () => {} },
      }
    },
  }
}
