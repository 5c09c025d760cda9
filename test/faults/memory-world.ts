/**
 * Everything that outlives a process, in memory: a repository on GitHub, its git, a disk, a model that
 * remembers what it was asked. Processes come and go.
 */

import { hashRequest } from '../../src/journal/hash-request.ts'
import { soleClaims } from '../../src/ports/claims.ts'
import type { Discussion } from '../../src/ports/discussion.ts'
import type { PullRequest } from '../../src/ports/forge.ts'
import type { Ports, SandboxRequest, SandboxRun } from '../../src/ports.ts'
import type { Services } from '../../src/runs/services.ts'
import { someSettings } from '../fakes/facts.ts'
import { createFakeClock, type FakeClock } from '../fakes/fake-clock.ts'
import { createKnownFixes } from '../fakes/known-fixes.ts'
import { createMemoryDiscussion } from '../fakes/memory-discussion.ts'
import { createMemoryForge, type MemoryForge } from '../fakes/memory-forge.ts'
import { createMemoryRepository, type MemoryRepository } from '../fakes/memory-repository.ts'
import { createMemoryStore, type MemoryStore } from '../fakes/memory-store.ts'
import { createMemoryWorkspace, type MemoryWorkspace } from '../fakes/memory-workspace.ts'
import { createScriptedSandbox, tapReport } from '../fakes/scripted-sandbox.ts'
import { answered } from './answers.ts'

export interface MemoryWorld {
  readonly repository: MemoryRepository
  readonly workspace: MemoryWorkspace
  readonly forge: MemoryForge
  readonly discussion: Discussion
  readonly store: MemoryStore
  readonly clock: FakeClock
  /** Every question the model was paid for, by its hash, in order. */
  readonly paid: readonly string[]
  /** The ports of a new process. */
  start(): Services
  pullOf(head: string): PullRequest
}

const project: Readonly<Record<string, string>> = {
  'README.md': '# Toolbox\n',
  'package.json': '{"name":"toolbox","type":"module","scripts":{"test":"node --test"}}\n',
  'src/zero.js': 'export const zero = () => 0\n',
  'test/zero.test.js': "import { test } from 'node:test'\ntest('zero works', () => {})\n",
}

export function createMemoryWorld(roadmap: string): MemoryWorld {
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
  const store = createMemoryStore({ status: 'none' }, { shares: true })
  const paid: string[] = []
  const memory = createKnownFixes()
  let processes = 0
  const settings = {
    ...someSettings({ openPullRequests: 20 }),
    approvalMode: 'interactive' as const,
    planning: false,
    dashboard: true,
    merge: { onApprove: true, withoutChecks: false },
  }
  return {
    ...{ repository, workspace, forge, discussion, store, clock, paid },
    start() {
      processes += 1
      workspace.restart()
      const ports: Ports = {
        ...{ forge, workspace, store, clock, settings },
        claims: soleClaims,
        memory,
        person: { present: false, ask: async () => null },
        sandbox: createScriptedSandbox((_, request) => testsOf(request, workspace)),
        syntax: { check: async () => ({ status: 'unavailable', reason: '' }) },
        random: { hex: (length) => `${processes}`.padStart(length, '0'), fraction: () => 0 },
        model: {
          async complete(request) {
            paid.push(hashRequest(request))
            return answered(request)
          },
        },
      }
      return { ports, discussion }
    },
    pullOf(head) {
      const found = repository.pulls.find((pull) => pull.head === head)
      if (found === undefined) throw new Error(`There is no pull request of ${head}.`)
      return found
    },
  }
}

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
