import type { Forge } from '../core/ports/forge.ts'
import { soleLeases } from '../core/ports/leases.ts'
import type { SandboxRequest } from '../core/ports/sandbox.ts'
import type { Store } from '../core/ports/store.ts'
import type { Ports } from '../core/ports.ts'
import { dollarsFor, priceOf } from '../core/prices.ts'
import type { Observer } from '../graph/run-graph.ts'
import { calibrate } from '../model/budget/forecast.ts'
import { lastLines } from '../text/diagnosis/plain-text.ts'
import { estimatePromptTokens } from '../text/words/estimate-tokens.ts'

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
      async complete({ messages, model }) {
        const { factor } = await history()
        const price = priceOf(model, settings.model.prices)
        const tokens = {
          promptTokens: Math.round(estimatePromptTokens(messages) * factor),
          completionTokens: Math.round(answerTokens * factor),
        }
        const dollars = dollarsFor(tokens, price)
        return { status: 'withheld', usage: { requests: 1, ...tokens, dollars } }
      },
    },
    forge: withoutWrites(ports.forge),
    workspace: {
      ...ports.workspace,
      // A real run may be working in the same folders.
      discard: async () => {},
      publish: async () => ({ status: 'published' }),
      park: async () => ({ status: 'published' }),
    },
    leases: soleLeases,
    store: withoutSaves(ports.store),
    memory: {
      ...ports.memory,
      learn: async () => {},
      clear: async () => [],
    },
    // Without waiting for a plan, each task reaches its first request for code.
    settings: { ...settings, planning: false, verify: { ...settings.verify, mode: 'skip' } },
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

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | null = null
  return () => {
    answer ??= ask()
    return answer
  }
}

/** Last lines of an installer's output. */
const mostLines = 5

/** Reports to the observer what is installed, when and how it ended, and each request to the model. */
export function tellSetUp(ports: Ports, observer: Observer | undefined): Ports {
  const { sandbox, model } = ports
  const say = (sentence: string) => observer?.noticed?.(sentence)
  const prepare = async (request: SandboxRequest) => {
    const { name } = request
    if (name === undefined) return sandbox.prepare(request)
    say(`  what the tests need is set up: ${name} …`)
    const run = await sandbox.prepare(request)
    const took = `${Math.round(run.seconds)} s`
    if (run.exitCode === 0) {
      say(`    ${name}: done in ${took}`)
      return run
    }
    say(`    ${name} failed after ${took}:`)
    for (const line of lastLines(`${run.stdout}\n${run.stderr}`, mostLines)) say(`      ${line}`)
    return run
  }
  const complete: Ports['model']['complete'] = (request) => {
    observer?.asking?.()
    return model.complete(request)
  }
  return { ...ports, sandbox: { ...sandbox, prepare }, model: { ...model, complete } }
}
