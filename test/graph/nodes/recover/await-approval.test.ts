import { describe, expect, it } from 'vitest'
import { createLocalForge } from '../../../../src/adapters/local-forge.ts'
import { type AskedChoice, answerNow } from '../../../../src/core/domain/answer.ts'
import type { Attempt, Proposal } from '../../../../src/core/domain/attempt.ts'
import {
  changeState,
  joinPatches,
  type StatePatch,
} from '../../../../src/core/domain/change-state.ts'
import type { Person } from '../../../../src/core/ports.ts'
import { awaitApproval } from '../../../../src/graph/nodes/recover/await-approval.ts'
import { anAttempt, anOperation, aState, fakePorts, usageOf } from '../../../fakes/facts.ts'
import { createMemoryForge } from '../../../fakes/memory-forge.ts'
import { createMemoryStore } from '../../../fakes/memory-store.ts'
import { createMemoryWorkspace } from '../../../fakes/memory-workspace.ts'
import { createSilentPerson } from '../../../fakes/silent-person.ts'
import { aDraft, taskUnderWay } from '../bench.ts'

const proposal: Proposal = {
  strategy: 'ESCALATE',
  reason: 'unknown',
  explanation: 'It fails.',
  tasks: [],
}

const newTasks = ['a', 'b'].map((part) => ({
  id: `T-1-${part}`,
  title: `Add the part ${part}`,
  details: ['It is there.'],
  files: [],
}))

async function ask(
  answers: readonly AskedChoice[],
  attempt: Partial<Attempt> = {},
  facts: StatePatch = {},
) {
  const person = createSilentPerson(...answers)
  const state = aState(joinPatches({ attempt: anAttempt({ proposal, ...attempt }) }, facts))
  const step = await awaitApproval(
    state,
    fakePorts({ person, store: createMemoryStore(), forge: createLocalForge() }),
  )
  return { step, question: person.asked[0], state }
}

describe('await_approval', () => {
  it.each<[AskedChoice, string, string | undefined, string]>([
    ['approve', 'approved', undefined, 'approved'],
    ['skip', 'skipped', 'skipped', 'rejected'],
    ['reject', 'rejected', 'rejected', 'rejected'],
  ])('hears %s', async (choice, outcome, verdict, decision) => {
    const { step } = await ask([choice])
    expect(step.outcome).toBe(outcome)
    expect(step.patch?.tasks?.results?.['T-1']?.verdict).toBe(verdict)
    expect(step.patch?.record?.recoveries).toEqual([
      { taskId: 'T-1', proposal, decision, by: 'a person', at: '2026-01-02T03:04:05.000Z' },
    ])
  })

  it('proposes to defer instead', async () => {
    const { step } = await ask(['defer'])
    expect(step.outcome).toBe('other_strategy')
    expect(step.patch?.attempt?.proposal?.strategy).toBe('DEFER')
  })

  it('starts the attempt anew, and forgets nothing of what it cost', async () => {
    const { step } = await ask(['retry'], {
      draft: aDraft(),
      validationRepairs: 2,
      testRepairs: 2,
      usage: usageOf(70),
      steps: 12,
    })
    expect(step).toMatchObject({
      outcome: 'retry',
      patch: {
        attempt: {
          number: 2,
          draft: null,
          proposal: null,
          validationRepairs: 0,
          testRepairs: 0,
          usage: usageOf(70),
          steps: 12,
        },
      },
    })
  })

  it('parks the attempt when nobody answers', async () => {
    const { step, state } = await ask([])
    expect(step).toMatchObject({
      outcome: 'waiting',
      patch: {
        tasks: {
          results: { 'T-1': { verdict: 'waiting', reason: 'waits for an answer: It fails.' } },
          parked: { 'T-1': state.attempt },
        },
        record: { recoveries: [{ decision: 'waiting', by: 'nobody' }] },
      },
    })
  })

  it.each<[string, Partial<Attempt>, StatePatch, readonly AskedChoice[]]>([
    ['everything at first', {}, {}, ['approve', 'skip', 'reject', 'defer', 'retry']],
    ['no third retry', { number: 3 }, {}, ['approve', 'skip', 'reject', 'defer']],
    [
      'no second DEFER',
      {},
      { tasks: { retried: ['T-1'] } },
      ['approve', 'skip', 'reject', 'retry'],
    ],
    [
      'no DEFER instead of one',
      { proposal: { ...proposal, strategy: 'DEFER' } },
      {},
      ['approve', 'skip', 'reject', 'retry'],
    ],
  ])('offers %s', async (_, attempt, facts, choices) => {
    const { question } = await ask(['approve'], attempt, facts)
    expect(question?.choices).toEqual(choices)
  })

  it('takes the tasks that the person wrote instead of the proposed ones', async () => {
    const workspace = createMemoryWorkspace({
      files: { 'ROADMAP.md': '- [ ] T-1: Add a greeting\n' },
    })
    const { base } = await workspace.view()
    const state = aState({ roadmap: { base }, attempt: anAttempt({ proposal }) })
    const person: Person = {
      present: true,
      async ask({ edit }) {
        expect(edit?.text).toContain('- [ ] Add a greeting\n')
        const read = edit?.read(
          '- [ ] Add the word\n  It is there.\n- [ ] Add the name\n  It is, too.\n',
        )
        if (read?.status !== 'ok') throw new Error(read?.reason)
        return { ...answerNow('edit', 'ann'), tasks: read.tasks }
      },
    }
    const step = await awaitApproval(
      state,
      fakePorts({ person, workspace, forge: createLocalForge() }),
    )
    const tasks = [{ title: 'Add the word' }, { title: 'Add the name' }]
    expect(step).toMatchObject({
      outcome: 'edited',
      patch: {
        attempt: { proposal: { strategy: 'DECOMPOSE', tasks } },
        record: { recoveries: [{ decision: 'edited', by: 'ann' }] },
      },
    })
  })

  it('offers no edit of a change that only asks whether it may be written', async () => {
    const { question } = await ask(['approve'], { proposal: null, destructive: [anOperation()] })
    expect(question?.edit).toBeUndefined()
  })

  it('shows the reason and the evidence', async () => {
    const failure = {
      at: 'repairs_spent' as const,
      message: 'm',
      problems: [{ path: 'a.js', type: 'syntax', message: 'bad', line: 3, column: 1 }],
      failures: [],
      output: '',
    }
    const { question } = await ask(['approve'], { failure, draft: aDraft() })
    expect(question).toMatchObject({ taskId: 'T-1', title: 'Add a greeting' })
    expect(question?.body.split('\n')).toEqual([
      'Proposal: ESCALATE. Keep the failed attempt for a person and continue with the others.',
      'Reason: It fails.',
      '  · a.js:3 bad',
      'The attempt wrote: create src/greet.js',
    ])
  })
})

describe('await_approval of destructive operations', () => {
  const operation = anOperation()
  const attempt: Partial<Attempt> = {
    proposal: null,
    draft: aDraft(),
    destructive: [operation, operation],
    allowed: ['earlier'],
    usage: usageOf(70),
  }
  const about = (answers: readonly AskedChoice[], facts: Partial<Attempt> = {}) =>
    ask(answers, { ...attempt, ...facts })

  it('writes the very same change when it is approved, for just these operations', async () => {
    const { step } = await about(['approve'])
    expect(step).toMatchObject({
      outcome: 'write_anyway',
      patch: {
        attempt: {
          draft: attempt.draft,
          destructive: [],
          allowed: ['earlier', operation.fingerprint, operation.fingerprint],
        },
        record: {
          destructive: [
            {
              taskId: 'T-1',
              operations: [operation, operation],
              decision: 'approved',
              by: 'a person',
              at: '2026-01-02T03:04:05.000Z',
            },
          ],
        },
      },
    })
    expect(step.patch?.tasks?.results).toBeUndefined()
    expect(step.patch?.record?.recoveries).toBeUndefined()
  })

  it.each<[AskedChoice, string]>([
    ['skip', 'skipped'],
    ['reject', 'rejected'],
  ])('hears %s', async (choice, verdict) => {
    const { step } = await about([choice])
    expect(step).toMatchObject({
      outcome: verdict,
      patch: {
        tasks: { results: { 'T-1': { verdict, reason: `${verdict} by a person` } } },
        record: { destructive: [{ decision: 'rejected' }] },
      },
    })
  })

  it('has the task done anew, with nothing approved any more', async () => {
    const { step } = await about(['retry'])
    expect(step).toMatchObject({
      outcome: 'retry',
      patch: {
        attempt: { number: 2, draft: null, destructive: [], allowed: [], usage: usageOf(70) },
      },
    })
  })

  it('waits when nobody is there, with the change kept and the operations named', async () => {
    const { step, state } = await about([])
    expect(step).toMatchObject({
      outcome: 'waiting',
      patch: {
        tasks: { parked: { 'T-1': state.attempt } },
        record: { destructive: [{ decision: 'waiting', by: 'nobody' }] },
      },
    })
    expect(step.patch?.tasks?.results?.['T-1']).toMatchObject({
      verdict: 'waiting',
      reason:
        'waits: the change contains destructive operations: 2 filesystem (scripts/clean.sh:3 `rm -rf "$DIR"`, scripts/clean.sh:3 `rm -rf "$DIR"`). The whole change is in /memory/attempts/T-1.md',
    })
  })

  it.each([
    [1, ['approve', 'skip', 'reject', 'retry']],
    [3, ['approve', 'skip', 'reject']],
  ])('at attempt %i offers %j', async (number, choices) => {
    const { question } = await about(['approve'], { number })
    expect(question?.choices).toEqual(choices)
  })

  it('shows each operation with category, place, code and reason, and the change', async () => {
    const { question } = await about(['approve'])
    expect(question).toMatchObject({ taskId: 'T-1', title: 'Add a greeting' })
    expect(question?.body.split('\n')).toEqual([
      'The change contains destructive operations. Nothing was written or run yet.',
      '',
      '  filesystem  scripts/clean.sh:3  rm -rf "$DIR"',
      '              It deletes folders with everything in them.',
      '  filesystem  scripts/clean.sh:3  rm -rf "$DIR"',
      '              It deletes folders with everything in them.',
      '',
      'The change:',
      '--- /dev/null',
      '+++ b/src/greet.js',
      '@@ -0,0 +1,1 @@',
      "+export const greet = () => 'hello'",
      '',
      'Approval covers only these operations: the change is then written, tested and committed.',
    ])
  })

  it('shortens a long list and a long change', async () => {
    const long = 'x = 1\n'.repeat(5_000)
    const { question } = await about(['approve'], {
      destructive: Array.from({ length: 50 }, () => operation),
      draft: aDraft({ changes: [{ action: 'create', path: 'a.sh', content: long }] }),
    })
    expect(question?.body).toContain('and 30 more')
    expect(question?.body.length).toBeLessThan(12_000)
  })

  it('without either question is a mistake of the program', async () => {
    await expect(ask(['approve'], { proposal: null })).rejects.toThrow('nothing to approve')
  })
})

it.each<[string, Partial<Attempt>]>([
  ['new tasks', { proposal: { ...proposal, strategy: 'DECOMPOSE', tasks: newTasks } }],
  ['destructive operations', { proposal: null, destructive: [anOperation()], draft: aDraft() }],
])(
  'a forge that is away is asked about %s by the next run, from the same attempt',
  async (_, facts) => {
    const files = { 'ROADMAP.md': '- [ ] T-1: Add a greeting\n' }
    const made = await taskUnderWay({ files, attempt: facts })
    const state = changeState(made.state, { progress: { next: 'await_approval' as const } })
    const forge = createMemoryForge()
    const ports = fakePorts({ workspace: made.workspace, forge, person: createSilentPerson() })
    forge.refuse({ code: 'forge_unreachable', detail: 'no answer' })
    const step = await awaitApproval(state, ports)
    expect(step).toMatchObject({
      outcome: 'forge_refused',
      patch: { progress: { stopped: 'unavailable', resumeAt: 'await_approval' } },
    })
    expect(Object.keys(step.patch ?? {}).toSorted()).toEqual(['progress', 'record'])
    expect(Object.keys(step.patch?.progress ?? {}).toSorted()).toEqual(['resumeAt', 'stopped'])
    expect(Object.keys(step.patch?.record ?? {})).toEqual(['errors'])
    forge.refuse(null)
    expect((await awaitApproval(state, ports)).outcome).toBe('waiting')
    expect(forge.pulls).toHaveLength(1)
  },
)
