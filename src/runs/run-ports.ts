import { estimatePromptTokens, once } from '../../packages/text/text.ts'
import { dollarsFor, priceOf } from '../core/domain/usage.ts'
import type { Forge } from '../core/ports/forge.ts'
import { soleLeases } from '../core/ports/leases.ts'
import { noRelay } from '../core/ports/relay.ts'
import { noRoutes } from '../core/ports/routes.ts'
import type { Store } from '../core/ports/store.ts'
import type { Ports } from '../core/ports.ts'
import { calibrate } from '../model/budget/forecast.ts'

/** A usual answer, in tokens, without history. */
const answerTokens = 600

/**
 * Ports of a dry run: reads everything as usual, writes nothing, runs no test, and instead of asking the model
 * returns what the question would have cost, by the usage of earlier tasks.
 */
export function dryRunPorts(ports: Ports): Ports {
  const { settings } = ports
  const history = once(async () => calibrate(await ports.store.pastTasks()))
  return {
    ...ports,
    model: {
      async complete({ messages, tools, model }) {
        const { factor } = await history()
        const price = priceOf(model, settings.model.prices)
        const tokens = {
          promptTokens: Math.round(estimatePromptTokens(messages, tools) * factor),
          completionTokens: Math.round(answerTokens * factor),
        }
        const dollars = dollarsFor(tokens, price)
        return { status: 'withheld', usage: { requests: 1, ...tokens, dollars } }
      },
    },
    relay: noRelay('A dry run starts no agent.'),
    forge: withoutWrites(ports.forge),
    workspace: {
      ...ports.workspace,
      // A real run may be working in the same folders.
      discard: async () => {},
      publish: async () => ({ status: 'published' }),
      park: async () => ({ status: 'published' }),
      keep: async () => ({ status: 'published' }),
    },
    leases: soleLeases,
    routes: noRoutes,
    store: withoutSaves(ports.store),
    memory: { ...ports.memory, learn: async () => {} },
    // Without waiting for a plan, each task reaches its first request for code.
    settings: { ...settings, strategy: 'single', verify: { ...settings.verify, mode: 'skip' } },
  }
}

/** Saves nothing; earlier runs still inform the forecasts. */
export const withoutSaves = (store: Store): Store => ({
  journal: (run) => store.journal(run),
  runs: () => store.runs(),
  spendingOn: (day) => store.spendingOn(day),
  pastTasks: () => store.pastTasks(),
  load: async () => ({ status: 'none' }),
  save: async () => {},
  record: async () => {},
  answer: async () => null,
  writeReport: async (name) => name,
  recordSpending: async () => {},
})

/** Writes nothing to the forge; reads work. */
export function withoutWrites(
  forge: Pick<Forge, 'kind' | 'pullRequests' | 'pullRequest' | 'checks'>,
): Forge {
  const nothing = async () => ({ status: 'ok', value: null }) as const
  return {
    kind: forge.kind,
    pullRequests: () => forge.pullRequests(),
    pullRequest: (number) => forge.pullRequest(number),
    checks: (sha) => forge.checks(sha),
    upsertPullRequest: nothing,
    upsertComment: nothing,
    upsertReviewComment: nothing,
    merge: async () => ({ status: 'blocked', reason: 'A dry run merges nothing.' }),
    close: nothing,
    retarget: nothing,
    label: nothing,
    upsertIssue: async () => ({ status: 'ok', value: { number: 0, url: '' } }),
  }
}

/** Wraps the ports to measure how long the person takes to answer; `waited` returns seconds. */
export function timeAnswers(ports: Ports): {
  readonly ports: Ports
  readonly waited: () => number
} {
  let seconds = 0
  const person: Ports['person'] = {
    get present() {
      return ports.person.present
    },
    async ask(question) {
      const began = ports.clock.monotonic()
      try {
        return await ports.person.ask(question)
      } finally {
        seconds += ports.clock.monotonic() - began
      }
    },
  }
  return { ports: { ...ports, person }, waited: () => seconds }
}
