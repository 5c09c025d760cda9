import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { observeSession } from '../../../src/entry/observe/observe-session.ts'
import { findCanaries } from '../redact/canary.ts'
import { openPorts, runObserved } from './observed-run.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'observe-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

const line = z.looseObject({ level: z.string(), time: z.iso.datetime(), message: z.string() })

async function run(): Promise<readonly z.infer<typeof line>[]> {
  await runObserved({ directory, telemetry: null })
  const text = await readFile(join(directory, 'log.jsonl'), 'utf8')
  expect(findCanaries(text)).toEqual([])
  expect(text).not.toContain('TEXT-OF-')
  return text
    .trim()
    .split('\n')
    .map((one) => line.parse(JSON.parse(one)))
}

describe('the log of a run', () => {
  it('has each step, with the run, the task and what it took', async () => {
    const steps = (await run()).filter(({ message }) => message === 'step')
    expect(steps).toMatchObject([
      {
        level: 'info',
        run: 'run-1',
        task: 'T-1',
        attempt: 1,
        node: 'pick_task',
        outcome: 'picked',
      },
      { run: 'run-1', task: 'T-1', node: 'execute_task', tokens: 10, seconds: expect.any(Number) },
      { run: 'run-1', task: 'T-1', node: 'verify_task', outcome: 'passed' },
    ])
  })

  it('has each call to the outside, by names and figures alone', async () => {
    const calls = (await run()).filter(({ kind }) => kind !== undefined)
    const place = { run: 'run-1', task: 'T-1', attempt: 1, seconds: expect.any(Number) }
    expect(calls).toMatchObject([
      {
        ...place,
        ...{ level: 'debug', message: 'chat gpt-5', node: 'execute_task', kind: 'model' },
        'gen_ai.usage.input_tokens': expect.any(Number),
        'executor.purpose': 'draft',
      },
      { ...place, level: 'warn', message: 'forge upsert_comment', error: 'forge_denied' },
      { ...place, message: 'execute_tool run_command', 'process.exit.code': 1 },
      { ...place, message: 'git publish', node: 'verify_task', 'executor.status': 'published' },
    ])
  })

  it('is not begun where nothing may be written', async () => {
    const session = observeSession(openPorts(), {
      ...{ directory: null, redact: (text: string) => text, telemetry: null },
    })
    session.observer.noticed?.('noticed')
    await session.close()
    await expect(readFile(join(directory, 'log.jsonl'))).rejects.toThrow('ENOENT')
  })
})
