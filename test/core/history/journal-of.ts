import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { JournalEntry, JournalEvent } from '../../../src/core/domain/journal-event.ts'
import type { Refinement, TaskShape, TaskWay } from '../../../src/core/domain/route.ts'
import type { RecoveryRecord } from '../../../src/core/domain/run-state.ts'
import { noUsage, type Usage } from '../../../src/core/domain/usage.ts'
import type { TaskResult } from '../../../src/core/domain/verdict.ts'
import { sampleResult } from '../../contracts/run-state.ts'

/** The journal of one attempt, as short as what a test is about allows. */
export interface Told {
  readonly task?: string
  readonly attempt?: number
  readonly model?: string
  readonly strategy?: TaskWay
  readonly shape?: TaskShape
  readonly refinement?: Refinement
  readonly lesson?: string
  readonly tokens?: number
  readonly seconds?: number
  readonly files?: number
  readonly finish?: 'stop' | 'length'
  readonly recovered?: RecoveryRecord['proposal']['strategy']
  readonly fails?: boolean
  readonly result?: Partial<TaskResult> | null
}

export function attemptOf(told: Told = {}): readonly JournalEntry[] {
  const { task = 'T-1', attempt = 1, model = 'small', strategy = 'single', fails = false } = told
  const { tokens = 1000, seconds = 4, files = 1, finish = 'stop', recovered, result = {} } = told
  const whose = { task, attempt }
  const usage: Usage = { ...noUsage, requests: 1, promptTokens: tokens, dollars: tokens / 1e6 }
  const answer = { call: 0, hash: 'h', text: 'secret words', exact: true, usage, seconds, finish }
  const error = { type: 'test_failure', severity: 'error', recoverable: true } as const
  const where = { ...whose, node: 'verify_task', signature: 'expected <n>' } as const
  const proposal = { reason: 'task_too_vague', explanation: 'x', tasks: [] } as const
  const worked = result?.verdict !== 'failed'
  const failure: JournalEntry[] = [
    { kind: 'failed', ...where, error, message: 'expected 3' },
    { kind: 'remedied', ...where, type: error.type, strategy: 'ask_again', fix: 'again', worked },
  ]
  const { shape, refinement } = told
  const size = { shape, complexity: 'low', refinement } as const
  const pick = {
    kind: 'stepped',
    node: 'pick_task',
    outcome: 'picked',
    ...whose,
    seconds: 0,
  } as const
  const picked: JournalEntry[] =
    told.shape === undefined ? [] : [{ ...pick, ...size, usage: noUsage }]
  const inLoop = strategy === 'tools'
  const step = inLoop
    ? ({ node: 'think', outcome: 'called' } as const)
    : ({ node: 'execute_task', outcome: 'drafted' } as const)
  const plan: JournalEntry[] =
    strategy === 'two_phase'
      ? [{ kind: 'stepped', node: 'plan_task', outcome: 'planned', ...whose, seconds: 1, usage }]
      : []
  return [
    ...picked,
    ...plan,
    { kind: 'answered', purpose: inLoop ? 'think' : 'draft', model, ...whose, ...answer },
    { kind: 'stepped', ...step, ...whose, seconds, usage, files, lesson: told.lesson },
    ...(fails ? failure : []),
    ...(recovered === undefined
      ? []
      : [
          {
            kind: 'recovered',
            record: {
              taskId: task,
              proposal: { strategy: recovered, ...proposal },
              decision: 'approved',
              ...{ by: 'ada', at: '2026-01-01T00:00:00.000Z' },
            },
          } as const,
        ]),
    ...(result === null
      ? []
      : [
          {
            kind: 'filed',
            result: sampleResult(task, { attempts: attempt, fingerprint: task, ...result }),
          } as const,
        ]),
  ]
}

export function eventsOf(
  run: string,
  entries: readonly JournalEntry[],
  at = '2026-01-02T03:04:05.000Z',
): readonly JournalEvent[] {
  return entries.map((entry, seq) => ({ seq, at, run, ...entry }))
}

export const linesOf = (events: readonly JournalEvent[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('')

/** A journal in `.executor`, as a run leaves it. */
export function putJournal(
  directory: string,
  run: string,
  entries: readonly JournalEntry[],
  at?: string,
): string {
  const path = join(directory, 'journal', `${run}.jsonl`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, linesOf(eventsOf(run, entries, at)))
  return path
}
