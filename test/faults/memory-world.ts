/**
 * Everything that outlives a process, in memory: a repository on GitHub, its git, a disk, a model that
 * remembers what it was asked. Processes come and go.
 */

import type { SandboxRequest, SandboxRun } from '../../packages/sandbox/port.ts'
import { openDurableStore } from '../../src/adapters/durable-store.ts'
import type { FileStore } from '../../src/adapters/file-store.ts'
import type { Settings } from '../../src/core/domain/settings.ts'
import type { Discussion } from '../../src/core/ports/discussion.ts'
import type { PullRequest } from '../../src/core/ports/forge.ts'
import { soleLeases } from '../../src/core/ports/leases.ts'
import { noRelay } from '../../src/core/ports/relay.ts'
import { noRoutes, type RouteBook } from '../../src/core/ports/routes.ts'
import type { Ports } from '../../src/core/ports.ts'
import { hashRequest } from '../../src/model/ask/record-call.ts'
import type { Services } from '../../src/runs/pass.ts'
import { someSettings } from '../fakes/facts.ts'
import { createFakeClock, type FakeClock } from '../fakes/fake-clock.ts'
import { createKnownFixes } from '../fakes/known-fixes.ts'
import { createMemoryDiscussion } from '../fakes/memory-discussion.ts'
import { createMemoryForge, type MemoryForge } from '../fakes/memory-forge.ts'
import { createMemoryRepository, type MemoryRepository } from '../fakes/memory-repository.ts'
import {
  createSharedPlace,
  openMemoryShared,
  type SharedPlace,
} from '../fakes/memory-shared-state.ts'
import { createMemoryStore, type MemoryStore } from '../fakes/memory-store.ts'
import { createMemoryWorkspace, type MemoryWorkspace } from '../fakes/memory-workspace.ts'
import { createScriptedSandbox, tapReport } from '../fakes/scripted-sandbox.ts'
import { answered } from './answers.ts'

export interface MemoryWorld {
  readonly machines: Machines
  readonly repository: MemoryRepository
  readonly workspace: MemoryWorkspace
  readonly forge: MemoryForge
  readonly discussion: Discussion
  readonly clock: FakeClock
  /** The store of the process that began last. */
  readonly store: MemoryStore
  /** The stored state of runs; nothing where all processes have one disk. */
  readonly place: SharedPlace
  /** Every question the model was paid for, by its hash, in order. */
  readonly paid: readonly string[]
  /** Folders in which the tests of a change ran, in order. */
  readonly tested: readonly string[]
  /** Answers that are in the books. */
  booked(): number
  /** A new process; `between` stands between it and each of the doors it is made of. */
  start(between?: Between): Started
  pullOf(head: string): PullRequest
  /** Another machine pushes what it has to say of itself. */
  outrun(): void
}

/** Where a process finds what the one before it left: on the same disk, or in the repository alone. */
export type Machines = 'one disk' | 'fresh machines'

export type Between = <T extends object>(door: string, port: T) => T

export interface Started {
  readonly services: Services
  /** The last thing that a process does, unless it is killed. */
  close(): Promise<void>
}

const project: Readonly<Record<string, string>> = {
  'README.md': '# Toolbox\n',
  'package.json': '{"name":"toolbox","type":"module","scripts":{"test":"node --test"}}\n',
  'src/zero.js': 'export const zero = () => 0\n',
  'test/zero.test.js': "import { test } from 'node:test'\ntest('zero works', () => {})\n",
}

/** What the runs work on, and how. */
export interface Work {
  readonly roadmap: string
  readonly settings?: Partial<Settings>
  readonly routes?: RouteBook
}

export function createMemoryWorld(
  { roadmap, settings: own, routes = noRoutes }: Work,
  machines: Machines = 'one disk',
): MemoryWorld {
  const settings = { ...usual, ...own }
  const clock = createFakeClock()
  const workspace = createMemoryWorkspace({
    files: { ...project, 'ROADMAP.md': roadmap },
    now: clock.now,
  })
  const repository = createMemoryRepository({
    clock,
    tipOf: workspace.head,
    mergeCommit({ number, base, headSha }) {
      workspace.keepPullRequest(number, headSha)
      return workspace.land(base, headSha)
    },
  })
  const [forge, discussion] = [createMemoryForge(repository), createMemoryDiscussion(repository)]
  const paid: string[] = []
  const tested: string[] = []
  const keeping = machines === 'one disk' ? keepOnDisk() : keepInRepository(clock)
  let processes = 0
  return {
    ...{
      repository,
      workspace,
      forge,
      discussion,
      clock,
      paid,
      tested,
      machines,
      place: keeping.place,
    },
    booked: keeping.booked,
    get store() {
      return keeping.store()
    },
    start(between = (_, port) => port) {
      processes += 1
      const number = processes
      const own = workspace.another()
      const { close, ...kept } = keeping.open(number, between)
      const ports: Ports = {
        ...{ forge, workspace: own, clock, settings, routes },
        ...kept,
        relay: noRelay('no agent here'),
        person: { present: false, ask: async () => null },
        sandbox: createScriptedSandbox((_, request) => {
          if (isOfChange(request.folder)) tested.push(request.folder)
          return testsOf(request, own)
        }),
        syntax: { check: async () => ({ status: 'unavailable', reason: '' }) },
        random: { hex: (length) => `${number}`.padStart(length, '0'), fraction: () => 0 },
        model: {
          async complete(request) {
            paid.push(hashRequest(request))
            return answered(request)
          },
        },
      }
      return { services: { ports, discussion }, close }
    },
    outrun() {
      const { files } = keeping.place
      const line = JSON.stringify({ name: 'comment-99', session: 'other', at: clock.now() })
      const lines = `${files.get('settled.jsonl') ?? ''}${line}\n`
      keeping.place.files = new Map([...files, ['settled.jsonl', lines]])
    },
    pullOf(head) {
      const found = repository.pulls.find((pull) => pull.head === head)
      if (found === undefined) throw new Error(`There is no pull request of ${head}.`)
      return found
    },
  }
}

const some = someSettings({ openPullRequests: 20 })
const usual = {
  ...some,
  // The address of the fake's commits.
  commit: { ...some.commit, email: 'bot@example.org' },
  approvalMode: 'interactive' as const,
  strategy: 'single' as const,
  dashboard: true,
  merge: { onApprove: true, withoutChecks: false },
}

/** What processes leave for one another. */
interface Keeping {
  readonly place: SharedPlace
  readonly store: () => MemoryStore
  readonly booked: () => number
  open(
    process: number,
    between: Between,
  ): Pick<Ports, 'store' | 'leases' | 'memory'> & Pick<Started, 'close'>
}

function keepOnDisk(): Keeping {
  const store = createMemoryStore({ status: 'none' }, { shares: true })
  const kept = { store, leases: soleLeases, memory: createKnownFixes() }
  return {
    place: createSharedPlace(),
    store: () => store,
    booked: () => store.spent.length,
    open: () => ({ ...kept, close: async () => {} }),
  }
}

/** Each process is a run of the workflow on a runner of its own, whose disk goes with it. */
function keepInRepository(clock: FakeClock): Keeping {
  const place = createSharedPlace()
  const alive = new Set<string>()
  let newest = createMemoryStore()
  return {
    place,
    store: () => newest,
    booked: () =>
      [...place.files]
        .filter(([path]) => path.startsWith('spending/'))
        .reduce((sum, [, lines]) => sum + lines.split('\n').length - 1, 0),
    open(number, between) {
      const run = `${number}`
      alive.add(run)
      const memory = createKnownFixes()
      const { store, leases, close } = openDurableStore({
        memory,
        openDisk(heard) {
          newest = createMemoryStore({ status: 'none' }, { shares: true, heard })
          return asDisk(newest)
        },
        shared: openMemoryShared(place, { clock, between: (refs) => between('refs', refs) }),
        ...{ roadmap: usual.roadmap, shareAnswers: true, retentionDays: 90 },
        holder: { kind: 'workflow', run, attempt: 1 },
        ask: async (other) => (alive.has(other) ? 'alive' : 'dead'),
        ...{ clock, random: { hex: () => `session-${number}`, fraction: () => 0 } },
        notice: () => {},
      })
      return {
        ...{ store, leases, memory },
        async close() {
          await close().finally(() => alive.delete(run))
        },
      }
    },
  }
}

const asDisk = (store: MemoryStore): FileStore => ({
  ...store,
  restoreHistory: async () => {},
  prune: async () => {},
  spendingLines: async (day) => store.spent.filter(({ at }) => at.startsWith(day)),
  acquireLock: async () => ({ release: async () => {} }),
})

/** A task's own folder, and not one of the unchanged code. */
export const isOfChange = (folder: string): boolean => /\/T-[\w-]+$/.test(folder)

/** One test for each test file; a file under `src/` that says WRONG fails its own. */
function testsOf(
  { folder, collect }: SandboxRequest,
  workspace: MemoryWorkspace,
): Partial<SandboxRun> {
  const files = workspace.filesIn(folder.replace('/memory/folders/', ''))
  const names = Object.keys(files).flatMap((path) => /^test\/(.*)\.test\.js$/.exec(path)?.[1] ?? [])
  const wrong = names.filter((name) => files[`src/${name}.js`]?.includes('WRONG'))
  const failed = wrong.map((name) => ({
    ...{ name: `${name} works`, file: `test/${name}.test.js`, line: 4 },
    error: 'no',
  }))
  const report = tapReport(names.length - wrong.length, failed)
  return {
    exitCode: wrong.length > 0 ? 1 : 0,
    stdout: report,
    collected: new Map(collect.map((path) => [path, report])),
  }
}
