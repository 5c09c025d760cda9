import type { DestructiveOperation } from '../../packages/judge/destructive/operation.ts'
import type { Task } from '../../packages/task/task-schema.ts'
import type { Attempt, TriedRemedy } from '../../src/core/domain/attempt.ts'
import { changeState, type StatePatch, untried } from '../../src/core/domain/change-state.ts'
import { type RunState, stateVersion } from '../../src/core/domain/run-state.ts'
import type { Settings } from '../../src/core/domain/settings.ts'
import { noUsage, type Usage } from '../../src/core/domain/usage.ts'
import { soleLeases } from '../../src/core/ports/leases.ts'
import { noRoutes } from '../../src/core/ports/routes.ts'
import type { Store } from '../../src/core/ports/store.ts'
import type { Ports } from '../../src/core/ports.ts'
import { resolveSettings } from '../../src/entry/config/resolve-settings.ts'
import { createFakeClock } from './fake-clock.ts'
import { createKnownFixes } from './known-fixes.ts'

/** Ready-made facts for tables of cases: sound defaults, and what the case is about. */

export function aTask(facts: Partial<Task> = {}): Task {
  return {
    id: 'T-1',
    fingerprint: '1'.repeat(64),
    title: 'Add a greeting',
    details: '',
    status: 'pending',
    line: 1,
    endLine: 1,
    headings: [],
    phase: null,
    section: null,
    files: [],
    dependsOn: [],
    accept: [],
    verify: null,
    model: null,
    priority: 0,
    subtasks: [],
    budget: null,
    ...facts,
  }
}

export function anAttempt(facts: Partial<Attempt> = {}): Attempt {
  return {
    task: aTask(),
    number: 1,
    starts: 1,
    start: { branch: 'main', sha: 'base' },
    head: null,
    startedAt: '2026-01-01T00:00:00.000Z',
    seconds: 0,
    steps: 0,
    plan: null,
    map: '',
    context: [],
    targets: [],
    ...untried,
    feedback: null,
    grants: [],
    usage: noUsage,
    ...facts,
  }
}

export function aState(facts: StatePatch = {}): RunState {
  return changeState(
    {
      version: stateVersion,
      run: {
        id: 'run-1',
        startedAt: '2026-01-01T00:00:00.000Z',
        completedAt: null,
        dryRun: false,
        approvalMode: 'auto',
        only: null,
        request: '',
        remark: null,
        gap: null,
      },
      roadmap: {
        path: 'ROADMAP.md',
        base: { branch: 'main', sha: 'base' },
        normalized: null,
        amendments: [],
        preview: null,
        changes: [],
      },
      asked: { answers: {}, feedback: {}, grants: {}, issues: [] },
      progress: { next: 'parse_roadmap', limits: [], retryAt: null, stopped: null, resumeAt: null },
      attempt: null,
      tasks: {
        parked: {},
        results: {},
        heads: {},
        questions: {},
        lacked: {},
        retried: [],
        leases: {},
        failedBefore: {},
      },
      spent: { usage: noUsage, calls: 0, seconds: 0, nodes: {} },
      record: { recoveries: [], destructive: [], errors: [], hidden: [] },
      pullRequests: { opened: 0, open: [] },
      learned: { windows: {}, corrections: {}, thinking: [], forgotten: [] },
    },
    facts,
  )
}

export function someSettings(limits: Partial<Settings['limits']> = {}): Settings {
  const resolved = resolveSettings({
    flags: { model: 'scripted' },
    environment: {},
    file: null,
    defaults: { approvalMode: 'auto', stack: 'auto' },
  })
  if (resolved.status !== 'ok') throw new Error('The defaults are not valid.')
  return { ...resolved.settings, limits: { ...resolved.settings.limits, ...limits } }
}

/** Remembers nothing. */
export const emptyStore: Store = {
  load: async () => ({ status: 'none' }),
  save: async () => {},
  record: async () => {},
  journal: async () => [],
  runs: async () => [],
  answer: async () => null,
  writeReport: async (name) => name,
  recordSpending: async () => {},
  spendingOn: async () => ({ tokens: 0, dollars: 0, unreadable: null }),
  pastTasks: async () => [],
}

/** Ports of which a case gives those it is about; any other, when used, fails the test. */
export function fakePorts(given: Partial<Ports>, limits: Partial<Settings['limits']> = {}): Ports {
  const fallback: Partial<Ports> = {
    clock: createFakeClock(),
    settings: someSettings(limits),
    store: emptyStore,
    memory: createKnownFixes(),
    leases: soleLeases,
    routes: noRoutes,
    random: { hex: (length) => 'a'.repeat(length), fraction: () => 0 },
    ...given,
  }
  return new Proxy(fallback as Ports, {
    get(target, name) {
      const port: unknown = Reflect.get(target, name)
      if (port === undefined && name !== 'ledger' && name !== 'elsewhere')
        throw new Error(`This case gave no port called ${String(name)}.`)
      return port
    },
  })
}

export function anOperation(facts: Partial<DestructiveOperation> = {}): DestructiveOperation {
  return {
    path: 'scripts/clean.sh',
    line: 3,
    column: 1,
    category: 'filesystem',
    operation: 'rm -rf "$DIR"',
    why: 'It deletes folders with everything in them.',
    fingerprint: 'f'.repeat(24),
    ...facts,
  }
}

export function usageOf(tokens: number): Usage {
  return { ...noUsage, requests: 1, promptTokens: tokens }
}

/** A repair of a syntax error that did not help. */
export const aRepair = (facts: Partial<TriedRemedy> = {}): TriedRemedy => ({
  ...{ node: 'repair_code', type: 'syntax_error', strategy: 'ask_again', signature: 's' },
  ...{ message: 'Unexpected end', subject: '', fix: '', worked: false },
  ...facts,
})
