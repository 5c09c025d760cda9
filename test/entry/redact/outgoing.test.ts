import { describe, expect, it } from 'vitest'
import { createFileStore } from '../../../src/adapters/file-store.ts'
import { createLocalForge } from '../../../src/adapters/local-forge.ts'
import { openClient } from '../../../src/adapters/octokit/client.ts'
import { createOctokitDiscussion } from '../../../src/adapters/octokit-discussion.ts'
import { createOctokitForge } from '../../../src/adapters/octokit-forge.ts'
import { createSystemClock } from '../../../src/adapters/system.ts'
import type { JournalEntry } from '../../../src/core/domain/journal-event.ts'
import { noUsage } from '../../../src/core/domain/usage.ts'
import type { Discussion } from '../../../src/core/ports/discussion.ts'
import type { Ports } from '../../../src/core/ports.ts'
import { redactOutgoing } from '../../../src/entry/redact/redact-outgoing.ts'
import { redactDiscussion } from '../../../src/entry/redact/redact-ports.ts'
import { anAttempt, aState, fakePorts } from '../../fakes/facts.ts'
import {
  allSpellings,
  canary,
  findCanaries,
  longCanary,
  shapedCanary,
  spellings,
  textOf,
} from './canary.ts'

/** The ledger and the view of other repositories stay in the run, and are opened behind the redaction. */
type Service = {
  [Name in Exclude<keyof Ports, 'settings' | 'ledger' | 'elsewhere'>]: Ports[Name]
} & {
  readonly discussion: Discussion
}

type MethodOf<Port> = {
  [Name in keyof Port]-?: Port[Name] extends (...given: never[]) => unknown ? Name : never
}[keyof Port]

/**
 * How a secret is given to a method, or why it may be given one. `masks` also knows tokens by their
 * shape; `hides` only what was registered, since what it is given must stay what it is.
 */
type Way<Port> =
  | { readonly masks: (port: Port, text: string) => unknown }
  | { readonly hides: (port: Port, text: string) => unknown }
  | { readonly refuses: (port: Port, text: string) => Promise<unknown> }
  | { readonly stays: string }

/** Every method of every port: one that is new does not compile before it is in here. */
type Ways = {
  readonly [Name in keyof Service]: Readonly<Record<MethodOf<Service[Name]>, Way<Service[Name]>>>
}

const request = {
  folder: '/f',
  directory: '.',
  network: false,
  mounts: [],
  timeoutSeconds: 1,
  collect: [],
}
const draft = { head: 'agent/T-1', base: 'main', draft: false, reviewers: [], assignees: [] }
const looks = { stays: 'it only looks, on this machine' }
const numbers = { stays: 'it is given no text' }
const on = { kind: 'comment', id: 1, on: 1 } as const

/** An entry of each kind that holds words of others. */
const entriesWith = (text: string): readonly JournalEntry[] => [
  {
    ...{ kind: 'answered', call: 0, hash: 'a', purpose: 'draft', model: text, task: 'T-1' },
    ...{ attempt: 1, text, finish: 'stop', usage: noUsage, seconds: 1, exact: true },
  },
  { kind: 'intended', effect: 'comment', key: text, detail: text },
  { kind: 'effected', effect: 'comment', key: text, outcome: 'refused', detail: text },
]

const ways: Ways = {
  model: {
    complete: {
      hides: ({ complete }, content) =>
        complete({
          purpose: 'draft',
          model: 'm',
          messages: [{ role: 'user', content: `${content} ${shapedCanary}` }],
          maxOutputTokens: 1,
          json: false,
        }),
    },
  },
  relay: { open: { stays: 'it opens a port of this machine, for the name of a model' } },
  forge: {
    pullRequests: numbers,
    pullRequest: numbers,
    upsertPullRequest: {
      masks: ({ upsertPullRequest }, text) =>
        upsertPullRequest({ ...draft, title: text, body: text, labels: [text.slice(0, 0)] }),
    },
    upsertComment: { masks: ({ upsertComment }, text) => upsertComment(1, '<!-- m -->', text) },
    upsertReviewComment: {
      masks: ({ upsertReviewComment }, body) =>
        upsertReviewComment(1, { marker: '<!-- m -->', sha: 'a', path: 'a.js', line: 1, body }),
    },
    merge: { hides: ({ merge }, text) => merge(1, text) },
    checks: { hides: ({ checks }, text) => checks(text) },
    close: numbers,
    retarget: { hides: ({ retarget }, text) => retarget(1, text) },
    label: { hides: ({ label }, text) => label(1, { add: [text], remove: [text] }) },
    upsertIssue: {
      masks: ({ upsertIssue }, text) =>
        upsertIssue({ marker: '<!-- m -->', title: text, body: text, labels: [] }),
    },
  },
  discussion: {
    self: numbers,
    permissionOf: {
      hides: ({ permissionOf }, login) => permissionOf({ id: 1, login, isBot: false }),
    },
    overview: numbers,
    remarksSince: { hides: ({ remarksSince }, text) => remarksSince(text) },
    remark: numbers,
    threads: numbers,
    react: numbers,
    answer: { masks: ({ answer }, text) => answer(on, '<!-- m -->', text) },
    redChecks: { hides: ({ redChecks }, text) => redChecks(text, text) },
    labelling: { hides: ({ labelling }, text) => labelling(1, text) },
    variable: { hides: ({ variable }, text) => variable(text) },
    scheduledRuns: numbers,
  },
  workspace: {
    refresh: looks,
    view: looks,
    listFiles: looks,
    readFiles: looks,
    contains: looks,
    checkOut: looks,
    readFolder: looks,
    folder: looks,
    diff: looks,
    patch: looks,
    changedBetween: looks,
    discard: looks,
    ancestor: looks,
    mergeBase: looks,
    grep: looks,
    history: looks,
    parked: looks,
    compare: looks,
    keep: looks,
    fetch: numbers,
    write: {
      refuses: async ({ write }, content) => {
        const folder = { name: 'T-1', path: '/f', sha: 'a' }
        const result = await write(folder, [{ action: 'create', path: 'a.js', content }])
        expect(result).toMatchObject({ status: 'refused' })
      },
    },
    commit: {
      masks: ({ commit }, message) => commit({ parents: ['a'], changes: [], message }),
    },
    publish: { hides: ({ publish }, text) => publish(text, 'a', null) },
    merge: {
      masks: ({ merge }, message) =>
        merge({ ours: 'a', theirs: 'b', message, strategy: 'merge', resolve: new Map() }),
    },
    revert: {
      masks: ({ revert }, message) => revert({ onto: 'a', commit: 'b', also: [], message }),
    },
    park: { hides: ({ park }, text) => park('T-1', JSON.stringify({ text })) },
  },
  sandbox: {
    ability: looks,
    installNetwork: looks,
    has: looks,
    dependencyCache: looks,
    completeCache: looks,
    installed: looks,
    run: {
      hides: ({ run }, text) => run({ ...request, command: { argv: [text] }, env: { CI: text } }),
    },
    runReaching: {
      hides: ({ runReaching }, text) =>
        runReaching(
          { ...request, command: { argv: [text] }, env: { CI: text } },
          { port: 1, hosts: [text] },
        ),
    },
    prepare: {
      hides: ({ prepare }, shell) => prepare({ ...request, command: { shell }, env: {} }),
    },
  },
  store: {
    load: looks,
    save: {
      masks: ({ save }, text) => {
        const failure = {
          at: 'failed' as const,
          message: text,
          problems: [],
          failures: [],
          output: text,
        }
        const error = { code: 'git_failed' as const, message: text, next: text, taskId: null }
        const attempt = anAttempt({ failure })
        return save(
          aState({
            record: { errors: [error] },
            progress: { limits: [text] },
            attempt,
            tasks: { parked: { 'T-2': attempt } },
          }),
          entriesWith(text),
        )
      },
    },
    record: { masks: ({ record }, text) => record('run-1', entriesWith(text)) },
    journal: looks,
    runs: looks,
    answer: looks,
    writeReport: { masks: ({ writeReport }, text) => writeReport('report.md', text) },
    recordSpending: numbers,
    spendingOn: looks,
    pastTasks: looks,
  },
  memory: {
    recall: { hides: ({ recall }, text) => recall(text) },
    learn: {
      async refuses({ learn }, text) {
        const about = { type: 'unknown', strategy: 'correct_command', worked: true } as const
        await learn({ ...about, signature: 's', fix: text })
        await learn({ ...about, signature: text, fix: 'f' })
      },
    },
    all: looks,
    forgotten: looks,
  },
  person: {
    ask: {
      masks: ({ ask }, text) =>
        ask({ taskId: 'T-1', title: text, body: text, choices: ['approve'] }),
    },
  },
  routes: { read: looks },
  leases: {
    look: looks,
    take: { stays: 'a name of ours' },
    settle: { stays: 'a name of ours' },
    release: { stays: 'a name of ours' },
    drop: { stays: 'names of ours' },
  },
  syntax: { check: { stays: 'its process has no network, and parses what is there' } },
  clock: { now: numbers, monotonic: numbers, sleep: numbers, every: numbers },
  random: { hex: numbers, fraction: numbers },
}

/** All ports as they leave the composition, and what came out of them. */
function openExits() {
  const left: unknown[] = []
  const take = (names: readonly string[]) =>
    Object.fromEntries(
      names.map((name) => [
        name,
        (...given: readonly unknown[]) => {
          left.push(given)
          return Promise.resolve(new Map())
        },
      ]),
    )
  const raw = Object.fromEntries(
    Object.entries(ways).map(([name, way]) => [name, take(Object.keys(way))]),
  )
  const secrets = [canary, longCanary]
  const { discussion, ...ports } = raw as unknown as Service
  const guarded: Service = {
    ...redactOutgoing(fakePorts(ports), secrets),
    discussion: redactDiscussion(discussion, secrets),
  }
  return { ports: guarded, left }
}

const rows = Object.entries(ways).flatMap(([port, methods]) =>
  Object.entries(methods as Readonly<Record<string, Way<unknown>>>).map(
    ([method, way]) => [port as keyof Service, method, way] as const,
  ),
)
const exits = rows.filter(([, , way]) => !('stays' in way))

describe.each(exits)('%s.%s', (port, _method, way) => {
  const texts = [...Object.entries(spellings), ['all at once', allSpellings]]
  const shaped = 'masks' in way ? [['a token by its shape', shapedCanary]] : []
  it.each([...texts, ...shaped])('gives away no secret written %s', async (_name, text) => {
    const { ports, left } = openExits()
    if ('refuses' in way) {
      await way.refuses(ports[port], `before ${text} after`)
      expect(left).toEqual([])
      return
    }
    const give = 'masks' in way ? way.masks : 'hides' in way ? way.hides : null
    await give?.(ports[port], `before ${text} after`)
    expect(left).toHaveLength(1)
    expect(textOf(left)).toContain('***')
    expect(findCanaries(textOf(left))).toEqual([])
  })
})

describe('the adapters', () => {
  const octokit = openClient({
    ...{ owner: 'o', repo: 'r', token: () => '', apiUrl: 'http://localhost', pace: false },
    clock: createSystemClock(),
    log: () => {},
  })
  it.each([
    ['forge', createOctokitForge(octokit)],
    ['forge', createLocalForge()],
    ['discussion', createOctokitDiscussion(octokit)],
    ['store', createFileStore({ directory: '/nowhere', clock: createSystemClock() })],
  ] as const)('have no method that %s does not name', (port, adapter) => {
    const others = ['acquireLock', 'restore', 'restoreHistory', 'prune', 'spendingLines']
    const names = Object.entries(adapter).flatMap(([name, member]) =>
      typeof member === 'function' && !others.includes(name) ? [name] : [],
    )
    expect(Object.keys(ways[port])).toEqual(expect.arrayContaining(names))
  })
})
