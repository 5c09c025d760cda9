/** A start after kill -9: within the program, and of a whole process that was killed for it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startModelServer } from '../../packages/github-simulator/model/start-model-server.ts'
import { createFileStore } from '../../src/adapters/file-store.ts'
import { changeState } from '../../src/core/domain/change-state.ts'
import type { JournalEntry } from '../../src/core/domain/journal-event.ts'
import type { RunState } from '../../src/core/domain/run-state.ts'
import { noUsage } from '../../src/core/domain/usage.ts'
import { sampleResult, sampleState } from '../../test/contracts/run-state.ts'
import type { Row } from '../row.ts'
import { smallProject } from '../scenarios.ts'
import { median, timed } from '../statistics.ts'
import { environment, makeRepository, project, type Workshop } from '../workshop.ts'
import { stepped } from './state.ts'

/** The tasks in state when the run is killed. */
const inState = 1000
/** Seconds. */
const limit = 2
const starts = 5

export async function measureResume(
  workshop: Workshop,
  progress: (line: string) => void,
): Promise<readonly Row[]> {
  const within = await resumeWithin(workshop)
  progress(`a run with ${inState.toLocaleString('en')} tasks in state is killed`)
  return [within, await resumeProcess(workshop)]
}

/**
 * A start with 1,000 tasks in state, after kill -9: what a process does before it goes on with the task
 * it was in. The journal has what a run of so many tasks writes.
 */
async function resumeWithin({ directory }: Workshop): Promise<Row> {
  const home = await mkdtemp(join(directory, 'resume-'))
  const store = createFileStore({ directory: home })
  const lock = await store.acquireLock()
  const state = withResults(sampleState())
  const steps = Array.from({ length: inState * 12 }, () => stepped)
  const text = 'x'.repeat(3000)
  const answer = { call: 0, hash: 'h', text, finish: 'stop', usage: noUsage, exact: true } as const
  const asked = { purpose: 'draft', model: 'm', task: 'T-1', attempt: 1, seconds: 1 } as const
  const answers = Array.from(
    { length: inState },
    (_, call): JournalEntry => ({ kind: 'answered', ...asked, ...answer, call }),
  )
  await store.save(state, [...steps, ...answers])
  await lock.release()
  const samples = await timed(5, async () => {
    const next = createFileStore({ directory: home })
    const held = await next.acquireLock()
    const loaded = await next.load()
    if (loaded.status !== 'loaded') throw new Error('the state was not loaded')
    await next.answer(loaded.state.run.id, inState, 'another')
    await next.save(loaded.state, [
      { kind: 'resumed', next: loaded.state.progress.next, from: 'disk' },
    ])
    await held.release()
  })
  const figure = 'resume with 1,000 tasks in state: lock, state, journal, first save'
  return { figure, unit: 's', measured: median(samples) / 1000, limit, samples }
}

/**
 * `executor run` is killed while the model thinks about the last of its tasks, and started again: from
 * the spawn to that question. The first run is real, the tasks before it are put into its state.
 */
async function resumeProcess(workshop: Workshop): Promise<Row> {
  const tasks = Array.from({ length: inState + 1 }, (_, index) => `- [ ] T-${index + 1}: Task\n`)
  const root = await makeRepository(workshop, {
    ...smallProject,
    'ROADMAP.md': `# Roadmap\n\n${tasks.join('')}`,
  })
  const home = await mkdtemp(join(workshop.directory, 'home-'))
  const [left, kept] = [join(root, '.executor'), join(workshop.directory, 'killed')]
  await runUntilAsked(root, home)
  const store = createFileStore({ directory: left })
  const loaded = await store.load()
  if (loaded.status !== 'loaded') throw new Error('the killed run left no state')
  await store.save(withResults(loaded.state))
  await cp(left, kept, { recursive: true })
  const samples: number[] = []
  for (let start = 0; start < starts; start += 1) {
    await rm(left, { recursive: true })
    await cp(kept, left, { recursive: true })
    samples.push(await runUntilAsked(root, home))
  }
  const figure = 'resume with 1,000 tasks in state, killed by -9: spawn to the model request'
  return { figure, unit: 's', measured: median(samples) / 1000, limit, samples }
}

/** Runs the command until it asks the model, and kills it then; milliseconds from the spawn. */
async function runUntilAsked(root: string, home: string): Promise<number> {
  const asked = Promise.withResolvers<number>()
  const answer = () => {
    asked.resolve(performance.now())
    return { fault: { kind: 'slow', seconds: 60 } } as const
  }
  const model = await startModelServer({ script: [{ when: {}, answers: [answer] }] })
  const command = [join(project, 'dist/cli.cjs'), 'run', '--model', 'scripted']
  const started = performance.now()
  const child = spawn(process.execPath, [...command, '--base-url', model.url], {
    cwd: root,
    env: environment(home),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  try {
    const early = ended.then(() => Promise.reject(new Error(`it ended by itself:\n${said}`)))
    return (await Promise.race([asked.promise, early])) - started
  } finally {
    child.kill('SIGKILL')
    await ended
    await model.close()
  }
}

/** All tasks but the first have failed. */
function withResults(state: RunState): RunState {
  const ids = Array.from({ length: inState }, (_, index) => `T-${index + 2}`)
  const results = ids.map((id) => [id, sampleResult(id, { verdict: 'failed' })])
  return changeState(state, { tasks: { results: Object.fromEntries(results) } })
}
