import { createRedactor } from '../../../packages/text/secrets/redact.ts'
import type { Telemetry } from '../../../src/adapters/telemetry/signals.ts'
import type { Ports } from '../../../src/core/ports.ts'
import { observeSession } from '../../../src/entry/observe/observe-session.ts'
import { redactOutgoing } from '../../../src/entry/redact/redact-outgoing.ts'
import { runGraph } from '../../../src/graph/run-graph.ts'
import type { NodeTable } from '../../../src/graph/step.ts'
import { anAttempt, aState, fakePorts, usageOf } from '../../fakes/facts.ts'
import { createMemoryForge } from '../../fakes/memory-forge.ts'
import { createMemoryWorkspace } from '../../fakes/memory-workspace.ts'
import { createScriptedSandbox } from '../../fakes/scripted-sandbox.ts'
import { createSilentPerson } from '../../fakes/silent-person.ts'
import { allSpellings, canary, longCanary } from '../redact/canary.ts'

const secrets = [canary, longCanary]

const request = {
  ...{ folder: '/f', directory: '.', env: {}, network: false, mounts: [], timeoutSeconds: 1 },
  collect: [],
}

/** Nodes that call what is outside, and say what a secret is wherever they can. */
const nodes: Partial<NodeTable> = {
  pick_task: async () => ({ outcome: 'picked', patch: { attempt: anAttempt() } }),
  execute_task: async (state, { model, forge }) => {
    const { usage } = await model.complete({
      purpose: 'draft',
      model: 'gpt-5',
      messages: [{ role: 'user', content: 'TEXT-OF-A-PROMPT' }],
      maxOutputTokens: 100,
      json: false,
    })
    await forge.upsertComment(7, '<!-- m -->', `TEXT-OF-A-COMMENT ${allSpellings}`)
    return {
      outcome: allSpellings as 'drafted',
      patch: { spent: { usage }, roadmap: { path: `${state.roadmap.path} ${canary}` } },
    }
  },
  verify_task: async (_state, { sandbox, workspace }) => {
    await sandbox.run({ ...request, command: { shell: 'TEXT-OF-A-COMMAND' } })
    await workspace.publish('agent/T-1', 'a', null)
    return { outcome: 'passed' }
  },
}

const edges = {
  pick_task: { picked: 'execute_task' },
  execute_task: { [allSpellings]: 'verify_task' },
  verify_task: { passed: 'END' },
} as const

export const openPorts = (): Ports => ({
  ...fakePorts({}),
  model: {
    complete: async () => ({
      ...{ status: 'answered', text: 'TEXT-OF-AN-ANSWER', finish: 'stop' },
      usage: usageOf(10),
    }),
  },
  forge: {
    ...createMemoryForge(),
    upsertComment: async () => ({ status: 'refused', code: 'forge_denied', detail: canary }),
  },
  workspace: createMemoryWorkspace({ files: {}, refuse: () => ({ status: 'published' }) }),
  sandbox: createScriptedSandbox(() => ({ exitCode: 1, stdout: 'TEXT-OF-OUTPUT' })),
  person: createSilentPerson(),
})

/** One run of them, as the composition has it: observed inside, redacted outside. */
export async function runObserved(options: {
  readonly directory: string | null
  readonly telemetry: Telemetry | null
}): Promise<void> {
  const ports = { ...openPorts() }
  const settings = { ...ports.settings, logLevel: 'debug' } as const
  const redact = createRedactor(secrets)
  const session = observeSession({ ...ports, settings }, { ...options, redact })
  const { observer } = session
  const { signal } = new AbortController()
  observer.noticed?.(`noticed ${allSpellings}`)
  session.note(`noted ${allSpellings}`)
  const guarded = redactOutgoing(session.ports, secrets)
  await runGraph(aState({ progress: { next: 'pick_task' } }), nodes, edges, guarded, {
    signal,
    observer,
  })
  await session.close()
}
