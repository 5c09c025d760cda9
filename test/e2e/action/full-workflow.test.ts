/** docs/examples/full.yml, as a stranger copies it: its triggers, its condition, its `with:` and `env:`. */
import { readFile } from 'node:fs/promises'
import { data, Evaluator, Lexer, Parser, wellKnownFunctions } from '@actions/expressions'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { target } from '../../../packages/github-simulator/test/github/bench.ts'
import { type ActionBench, apiKey, openActionBench, type WorkflowRun } from './action-bench.ts'
import { edit, once, tool, withRoadmap } from './toolbox.ts'

const steps = z.object({
  id: z.string().optional(),
  with: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  env: z.record(z.string(), z.string()).optional(),
})

const names = z.array(z.string()).optional()
const filter = z.object({ types: names, branches: names }).nullable().catch(null)

const workflow = z.object({
  on: z.record(z.string(), filter),
  jobs: z.object({ executor: z.object({ if: z.string(), steps: z.array(steps) }) }),
})

/** As the comment in the file says, for CI on the pull requests: the token of an App. */
const withAppToken = (text: string): string => text.replace('# github-token:', 'github-token:')

const text = withAppToken(await readFile('docs/examples/full.yml', 'utf8'))
const { on, jobs } = workflow.parse(parse(text))
const step = jobs.executor.steps.find(({ id }) => id === 'executor')

interface Happening {
  readonly event: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** Evaluates an expression as GitHub does; `data` is GitHub's own type. */
function evaluate(expression: string, context: object): data.ExpressionData {
  const { tokens } = new Lexer(expression).lex()
  const names = Object.keys(context)
  const parsed = new Parser(tokens, names, Object.values(wellKnownFunctions)).parse()
  const values = JSON.parse(JSON.stringify(context), data.reviver) as data.Dictionary
  return new Evaluator(parsed, values).evaluate()
}

const fill = (value: string, context: object): string =>
  value.replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) =>
    evaluate(expression, context).coerceString(),
  )

/** The settings of the repository that the README asks for. */
const contextOf = (bench: ActionBench, { event, payload }: Happening) => ({
  github: { event_name: event, event: payload },
  inputs: {},
  vars: { OPENAI_MODEL: 'scripted-model', OPENAI_BASE_URL: bench.model.url },
  secrets: { OPENAI_API_KEY: apiKey },
  steps: { app: { outputs: { token: 'bot-token' } } },
})

/** True when GitHub starts the workflow for this event, and then the job. */
function starts({ event, payload }: Happening, context: object): boolean {
  if (!(event in on)) return false
  const { types, branches } = on[event] ?? {}
  const isPushed = event === 'push' && branches !== undefined
  if (isPushed && !branches.some((name) => payload.ref === `refs/heads/${name}`)) return false
  if (types !== undefined && !types.includes(String(payload.action))) return false
  return evaluate(jobs.executor.if, context).coerceString() === 'true'
}

const path = 'src/today.js'
const [first, second] = [
  "() => new Date('2026-01-02').getDate()",
  "() => new Date('2026-01-02').getUTCDate()",
]

let bench: ActionBench
let happenings: Happening[]
const runs: { readonly event: string; readonly run: WorkflowRun }[] = []

beforeAll(async () => {
  bench = await openActionBench(
    {
      ...withRoadmap(`T-1: Tell the day, in \`${path}\``, 'T-2: Halve a number, in `src/halve.js`'),
      '.github/workflows/executor.yml': text,
      '.github/executor.yml': 'merge-on-approve: true\nstack: auto\n',
    },
    [
      once(
        'T-1',
        tool('today', first, 'assert.equal(today(), 2)'),
        edit(path, `export const today = ${first}`, `export const today = ${second}`),
      ),
      once('T-2', tool('halve', '(n) => n / 2', 'assert.equal(halve(4), 2)')),
    ],
  )
  await bench.server.setCheck(target.owner, target.repo, { on: 'main', ...ci, outcome: 'success' })
  happenings = []
  bench.server.onEvent(({ name: event, payload, startsWorkflows }) => {
    if (startsWorkflows) happenings.push({ event, payload: payload as Happening['payload'] })
  })
})
afterAll(() => bench[Symbol.asyncDispose]())

const ci = { name: 'test', app: 'github-actions' } as const

/** CI of the repository: red where the day is not told in UTC. Its end is an event. */
async function runCi({ payload }: Happening): Promise<void> {
  const { number, head } = payload.pull_request as { number: number; head: { ref: string } }
  const isRed = head.ref === 'agent/T-1' && (await bench.file(head.ref, path)).includes('getDate')
  const log = 'not ok 1 - today works in New York\n##[error]Process completed with exit code 1.\n'
  const outcome = isRed ? 'failure' : 'success'
  await bench.server.setCheck(target.owner, target.repo, { on: number, ...ci, outcome, log })
  happenings.push({
    event: 'workflow_run',
    payload: { action: 'completed', workflow_run: { head_branch: head.ref, name: 'CI' } },
  })
}

const changed: ReadonlySet<string> = new Set(['opened', 'synchronize', 'reopened'])

/** Lets GitHub do what follows from an event, until nothing follows any more. */
async function happen(started: Happening | null): Promise<void> {
  if (started !== null) happenings.push(started)
  for (let at = 0; happenings.length > 0; at++) {
    if (at > 60) throw new Error('It never ends.')
    const [next] = happenings.splice(0, 1)
    if (next === undefined) return
    if (next.event === 'pull_request' && changed.has(`${next.payload.action}`)) await runCi(next)
    const context = contextOf(bench, next)
    if (!starts(next, context)) continue
    const filled = (entries: object = {}) =>
      Object.fromEntries(
        Object.entries(entries).map(([name, value]) => [name, fill(String(value), context)]),
      )
    const run = await bench.run({
      event: next.event,
      payload: next.payload,
      inputs: filled(step?.with),
      env: { ...filled(step?.env), GITHUB_TOKEN: '', EXECUTOR_DASHBOARD: 'false' },
    })
    runs.push({ event: next.event, run })
  }
}

const pullOf = async (id: string) => {
  const found = (await bench.pulls()).find(({ head }) => head === `agent/${id}`)
  if (found === undefined) throw new Error(`${id} has no pull request.`)
  return found
}

it('goes from a copied file to pull requests with green CI, after red CI over a repair', async () => {
  await happen({ event: 'schedule', payload: { schedule: '17 2 * * *' } })
  expect(runs.map(({ event, run }) => [event, run.exitCode, run.modelCalls])).toEqual([
    ['schedule', 0, 2],
    ['workflow_run', 0, 1],
    ['workflow_run', 0, 0],
    ['workflow_run', 0, 0],
  ])
  expect(await bench.file('agent/T-1', path)).toContain('getUTCDate')
  expect((await bench.pulls()).map(({ author, state }) => [author, state])).toEqual([
    ['helper[bot]', 'open'],
    ['helper[bot]', 'open'],
  ])
})

it.each(['T-1', 'T-2'])('is merged on /approve: %s', async (id) => {
  runs.length = 0
  const { number } = await pullOf(id)
  const asked = { ...target, issue_number: number, body: '/approve' }
  await bench.octokit('owner-token').issues.createComment(asked)
  await happen(null)
  expect(runs[0]).toMatchObject({ event: 'issue_comment', run: { exitCode: 0, modelCalls: 0 } })
  expect(await pullOf(id)).toMatchObject({ state: 'merged' })
  expect(await bench.file('main', 'ROADMAP.md')).toMatch(new RegExp(`- \\[x\\] ${id}`))
})

it('starts for nobody else', async () => {
  runs.length = 0
  const number = (
    await bench.octokit('owner-token').issues.create({ ...target, title: 'x', body: 'y' })
  ).data.number
  await bench
    .octokit('outsider-token')
    .issues.createComment({ ...target, issue_number: number, body: 'hello' })
  await happen(null)
  expect(runs).toEqual([])
})
