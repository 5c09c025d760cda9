import { expect, it } from 'vitest'
import type { FaultEffect } from '../../../packages/github-simulator/github/faults.ts'
import { openActionBench, type WorkflowRun, writesOf } from './action-bench.ts'
import { multipleAnswers, multiples, once, withRoadmap } from './toolbox.ts'

const comeBackIn = (seconds: number) =>
  ({ fault: { kind: 'status', status: 429, retryAfter: seconds } }) as const

const timeToComeBack = ({ annotations }: WorkflowRun): string | undefined =>
  annotations.flatMap(({ level, message }) =>
    level === 'notice' ? (/^Come back after (\S+Z)\.$/.exec(message)?.[1] ?? []) : [],
  )[0]

/** What the journal says of what was written under this name. */
const effectsOn = (name: string, journal: string): readonly string[] =>
  journal
    .trim()
    .split('\n')
    .map((line): Record<string, string> => JSON.parse(line))
    .filter(({ key }) => key?.includes(name))
    .map(({ kind, outcome, effect }) => `${outcome ?? kind} ${effect}`)

it('limits in mid-run: short ones are waited out, long ones are for the next run, nothing is done twice', async () => {
  const answers = multipleAnswers(3).flatMap(({ answers: [answer = ''] }) => [answer])
  await using bench = await openActionBench(withRoadmap(...multiples(3)), [
    once('T-1', comeBackIn(1), answers[0] ?? ''),
    once('T-2', answers[1] ?? ''),
    once('T-3', comeBackIn(3600), answers[2] ?? ''),
  ])
  const passing: FaultEffect = { kind: 'delay', seconds: 0 }
  const hourly: FaultEffect = { kind: 'rate_limit', resetSeconds: 3600 }
  const opening = { method: 'POST', path: '/repos/{owner}/{repo}/pulls' } as const
  const short: FaultEffect = { kind: 'secondary_limit', retryAfter: '1' }
  for (const effect of [short, passing, hourly]) bench.server.faults.add({ ...opening, effect })

  const began = Date.now()
  const byGitHub = await bench.run()
  expect(byGitHub, byGitHub.stdout).toMatchObject({ exitCode: 0, modelCalls: 3 })
  const resetsAt = Date.parse(timeToComeBack(byGitHub) ?? '')
  expect(resetsAt - began).toBeGreaterThan(3590_000)
  expect(byGitHub.summary).toContain('Come back after')
  expect(byGitHub.left['report.json']).toContain('"retryAt": "2')
  // It was told once, and asked nothing more.
  expect(byGitHub.apiCalls.at(-1)).toMatchObject({ method: 'POST', status: 403 })
  expect(await bench.pulls()).toMatchObject([{ head: 'agent/T-1' }])
  const journal = Object.entries(byGitHub.left).find(([name]) => name.startsWith('journal/'))?.[1]
  expect(effectsOn('agent/T-2', journal ?? '')).toEqual([
    'intended branch',
    'done branch',
    'intended pull_request',
    'refused pull_request',
  ])

  const byModel = await bench.run()
  expect(byModel, byModel.stdout).toMatchObject({ exitCode: 0, modelCalls: 1 })
  expect(timeToComeBack(byModel)).toBeDefined()
  expect(await bench.pulls()).toHaveLength(2)

  const last = await bench.run()
  expect(last, last.stdout).toMatchObject({ exitCode: 0, modelCalls: 1 })
  expect(timeToComeBack(last)).toBeUndefined()
  expect((await bench.pulls()).map(({ head }) => head)).toEqual([
    'agent/T-1',
    'agent/T-2',
    'agent/T-3',
  ])
  const markers = (await bench.comments()).map(({ pull, body }) => `${pull} ${body.split('\n')[0]}`)
  expect(new Set(markers).size).toBe(markers.length)
  expect(writesOf(last).length).toBeGreaterThan(0)
})
