import { describe, expect, it, test } from 'vitest'
import type { Verdict } from '../../../src/core/domain/verdict.ts'
import {
  buildWorkspaceReport,
  type WorkspaceMember,
  writeWorkspaceReport,
} from '../../../src/publish/report/workspace-report.ts'
import { sampleResult } from '../../contracts/run-state.ts'
import { aTask } from '../../fakes/facts.ts'

/** A repository whose tasks have these verdicts; `null` for none, and a text for what it waits for. */
function member(
  name: string,
  verdicts: Readonly<Record<string, Verdict | string | null>>,
): WorkspaceMember {
  const known: readonly string[] = ['done', 'failed', 'in_review', 'skipped']
  const entries = Object.entries(verdicts)
  const results = entries.flatMap(([id, verdict]) =>
    verdict !== null && known.includes(verdict)
      ? [[id, sampleResult(id, { verdict: verdict as Verdict, reason: 'because' })] as const]
      : [],
  )
  const waits = entries.flatMap(([id, why]) =>
    why !== null && !known.includes(why) ? [[id, why] as const] : [],
  )
  return {
    ...{ name, root: `/${name}`, runs: [], waits: Object.fromEntries(waits) },
    standing: { tasks: entries.map(([id]) => aTask({ id })), results: Object.fromEntries(results) },
  }
}

const pay = { name: 'pay', tasks: ['api:T-1', 'web:T-2'], atomic: true }

describe('a set', () => {
  test.each<[string, string | null, string | null, boolean, string, string]>([
    [
      'is complete',
      'done',
      'in_review',
      true,
      'complete',
      'Merge them in this order: api:T-1, web:T-2.',
    ],
    ['is open', 'done', 'waits for x', true, 'open', 'web:T-2 is left. Do not merge api:T-1 yet.'],
    ['is open, and its parts may be merged', 'done', null, false, 'open', 'web:T-2 is left.'],
    ['is all open', null, null, true, 'open', 'api:T-1, web:T-2 are left.'],
    [
      'is broken',
      'done',
      'failed',
      true,
      'broken',
      'web:T-2 failed. Do not merge api:T-1: executor workspace rollback pay takes them back.',
    ],
    [
      'is broken, and its parts may be merged',
      'done',
      'skipped',
      false,
      'broken',
      'web:T-2 failed.',
    ],
    ['is broken from the start', 'failed', null, true, 'broken', 'api:T-1 failed.'],
  ])('%s', (_, first, second, atomic, status, advice) => {
    const members = [member('api', { 'T-1': first }), member('web', { 'T-2': second })]
    const { sets } = buildWorkspaceReport(members, [{ ...pay, atomic }])
    expect(sets).toMatchObject([{ name: 'pay', status, advice }])
  })

  it('counts a task that was merged before as done', () => {
    const web = member('web', { 'T-2': 'done' })
    const api = {
      ...member('api', {}),
      standing: { tasks: [aTask({ id: 'T-1', status: 'done' })], results: {} },
    }
    expect(buildWorkspaceReport([api, web], [pay]).sets).toMatchObject([
      { status: 'complete', advice: '' },
    ])
  })
})

it('counts, and writes what a reader can trust', () => {
  const hostile = { ...member('web', { 'T-2': '@ada | <b>x</b> `y' }) }
  const report = buildWorkspaceReport(
    [member('api', { 'T-1': 'done', 'T-3': 'failed', 'T-4': null }), hostile],
    [pay],
  )
  expect(report).toMatchObject({ done: 1, failed: 1, open: 2, tokens: 0 })
  expect(report.tasks.map(({ id, outcome, reason }) => [id, outcome, reason])).toEqual([
    ['api:T-1', 'done', ''],
    ['api:T-3', 'failed', 'because'],
    ['api:T-4', 'ready', ''],
    ['web:T-2', 'waiting', '@ada | <b>x</b> `y'],
  ])
  const text = writeWorkspaceReport(report)
  expect(text).toContain('| `api:T-1` | Add a greeting | done |')
  expect(text).not.toMatch(/<b>|(?<![\w`\u2060])@ada/)
  expect(
    text
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .every((line) => line.match(/(?<!\\)\|/g)?.length === 6),
  ).toBe(true)
})
