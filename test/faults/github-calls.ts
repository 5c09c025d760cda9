/**
 * Every call that GitHub is asked for by our writes, over real HTTP to a GitHub of our own, and what
 * can go wrong with each. Whatever it was: done once, or told and done once by the next run.
 */
import type { FaultEffect } from '../../packages/github-simulator/github/faults.ts'
import type { RepositoryState } from '../../packages/github-simulator/github/repository-state.ts'
import { type Bench, openBench, target } from '../../packages/github-simulator/test/github/bench.ts'
import { openClient } from '../../src/adapters/octokit/client.ts'
import { dispatchWorkflow } from '../../src/adapters/octokit/workflows.ts'
import { createOctokitDiscussion } from '../../src/adapters/octokit-discussion.ts'
import { createOctokitForge } from '../../src/adapters/octokit-forge.ts'
import type { EffectKind } from '../../src/core/domain/journal-event.ts'
import type { Discussion } from '../../src/core/ports/discussion.ts'
import type { Forge } from '../../src/core/ports/forge.ts'
import { createFakeClock, type FakeClock } from '../fakes/fake-clock.ts'

export interface CallWorld extends AsyncDisposable {
  readonly bench: Bench
  /** A commit that is not on main. */
  readonly sha: string
  /** An open issue, an open pull request, and somebody's comment on it. */
  readonly issue: number
  readonly pull: number
  readonly comment: number
  /** GitHub's time, which it has to itself: a second later each time it is looked at. */
  now(): Date
  /** A process. */
  start(): Doors
}

interface Doors {
  readonly forge: Forge
  readonly discussion: Discussion
  readonly clock: FakeClock
  dispatch(since: string, task: string): Promise<unknown>
}

/** `subject` is new for every case: a name, a number, a marker. */
export interface Operation {
  readonly name: string
  readonly effects: readonly EffectKind[]
  readonly prepare?: (world: CallWorld, subject: string) => Promise<number>
  readonly act: (
    doors: Doors,
    about: { readonly world: CallWorld; readonly subject: string; readonly number: number },
  ) => Promise<unknown>
  /** Whoever has done it does not come again: a job that is done. */
  readonly isDoneOnce?: boolean
  /** How often it is there. */
  readonly count: (state: RepositoryState, subject: string, number: number) => number
}

const workflow = '.github/workflows/executor.yml'

export async function openCallWorld(): Promise<CallWorld> {
  const files = {
    'list.md': 'one\n',
    [workflow]: 'on:\n  workflow_dispatch:\n    inputs:\n      task:\n        required: false\n',
  }
  const began = Math.floor(Date.now() / 1000)
  let seconds = 0
  const now = () => new Date((began + seconds++) * 1000)
  const bench = await openBench({ seed: { files } }, { now })
  const sha = await bench.push('agent/T-0', { 'list.md': 'one\ntwo\nthree\n' })
  const somebody = bench.octokit('writer-token')
  const texts = { title: 'Ask', body: 'Ask' }
  const { data: issue } = await somebody.issues.create({ ...target, ...texts })
  const heads = { head: 'agent/T-0', base: 'main' }
  const ours = bench.octokit('actions-token')
  const { data: pull } = await ours.pulls.create({ ...target, ...texts, ...heads })
  const { data: comment } = await somebody.issues.createComment({
    ...target,
    issue_number: pull.number,
    body: '/status',
  })
  return {
    bench,
    sha,
    issue: issue.number,
    pull: pull.number,
    comment: comment.id,
    now,
    start: () => openDoors({ bench, now }),
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  }
}

/** A process's doors to that server; it waits by a clock of its own. */
export function openDoors({ bench: { server }, now }: Pick<CallWorld, 'bench' | 'now'>): Doors {
  const clock = createFakeClock(now().toISOString())
  const repository = openClient({
    ...{ ...target, clock, apiUrl: server.apiUrl, token: () => 'actions-token' },
    random: { fraction: () => 0, hex: (length) => '0'.repeat(length) },
    ...{ pace: false, login: 'github-actions[bot]' },
  })
  const dispatch = (since: string, task: string) =>
    dispatchWorkflow(repository, { workflow: 'executor.yml', ref: 'main', inputs: { task }, since })
  return {
    ...{ clock, dispatch },
    forge: createOctokitForge(repository),
    discussion: createOctokitDiscussion(repository),
  }
}

const marker = (subject: string): string => `<!-- executor:${subject} -->`

const branch = async ({ bench, sha }: CallWorld, name: string): Promise<void> => {
  await bench.octokit('owner-token').git.createRef({ ...target, ref: `refs/heads/${name}`, sha })
}

const draftOf = (subject: string, base = 'main') => ({
  ...{ head: `agent/${subject}`, base, title: subject, body: marker(subject), draft: false },
  ...{ labels: ['executor:task'], reviewers: ['margaret'], assignees: [] },
})

async function openPull(world: CallWorld, subject: string): Promise<number> {
  await branch(world, `agent/${subject}`)
  const { head, base, title, body } = draftOf(subject)
  const ours = world.bench.octokit('actions-token')
  return (await ours.pulls.create({ ...target, head, base, title, body })).data.number
}

async function openIssue(world: CallWorld, subject: string): Promise<number> {
  const ours = world.bench.octokit('owner-token')
  return (await ours.issues.create({ ...target, title: subject })).data.number
}

const begins = (subject: string) => (one: { readonly body: string }) =>
  one.body.startsWith(marker(subject))

export const operations: readonly Operation[] = [
  {
    name: 'open a pull request',
    effects: ['pull_request', 'label', 'people'],
    async prepare(world, subject) {
      await branch(world, `agent/${subject}`)
      return 0
    },
    act: ({ forge }, { subject }) => forge.upsertPullRequest(draftOf(subject)),
    count: ({ pulls }, subject) =>
      pulls.filter(
        ({ head, labels, reviewers }) =>
          head === `agent/${subject}` && labels.length === 1 && reviewers.length <= 1,
      ).length,
  },
  {
    name: 'comment',
    effects: ['comment'],
    act: ({ forge }, { world, subject }) =>
      forge.upsertComment(world.issue, marker(subject), 'Done.'),
    count: ({ comments }, subject) => comments.filter(begins(subject)).length,
  },
  {
    name: 'comment on a line',
    effects: ['review_comment'],
    act: ({ forge }, { world: { pull, sha }, subject }) => {
      const place = { sha, path: 'list.md', line: 2, body: 'Here.' }
      return forge.upsertReviewComment(pull, { marker: marker(subject), ...place })
    },
    count: ({ reviewComments }, subject) => reviewComments.filter(begins(subject)).length,
  },
  {
    name: 'answer a command',
    effects: ['comment'],
    act: ({ discussion }, { world: { comment: id, pull: on }, subject }) =>
      discussion.answer({ kind: 'comment', id, on }, marker(subject), 'Yes.'),
    count: ({ comments }, subject) => comments.filter(begins(subject)).length,
  },
  {
    name: 'open an issue',
    effects: ['issue'],
    act: ({ forge }, { subject }) =>
      forge.upsertIssue({ marker: marker(subject), title: subject, body: 'B', labels: ['x'] }),
    count: ({ issues }, subject) => issues.filter(begins(subject)).length,
  },
  {
    name: 'label',
    effects: ['label'],
    prepare: openIssue,
    act: ({ forge }, { number }) => forge.label(number, { add: ['later'], remove: [] }),
    count: ({ issues }, _, number) =>
      issues.find((one) => one.number === number)?.labels.filter((name) => name === 'later')
        .length ?? 0,
  },
  {
    name: 'close',
    effects: ['close'],
    prepare: openIssue,
    act: ({ forge }, { number }) => forge.close(number),
    count: ({ events }, _, number) =>
      events.filter(({ issue, event }) => issue === number && event === 'closed').length,
  },
  {
    name: 'give another base',
    effects: ['retarget'],
    async prepare(world, subject) {
      const { data } = await world.bench.octokit().git.getRef({ ...target, ref: 'heads/main' })
      const { sha } = data.object
      await branch({ ...world, sha }, `base-${subject}`)
      return openPull(world, subject)
    },
    act: ({ forge }, { number, subject }) => forge.retarget(number, `base-${subject}`),
    count: ({ pulls }, subject, number) =>
      pulls.filter((one) => one.number === number && one.base === `base-${subject}`).length,
  },
  {
    name: 'react',
    effects: ['reaction'],
    async prepare({ bench, issue }, subject) {
      const place = { ...target, issue_number: issue, body: subject }
      return (await bench.octokit('writer-token').issues.createComment(place)).data.id
    },
    act: ({ discussion }, { number: id, world }) =>
      discussion.react({ kind: 'comment', id, on: world.issue }, 'eyes'),
    count: ({ reactions }, _, id) => reactions.filter(({ subject }) => subject === id).length,
  },
  {
    name: 'merge',
    effects: ['merge'],
    async prepare(world, subject) {
      const { data } = await world.bench.octokit().git.getRef({ ...target, ref: 'heads/main' })
      await branch({ ...world, sha: data.object.sha }, `base-${subject}`)
      await branch(world, `agent/${subject}`)
      const { head, base, title } = draftOf(subject, `base-${subject}`)
      const ours = world.bench.octokit('actions-token')
      return (await ours.pulls.create({ ...target, head, base, title })).data.number
    },
    act: ({ forge }, { number, world: { sha } }) => forge.merge(number, sha),
    count: ({ events }, _, number) =>
      events.filter(({ issue, event }) => issue === number && event === 'merged').length,
  },
  {
    name: 'start a workflow',
    effects: ['dispatch'],
    isDoneOnce: true,
    act: ({ dispatch }, { world, subject }) =>
      dispatch(world.now().toISOString(), subject).then(
        () => ({ status: 'ok' }),
        (error: unknown) => {
          const isAnswer = error instanceof Error && /^(?:HttpError|ForgeRefusal)$/.test(error.name)
          if (!isAnswer) throw error
          return { status: 'refused' }
        },
      ),
    count: ({ runs }, subject) => runs.filter(({ inputs }) => inputs.task === subject).length,
  },
]

const before = { when: 'before' } as const
const after = { when: 'after' } as const

/** What GitHub, and the way to it, do to a single request. */
export const callFaults: Readonly<Record<string, FaultEffect>> = {
  '502, and it took effect': { kind: 'status', status: 502, ...after },
  '502, and it did not': { kind: 'status', status: 502, ...before },
  'cut off, and it took effect': { kind: 'drop', ...after },
  'cut off, and it did not': { kind: 'drop', ...before },
  '429 with Retry-After': {
    ...{ kind: 'status', status: 429, ...before },
    headers: { 'retry-after': '30' },
  },
  'the hourly limit': { kind: 'rate_limit', resetSeconds: 60 },
  'the hourly limit, for long': { kind: 'rate_limit', resetSeconds: 3000 },
  'the secondary limit': { kind: 'secondary_limit' },
  'a list that lags': { kind: 'lag' },
  '404 of what is there': { kind: 'status', status: 404, ...before, message: 'Not Found' },
  '401': { kind: 'status', status: 401, ...before, message: 'Bad credentials' },
}

export interface CallCase {
  readonly operation: Operation
  /** Which of its requests. */
  readonly at: number
  readonly fault: string
}

/** Of this server: nobody asked it so many questions before. */
const newSubject = ({ bench }: CallWorld): string => `S-${bench.server.requests.length}`

/** The requests of each operation, when nothing goes wrong, and so all cases. */
export async function casesOfCalls(world: CallWorld): Promise<readonly CallCase[]> {
  const cases: CallCase[] = []
  for (const operation of operations) {
    const subject = newSubject(world)
    const number = (await operation.prepare?.(world, subject)) ?? 0
    const seen = world.bench.server.requests.length
    await operation.act(world.start(), { world, subject, number })
    const requests = world.bench.server.requests.length - seen
    for (let at = 0; at < requests; at += 1) {
      for (const fault of Object.keys(callFaults)) cases.push({ operation, at, fault })
    }
  }
  return cases
}

export const describeCall = ({ operation, at, fault }: CallCase): string =>
  `${operation.name}: request ${at}: ${fault}`

/** Seconds that one operation may wait at most: five looks, and what a limit may ask for. */
const longestWait = 300

/** Plays the case, then what the next run does; what is wrong in the end. */
export async function checkCall(
  { operation, at, fault }: CallCase,
  world: CallWorld,
): Promise<readonly string[]> {
  const effect = callFaults[fault]
  if (effect === undefined) throw new Error(`There is no fault ${fault}.`)
  const { server } = world.bench
  const subject = newSubject(world)
  const number = (await operation.prepare?.(world, subject)) ?? 0
  const look = async () => {
    const state = await server.state(target.owner, target.repo)
    return operation.count(state, subject, number)
  }
  server.faults.add({ path: '*', skip: at, effect })
  const doors = world.start()
  const wrong: string[] = []
  const said = await operation
    .act(doors, { world, subject, number })
    .catch((error: unknown) => ({ status: 'threw', error }))
  server.faults.clear()
  if (isBug(said)) wrong.push(`it threw ${JSON.stringify(said)}`)
  const waited = doors.clock.sleeps.reduce((sum, each) => sum + each, 0)
  if (waited > longestWait) wrong.push(`it waited ${waited} s`)
  const isRefused = fault.startsWith('40')
  // Labels and reactions are wishes: where GitHub refuses them, that is noted, and the rest is done.
  if (isDone(said) && !isRefused && (await look()) !== 1)
    wrong.push('it said it was done, and it was not')
  const isOver = operation.isDoneOnce === true && isDone(said)
  const again = isOver ? said : await operation.act(world.start(), { world, subject, number })
  if (!isDone(again)) wrong.push(`the next run could not do it: ${JSON.stringify(again)}`)
  const count = await look()
  if (count !== 1) wrong.push(`it is there ${count} times`)
  return wrong
}

const isDone = (said: unknown): boolean =>
  typeof said === 'object' &&
  said !== null &&
  'status' in said &&
  (said.status === 'ok' || said.status === 'merged')

const isBug = (said: unknown): boolean =>
  typeof said === 'object' &&
  said !== null &&
  'error' in said &&
  !(said.error instanceof Error && said.error.name === 'ExecutorError')
