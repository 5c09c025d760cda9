import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  type ActionBench,
  openActionBench,
  type WorkflowRun,
  withoutReports,
  writesOf,
} from './action-bench.ts'
import { edit, multipleAnswers, multiples, once, tool, withRoadmap } from './toolbox.ts'

const one = withRoadmap(...multiples(1))
const two = withRoadmap(...multiples(2))

const errorsOf = ({ annotations }: WorkflowRun) =>
  annotations.filter(({ level }) => level === 'error').map(({ message }) => message)

describe('where Actions may not create pull requests', () => {
  const refused = 'GitHub does not let Actions create pull requests in ada/engine.'

  it.concurrent('pushes the branch, says what to set, and asks the model nothing again', async () => {
    await using bench = await openActionBench(two, multipleAnswers(2))
    bench.server.faults.add({
      method: 'POST',
      path: '/repos/{owner}/{repo}/pulls',
      times: 2,
      effect: {
        kind: 'status',
        status: 403,
        when: 'before',
        message: 'GitHub Actions is not permitted to create or approve pull requests.',
      },
    })
    const first = await bench.run()
    // The second task is not paid for: it would meet the same refusal.
    expect(first).toMatchObject({ exitCode: 1, modelCalls: 1 })
    expect(errorsOf(first)[0]).toContain(`${refused} The branch is pushed. Settings → Actions`)
    expect(first.summary).toContain('actions_may_not_create_pull_requests')
    expect(await bench.message('agent/T-1')).toContain('Executor-Outcome: done')

    const still = await bench.run({ inputs: { task: 'T-1' } })
    expect(still).toMatchObject({ exitCode: 1, modelCalls: 0 })
    expect(errorsOf(still)[0]).toContain(refused)
    expect(await bench.pulls()).toEqual([])

    const allowed = await bench.run()
    expect(allowed).toMatchObject({ exitCode: 0, modelCalls: 1 })
    expect(await bench.pulls()).toMatchObject([
      { number: 1, head: 'agent/T-1', base: 'main', labels: ['executor:task'], state: 'open' },
      { number: 2, head: 'agent/T-2', base: 'main', labels: ['executor:task'], state: 'open' },
    ])
  })

  it.concurrent("opens it with the token of an App, if it's given one", async () => {
    await using bench = await openActionBench(one, multipleAnswers(1), {
      actionsMayCreatePullRequests: false,
    })
    expect(errorsOf(await bench.run())[0]).toContain(refused)
    const next = await bench.run({ inputs: { 'github-token': 'writer-token' } })
    expect(next).toMatchObject({
      exitCode: 0,
      modelCalls: 0,
      masks: ['writer-token', expect.anything()],
    })
    expect(await bench.pulls()).toMatchObject([{ head: 'agent/T-1', author: 'grace' }])
  })
})

it.concurrent('says so when agent/** is protected, and opens nothing', async () => {
  await using bench = await openActionBench(two, multipleAnswers(2), {
    protectedBranches: ['agent/T-1'],
  })
  const run = await bench.run()
  expect(run).toMatchObject({
    exitCode: 1,
    modelCalls: 1,
    outputs: { completed: '0', failed: '1' },
  })
  expect(errorsOf(run)[0]).toMatch(
    /^The push was refused by branch protection \(GH006\)[\s\S]*Let the bot push to agent\/\*\* and executor\/\*\*\.$/,
  )
  expect(await bench.pulls()).toEqual([])
  expect(run.left['attempts/T-1.md']).toContain('export const times2')
})

it.concurrent('says so when the token may only read', async () => {
  await using bench = await openActionBench(one, multipleAnswers(1))
  const run = await bench.run({ inputs: { 'github-token': 'reader-token' } })
  expect(run.exitCode).toBe(1)
  expect(errorsOf(run)[0]).toMatch(/^GitHub refused: [\s\S]*contents: write/)
  expect((await bench.server.state('ada', 'engine')).refs).not.toHaveProperty(
    'refs/heads/agent/T-1',
  )
})

describe("a stranger's commit on a branch of ours", () => {
  it.concurrent('that is there already keeps the task from being paid for', async () => {
    await using bench = await openActionBench(two, multipleAnswers(2))
    const sha = await bench.push('agent/T-1', { 'notes.md': 'mine\n' })
    const run = await bench.run()
    expect(run).toMatchObject({
      exitCode: 0,
      modelCalls: 1,
      outputs: { completed: '1', waiting: '1' },
    })
    expect(run.summary).toContain('the executor did not write the last commit on agent/T-1')
    const { refs, pulls } = await bench.server.state('ada', 'engine')
    expect(refs['refs/heads/agent/T-1']).toBe(sha)
    expect(pulls.map(({ head }) => head)).toEqual(['agent/T-2'])
  })

  it.concurrent('that comes while the model thinks is left where it is', async () => {
    let arrive = () => {}
    const [rule] = multipleAnswers(1)
    await using bench = await openActionBench(one, [
      {
        when: { contains: 'TASK T-1:' },
        answers: [
          () => {
            arrive()
            return String(rule?.answers[0])
          },
        ],
      },
    ])
    const sha = await bench.push('work-of-a-person', { 'notes.md': 'mine\n' })
    const bare = join(await bench.git('rev-parse', '--show-toplevel'), '../ada/engine.git')
    arrive = () => {
      execFileSync('git', ['--git-dir', bare, 'update-ref', 'refs/heads/agent/T-1', sha])
    }
    const run = await bench.run()
    expect(run).toMatchObject({ exitCode: 0, outputs: { completed: '0', waiting: '1' } })
    expect(run.summary).toContain(`someone else's commit ${sha.slice(0, 7)} is on agent/T-1`)
    const { refs, pulls } = await bench.server.state('ada', 'engine')
    expect(refs['refs/heads/agent/T-1']).toBe(sha)
    expect(pulls).toEqual([])
    expect(run.left['attempts/T-1.md']).toContain('export const times2')
  })

  it.concurrent('on top of our own stays, with its pull request', async () => {
    await using bench = await openActionBench(one, multipleAnswers(1))
    await bench.run()
    await bench.message('agent/T-1')
    const sha = await bench.push('agent/T-1', { 'notes.md': 'mine\n' }, 'origin/agent/T-1')
    const run = await bench.run()
    expect(run).toMatchObject({ exitCode: 0, modelCalls: 0 })
    expect(writesOf(run)).toEqual([])
    expect(await bench.pulls()).toMatchObject([{ headSha: sha, state: 'open' }])
  })
})

describe('a task that keeps failing', () => {
  const wrong = tool('times2', '(n) => n', 'assert.equal(times2(2), 4)')
  const line = 'export const times2 = (n) => n'
  const failing = [
    once('T-1', wrong),
    {
      when: { purpose: 'repair_test' },
      answers: [
        edit('src/times2.js', line, `${line} + 1`),
        edit('src/times2.js', `${line} + 1`, line),
      ],
      usedUp: 'error' as const,
    },
  ]

  const title = '[Agent] Complete T-1: Multiply by 2, in `src/times2.js`'

  // Where the plan has no drafts, the title says so: test/adapters/octokit-forge.test.ts.
  it.concurrent('ends as a draft, is not paid for again, and goes on where it was when asked for by name', async () => {
    const [answer] = multipleAnswers(1)
    const [draft, ...others] = failing
    if (draft === undefined || answer === undefined) throw new Error('There is no answer.')
    const answers = [{ ...draft, answers: [...draft.answers, ...answer.answers] }, ...others]
    await using bench = await openActionBench(one, answers)
    const run = await bench.run()
    expect(run).toMatchObject({ exitCode: 1, modelCalls: 3, outputs: { failed: '1' } })
    const [failed] = await bench.pulls()
    expect(await bench.pulls()).toMatchObject([
      {
        ...{ head: 'agent/T-1', draft: true, labels: ['executor:needs-human'] },
        title: title.replace('Complete', 'Did not complete'),
      },
    ])
    expect(await bench.message('agent/T-1')).toMatch(
      /^\[Agent\] Did not complete T-1[^\n]*\n\n\[skip ci\]\n/,
    )
    expect(withoutReports(await bench.comments())).toEqual([])

    const night = await bench.run()
    expect(night).toMatchObject({ exitCode: 0, modelCalls: 0, outputs: { waiting: '1' } })
    expect(writesOf(night)).toEqual([])

    const again = await bench.run({ inputs: { task: 'T-1' } })
    expect(again).toMatchObject({ exitCode: 0, modelCalls: 1, outputs: { completed: '1' } })
    const told = bench.model.requests.at(-1)?.messages.at(-1)?.content
    expect(told).toContain(
      'An earlier attempt at this task failed. 1 of 2 tests pass after 3 tries',
    )
    // Only a person, or GraphQL, makes a draft ready.
    expect(await bench.pulls()).toMatchObject([
      { number: 1, title, draft: true, labels: ['executor:task'] },
    ])
    expect(await bench.file('agent/T-1', 'src/times2.js')).toContain('2 * n')
    await bench.git('merge-base', '--is-ancestor', failed?.headSha ?? '', 'origin/agent/T-1')
    expect(withoutReports(await bench.comments())).toEqual([])

    const next = await bench.run()
    expect(next).toMatchObject({ exitCode: 0, modelCalls: 0, outputs: { waiting: '0' } })
    expect(writesOf(next)).toEqual([])
  })

  it.concurrent('does not hide from a person what they closed', async () => {
    const bench: ActionBench = await openActionBench(one, failing)
    await using _ = bench
    await bench.run()
    await bench.close(1)
    const next = await bench.run()
    expect(next).toMatchObject({ exitCode: 0, modelCalls: 0 })
    expect(writesOf(next)).toEqual([])
  })
})

describe('a key that is refused in the middle', () => {
  it('shows what was done until then, and the next run goes on', async () => {
    const [first, second] = multipleAnswers(2)
    const refusal = { fault: { kind: 'status', status: 401, message: 'Incorrect key' } } as const
    if (first === undefined || second === undefined) throw new Error('two answers')
    await using bench = await openActionBench(two, [
      first,
      { ...second, answers: [refusal, ...second.answers] },
    ])
    const night = await bench.run()
    expect(night).toMatchObject({ exitCode: 1, modelCalls: 2 })
    expect(errorsOf(night).join()).toContain('Incorrect key')
    expect(night.summary).toContain('Incorrect key')
    expect(night.summary).toContain('Multiply by 2, in src/times2.js')
    expect(await bench.run()).toMatchObject({ exitCode: 0, modelCalls: 1 })
  })
})

it.concurrent('asks no model where the set-up fails, until somebody has mended it', async () => {
  const files = { ...two, 'test/add.test.js': "import '../made.js'\n" }
  await using bench = await openActionBench(files, multipleAnswers(2))
  const setUp = (line: string) => ({ inputs: { 'setup-command': line } })
  for (const _ of [1, 2]) {
    const run = await bench.run(setUp('echo "the licence has run out" >&2; exit 3'))
    expect(run).toMatchObject({ exitCode: 1, modelCalls: 0, outputs: { failed: '0' } })
    expect(errorsOf(run)[0]).toMatch(/so no model was asked[\s\S]*the licence has run out/)
    expect(run.summary).toContain('```\nthe licence has run out\n```')
  }
  expect(await bench.pulls()).toEqual([])
  const mended = await bench.run(setUp('touch made.js'))
  expect(mended).toMatchObject({ exitCode: 0, modelCalls: 2, outputs: { completed: '2' } })
})
