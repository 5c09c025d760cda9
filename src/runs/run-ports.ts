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

/** What a change usually takes to write, before history is asked. */
const answerTokens = 600

/**
 * The ports of a dry run: everything is read as always, nothing is written anywhere, no test
 * is run, and the model is not asked but tells what the question would have cost, by what earlier
 * tasks took.
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
      // A real run may be at work in the same folders.
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
    // Without a plan to wait for, each task gets as far as its first request for code.
    settings: { ...settings, planning: false, verify: { ...settings.verify, mode: 'skip' } },
  }
}

/** Nothing is saved; what earlier runs learned still makes the forecasts. */
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

/** Nothing reaches the forge; what only reads it does. */
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

/** Of the end of what an installer said. */
const mostLines = 5

/** The ports, with somebody told of what is installed, when and how it ended, and of each request to the model. */
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
