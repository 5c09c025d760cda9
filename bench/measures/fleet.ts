import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { startGitHubServer } from '../../packages/github-simulator/github/server.ts'
import { startModelServer } from '../../packages/github-simulator/model/start-model-server.ts'
import { openPgQueue } from '../../src/adapters/pg-queue.ts'
import type { JobQueue } from '../../src/core/ports/job-queue.ts'
import { bookingSeconds, githubWrites } from '../../src/core/ports/pace.ts'
import { type PostgresEngine, startPostgres } from '../../test/adapters/pg-queue/engines.ts'
import { addFaults, answerWithFaults } from '../fleet/faults.ts'
import { findWrong, mostInWindow } from '../fleet/judge.ts'
import { type Plan, planFleet } from '../fleet/plan.ts'
import { createTeam, type Team } from '../fleet/team.ts'
import {
  allToShare,
  describeWait,
  explainWaits,
  secondsUntilStart,
  turnToShare,
  type Wait,
} from '../fleet/waits.ts'
import type { FleetTask, WorkOrder } from '../fleet/worker.ts'
import type { Row } from '../row.ts'
import { median } from '../statistics.ts'
import type { Workshop } from '../workshop.ts'

export interface FleetOptions {
  readonly repositories: number
  readonly workers: number
}

/** An hour of GitHub's limits takes three minutes. */
const timesFaster = 20
const concurrency = 2

const secondsDown = 5

/** What a request waits for a limit before its job returns to the queue: shorter as well, and longer than PostgreSQL is down. */
const patienceSeconds = 10
/** The shortest that the queue allows. */
const heartbeatSeconds = 10

/** A second between writes is left out of what is checked: here it is shorter than what the machine itself takes. */
const windows = githubWrites
  .filter(({ most }) => most > 1)
  .map(({ most, seconds }) => ({ most, seconds: (seconds - bookingSeconds) / timesFaster }))
/** A booking holds as long as ever. */
const writeLimits = [
  { most: 1, seconds: 1 / timesFaster },
  ...windows.map(({ most, seconds }) => ({ most, seconds: seconds + bookingSeconds })),
]

/**
 * The App's workers, queue, clients and counts of writes, in processes of their own, on a real PostgreSQL and the test server,
 * while workers and the database are killed. Each job is a request to the model, a push, a pull request, its label and its
 * comment: not a run of the graph.
 */
export async function measureFleet(
  { directory }: Workshop,
  progress: (line: string) => void,
  { repositories, workers }: FleetOptions,
): Promise<readonly Row[]> {
  const plan = planFleet(repositories)
  const root = await mkdtemp(join(directory, 'fleet-'))
  const token = 'fleet-token'
  const server = await startGitHubServer({
    ...{ root, tokens: { [token]: { login: 'executor[bot]', id: 7, type: 'Bot' } } },
    repositories: plan.repositories.map(({ name, installation }) => {
      const [owner = '', repo = ''] = name.split('/')
      const seed = { files: { 'README.md': '# Fleet\n' } }
      return { owner, name: repo, installationId: installation, seed }
    }),
  })
  addFaults(server, plan.jobs.length)
  const model = await startModelServer({
    script: [{ when: {}, answers: [answerWithFaults()] }],
  })
  const postgres = await startPostgres()
  const database = await postgres.create()
  const team = createTeam({
    ...{ database, directory: root, concurrency, writeLimits, token },
    ...{ heartbeatSeconds, patienceSeconds },
    ...{ serverUrl: server.url, apiUrl: server.apiUrl, modelUrl: model.url },
  } satisfies WorkOrder)
  const queue = await openPgQueue<FleetTask>({ database, log: () => {}, heartbeatSeconds })
  try {
    for (const job of plan.jobs) await queue.enqueue(job)
    progress(
      `${plan.repositories.length} repositories, ${plan.jobs.length} tasks, ${workers} workers`,
    )
    const began = Date.now()
    for (let worker = 0; worker < workers; worker += 1) team.hire()
    const stops = await disturb(team, postgres, plan, progress)
    await team.ended(plan.jobs.length)
    const seconds = (Date.now() - began) / 1000
    // A job that is done may still be recorded as running when PostgreSQL was down at its end.
    const left = await waitUntilEmpty(queue)
    await team.dismiss()
    const wrong = await findWrong(server, plan)
    for (const refused of server.contractViolations) progress(`GitHub would refuse: ${refused}`)
    return [
      ...describeWork({ plan, team, began, seconds, progress }),
      ...stops,
      ...windows.map(({ most, seconds: window }) => ({
        figure: `most writes of an installation in ${most < 100 ? 'a minute' : 'an hour'}`,
        ...{ unit: '' as const, measured: mostInWindow(server.requests, { seconds: window }) },
        limit: most,
      })),
      { figure: 'tasks lost', unit: '', measured: wrong.lost, limit: 0 },
      {
        figure: 'tasks with a second branch, pull request or comment',
        unit: '',
        measured: wrong.twice,
        limit: 0,
      },
      { figure: 'jobs left or given up', unit: '', measured: left, limit: 0 },
      { figure: 'workers that ended by themselves', unit: '', measured: team.deserted(), limit: 0 },
      {
        figure: 'requests that GitHub would refuse',
        unit: '',
        measured: server.contractViolations.length,
        limit: 0,
      },
    ]
  } finally {
    await team.dismiss()
    await queue.close(0)
    await Promise.all([server.close(), model.close()])
    await postgres.stop()
  }
}

const mostMinutesToEmpty = 2

async function waitUntilEmpty(queue: Pick<JobQueue, 'counts'>): Promise<number> {
  for (let seconds = 0; ; seconds += 1) {
    const { waiting, active, failed } = await queue.counts()
    if (waiting + active === 0 || seconds > mostMinutesToEmpty * 60)
      return waiting + active + failed
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
}

/** Kills a worker, PostgreSQL and two workers, each after another quarter of the tasks. */
async function disturb(
  team: Team,
  postgres: PostgresEngine,
  { jobs }: Plan,
  progress: (line: string) => void,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  const after = async (quarter: number, what: string, kill: () => Promise<void>) => {
    await team.ended(Math.floor((jobs.length * quarter) / 4))
    const from = Date.now()
    await kill()
    const seconds = (await team.nextEnd()) - from
    progress(`${what}: work goes on after ${(seconds / 1000).toFixed(1)} s`)
    rows.push({
      figure: `${what}: until the next task is done`,
      unit: 's',
      measured: seconds / 1000,
    })
  }
  await after(1, 'kill -9 of a worker', () => team.replace(1))
  await after(2, `PostgreSQL killed, down for ${secondsDown} s`, async () => {
    await postgres.crash()
    await new Promise((resolve) => setTimeout(resolve, secondsDown * 1000))
    await postgres.startAgain()
  })
  await after(3, 'kill -9 of two workers', () => team.replace(2))
  return rows
}

/** The longest waits that the progress explains. */
const mostTold = 3

function describeWork(about: {
  readonly plan: Plan
  readonly team: Team
  readonly began: number
  readonly seconds: number
  readonly progress: (line: string) => void
}): readonly Row[] {
  const { plan, team, began, seconds, progress } = about
  const waits = explainWaits(team.events(), plan.jobs, began)
  const compare = (figure: string, toShare: (wait: Wait) => number) => {
    const worst = waits.toSorted((a, b) => toShare(b) - toShare(a)).slice(0, mostTold)
    for (const wait of worst)
      progress(`${figure}: ${toShare(wait).toFixed(2)} ×: ${describeWait(wait)}`)
    const samples = waits.map(toShare)
    return { figure, unit: '×' as const, measured: Math.max(...samples), samples }
  }
  const inSeconds = waits.map((wait) => wait.seconds)
  const [middle, longest] = [median(inSeconds), Math.max(...inSeconds)]
  const again = secondsUntilStart(team.events())
  return [
    { figure: 'tasks a minute', unit: '', measured: (plan.jobs.length / seconds) * 60 },
    { figure: 'wait of a task, median', unit: 's', measured: middle },
    { figure: 'wait of a task, worst', unit: 's', measured: longest, samples: inSeconds },
    { figure: 'worst wait, to the median', unit: '×', measured: longest / middle },
    {
      ...compare('wait for a turn, in starts, to its fair share: worst', turnToShare),
      limit: 2,
    },
    compare('the same, while the repository works on its earlier task too: worst', allToShare),
    {
      figure: 'a job whose worker was killed: until it starts again, worst',
      ...{ unit: 's', measured: Math.max(0, ...again), samples: again },
    },
  ]
}
