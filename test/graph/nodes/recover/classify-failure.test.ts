import { describe, expect, it } from 'vitest'
import { failureSaying } from '../../../../packages/judge/compare/read-outcome.ts'
import type { Receipt } from '../../../../packages/judge/results/test-report.ts'
import { nothingRun } from '../../../../packages/judge/verdict/nothing-run.ts'
import type { Failure } from '../../../../src/core/domain/attempt.ts'
import { classifyFailure } from '../../../../src/graph/nodes/recover/classify-failure.ts'
import { sampleResult } from '../../../contracts/run-state.ts'
import { aRepair, fakePorts } from '../../../fakes/facts.ts'
import { createScriptedModel, type ScriptedReply } from '../../../fakes/scripted-model.ts'
import { aDraft, attemptAfter, greeting, taskUnderWay } from '../bench.ts'

const roadmap = `
- [ ] **T-1**: Greet the user
- [ ] **T-2**: Create \`src/user.js\`
`

/** Of a change whose tests ran. */
const tested: Receipt = {
  ...nothingRun(greeting, []),
  ...{ before: { passed: 3, failed: 2, skipped: 0 }, after: { passed: 4, failed: 9, skipped: 0 } },
}

async function classify(
  facts: Partial<Failure>,
  replies: readonly ScriptedReply[] = [],
  given: Parameters<typeof taskUnderWay>[0] = {},
  limits = {},
) {
  const failure: Failure = {
    at: 'repairs_spent',
    message: 'It does not work.',
    problems: [],
    failures: [],
    output: '',
    ...facts,
  }
  const { workspace, state } = await taskUnderWay({
    ...given,
    files: { 'ROADMAP.md': roadmap, ...given.files },
    attempt: { failure, draft: aDraft(), receipt: tested, ...given.attempt },
  })
  const model = createScriptedModel(replies)
  const step = await classifyFailure(state, fakePorts({ workspace, model }, limits))
  return { step, model, classification: attemptAfter(step).classification }
}

const missingUser = { output: "Error: Cannot find module './user' from 'src/greet.js'" }

describe('classify_failure', () => {
  it('knows a module that another task brings, without asking', async () => {
    const { classification, model } = await classify(missingUser)
    expect(classification).toMatchObject({
      reason: 'missing_dependency',
      by: 'pattern',
      suppliedBy: ['T-2'],
    })
    expect(model.requests).toHaveLength(0)
  })

  it('knows it too where that task is done, on a branch that this one does not grow from', async () => {
    const results = { 'T-2': sampleResult('T-2') }
    const { classification } = await classify(missingUser, [], { state: { tasks: { results } } })
    expect(classification?.reason).toBe('missing_dependency')
  })

  it('does not wait for a task that is ticked at the base', async () => {
    const files = { 'ROADMAP.md': roadmap.replace('[ ] **T-2', '[x] **T-2') }
    const { classification } = await classify(missingUser, ['', ''], { files })
    expect(classification?.reason).toBe('unknown')
  })

  it('knows a package that is not installed, and how to install it', async () => {
    const { classification } = await classify({ output: "Cannot find module 'left-pad'" })
    expect(classification).toMatchObject({
      reason: 'environment_issue',
      installCommand: 'npm install left-pad',
    })
  })

  it('asks the model where patterns cannot tell, and books what it cost', async () => {
    const answer = '{"reason": "task_too_vague", "explanation": "It names no file."}'
    const { step, classification, model } = await classify({}, [answer])
    expect(classification).toMatchObject({
      reason: 'task_too_vague',
      explanation: 'It names no file.',
      by: 'model',
    })
    expect(model.requests[0]).toMatchObject({ purpose: 'classify', json: true })
    expect(step.patch?.spent?.usage?.requests).toBe(1)
    expect(attemptAfter(step).usage.requests).toBe(1)
    expect(step.patch?.spent?.calls).toBe(1)
  })

  const clear = { 'ROADMAP.md': '- [ ] T-1: Implement `flip` in `src/words.js`\n' }
  const referring = {
    'ROADMAP.md': '- [ ] T-1: Implement `src/words.js` as `docs/words.md` says\n',
  }
  const broken = ['flips a', 'flips b'].map((name) => failureSaying(name, 'expected A'))
  const before = { verdict: 'failed', unusable: true, thisRun: true, attempts: 1 } as const
  const unusable = { 'T-8': sampleResult('T-8', before) }
  const claims = aDraft({ changes: [], claimsDone: true })
  it.each<[string, Partial<Failure>, Parameters<typeof taskUnderWay>[0], string]>([
    [
      'that names its file, and how many tests pass',
      { message: 'flips a: expected A\nand more' },
      { files: clear, attempt: { broken, testRepairs: 2 } },
      '4 of 6 tests pass after 3 tries: flips a: expected A',
    ],
    [
      'whose tests were red before',
      {},
      { attempt: { broken, testRepairs: 1 } },
      '4 of 6 tests pass after 2 tries: It does not work.',
    ],
    [
      'whose tests cannot be counted',
      {},
      { files: clear, attempt: { receipt: { ...tested, after: null }, broken } },
      'Not done after 1 try: It does not work.',
    ],
    [
      'that no answer could be used for',
      {},
      { files: clear, attempt: { receipt: null, validationRepairs: 2 } },
      'No usable answer after 3 tries: It does not work.',
    ],
    [
      'that names its file, and one to read, and that no answer could be used for',
      {},
      { files: referring, attempt: { receipt: null, validationRepairs: 2 } },
      'No usable answer after 3 tries: It does not work.',
    ],
    [
      'that no answer could be used for, as for the one before',
      {},
      { attempt: { receipt: null, validationRepairs: 2 }, state: { tasks: { results: unusable } } },
      'No usable answer after 3 tries: It does not work.',
    ],
    [
      'that the model asks back about, though it names its file',
      { output: 'Which file do you mean?' },
      { files: clear, attempt: { receipt: null } },
      'No usable answer after 1 try: It does not work.',
    ],
    [
      'that a model calls done',
      { at: 'unproven' },
      { files: clear, attempt: { draft: claims, receipt: nothingRun([], []) } },
      'No usable answer after 1 try: It does not work.',
    ],
  ])('asks no one why a task failed %s', async (_, failure, given, explanation) => {
    const { classification, model } = await classify(failure, [], given)
    expect(model.requests).toEqual([])
    expect(classification).toMatchObject({ reason: 'unknown', by: 'pattern', explanation })
  })

  it('asks about a vague task that no answer could be used for', async () => {
    const answer = '{"reason": "task_too_vague", "explanation": "It names no file."}'
    const { classification } = await classify({}, [answer], { attempt: { receipt: null } })
    expect(classification).toMatchObject({ reason: 'task_too_vague', by: 'model' })
  })

  it('still sees that a vague task needs other words where the model asks back', async () => {
    const output = 'Could you clarify which greeting you mean?'
    const { classification, model } = await classify({ output }, [], { attempt: { receipt: null } })
    expect(classification?.reason).toBe('task_too_vague')
    expect(model.requests).toEqual([])
  })

  it.each(['too_large', 'too_complex'] as const)(
    'knows a task that is %s, without asking, whatever else was said',
    async (at) => {
      const { classification, model } = await classify({ at, ...missingUser, message: 'Too much.' })
      expect(classification).toMatchObject({
        ...{ reason: 'task_too_complex', explanation: 'Too much.', by: 'pattern' },
      })
      expect(model.requests).toHaveLength(0)
    },
  )

  it('tells no one to install what only looks like a package of the project', async () => {
    const files = { 'package.json': '{"dependencies": {"lodash": "4"}}' }
    const output = "Cannot find module 'lodahs'"
    const { classification } = await classify({ output }, [], { files })
    expect(classification).toMatchObject({
      ...{ reason: 'unknown', by: 'pattern', installCommand: null },
      explanation: "It imports 'lodahs', but the project has 'lodash'.",
    })
    const named = { ...files, 'ROADMAP.md': '- [ ] T-1: Compare `lodahs` with `lodash`\n' }
    const wanted = await classify({ output }, [], { files: named })
    expect(wanted.classification?.installCommand).toBe('npm install lodahs')
  })

  it.each([
    ['npm install https://evil.example/a.tgz', 'is an address'],
    ['pip install cowsay', 'is named neither'],
  ])('shows no one a package that the model made up: %s', async (command, problem) => {
    const answer = JSON.stringify({
      reason: 'environment_issue',
      explanation: `Run \`${command}\`.`,
    })
    const { classification, model } = await classify({}, [answer, answer])
    expect(model.requests[1]?.messages.at(-1)?.content).toContain(problem)
    expect(classification).toMatchObject({ reason: 'unknown', explanation: 'It does not work.' })
  })

  it('shows the model what was tried, and the last code', async () => {
    const attempt = { remedies: [aRepair({ fix: 'a → b' })], earlier: 'It was cut off.' }
    const { model } = await classify({}, ['', ''], { attempt })
    const asked = model.requests[0]?.messages.at(-1)?.content
    expect(asked).toContain(
      'WHAT WAS TRIED\nIt was cut off.\nUnexpected end: not solved by a → b\n\nTHE LAST CODE\n```diff\n',
    )
    expect(asked).toContain('+++ b/src/greet.js')
  })

  it('asks once more for an answer that it can read', async () => {
    const { classification, model } = await classify({}, [
      '{"reason": "aliens", "explanation": "x"}',
      '{"reason": "task_too_vague", "explanation": "It names no file."}',
    ])
    expect(classification).toMatchObject({ reason: 'task_too_vague', by: 'model' })
    expect(model.requests[1]?.messages.at(-1)?.content).toMatch(/"reason" is none of/)
  })

  it.each<[string, readonly ScriptedReply[], object]>([
    ['says nothing', ['no idea', ''], {}],
    ['is not available', [{ unavailable: 'overloaded' }], {}],
    ['can read no more', Array.from({ length: 4 }, () => ({ tooLarge: 'too long' })), {}],
    ['may not be paid', [''], { tokens: 10 }],
  ])('stays with the unknown when the model %s', async (_, replies, limits) => {
    const { step, classification } = await classify({}, replies, {}, limits)
    expect(step.outcome).toBe('classified')
    expect(classification).toMatchObject({
      reason: 'unknown',
      explanation: 'It does not work.',
      by: 'none',
    })
    expect(step.patch?.progress?.stopped).toBeUndefined()
  })
})
