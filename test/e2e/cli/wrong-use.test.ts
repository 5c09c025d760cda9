import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { catalogue, type ErrorCode } from '../../../src/core/domain/errors.ts'
import { createProject, type Files, type Variables } from './bench.ts'
import { alphabet, letterAnswers, letterFiles, letterRoadmap } from './letters.ts'
import { differences, photograph } from './look-at-disk.ts'
import { type Answers, startModel } from './model.ts'
import { outcomes, play } from './scenario.ts'

const files = { ...alphabet, 'ROADMAP.md': letterRoadmap(2) }
const key = { OPENAI_API_KEY: 'a-key', OPENAI_MODEL: 'm' }

interface WrongUse {
  readonly it: string
  readonly files?: Files
  readonly args?: readonly string[]
  readonly variables?: Variables
  readonly code: ErrorCode
  readonly detail: string | RegExp
}

const wrongUses: readonly WrongUse[] = [
  { it: 'a repository without a commit', files: {}, code: 'no_commits', detail: 'no commit yet' },
  { it: 'no roadmap', files: alphabet, code: 'no_roadmap', detail: 'no ROADMAP.md' },
  {
    it: 'a roadmap of another name',
    files: { ...alphabet, 'docs/ROADMAP.md': '- [ ] T-1: It' },
    code: 'no_roadmap',
    detail: 'did you mean --roadmap docs/ROADMAP.md?',
  },
  {
    it: 'another roadmap, which is not there',
    args: ['--roadmap', 'docs/PLAN.md'],
    code: 'no_roadmap',
    detail: 'no docs/PLAN.md',
  },
  { it: 'a task that is not there', args: ['--task', 'T-9'], code: 'unknown_task', detail: 'T-9' },
  { it: 'no model', variables: {}, code: 'no_model', detail: 'No model is configured' },
  {
    it: 'no key',
    variables: { OPENAI_MODEL: 'm' },
    code: 'no_api_key',
    detail: 'https://api.openai.com/v1',
  },
  {
    it: 'a limit in dollars without a price',
    args: ['--max-cost', '1'],
    code: 'no_price',
    detail:
      /No price is known for m, so max-cost limits nothing[^\n]*\n {2}prices: \{ "m": \{ prompt: [\d.]+, completion: [\d.]+ \} \}$/m,
  },
  {
    it: 'limits in dollars with the price of another model',
    files: {
      ...files,
      '.github/executor.yml':
        'limits: { cost-per-day: 1 }\nprices: { other: { prompt: 0, completion: 0 } }\n',
    },
    code: 'no_price',
    detail: /so limits\.cost-per-day limits nothing[^\n]* below prices: [^\n]*\n {2}"m": \{/,
  },
  {
    it: 'an unknown key in the configuration',
    files: { ...files, '.github/executor.yml': 'modle: m\n' },
    code: 'config_invalid',
    detail: /\.github\/executor\.yml:1:1 .*modle/,
  },
  {
    it: 'a value that is no number',
    args: ['--max-tasks', 'many'],
    code: 'config_invalid',
    detail: /max-tasks/,
  },
  {
    it: 'a base URL that is none',
    args: ['--base-url', 'localhost:1'],
    code: 'config_invalid',
    detail: /base-url/,
  },
  { it: 'both --fresh and --resume', args: ['--fresh', '--resume'], code: 'bad_usage', detail: '' },
]

describe.concurrent('wrong use ends with 2, what is wrong, and what to do', () => {
  it.each(wrongUses)(
    '$it',
    async ({ files: given = files, args = [], variables, code, detail }) => {
      using project = createProject(given)
      const result = await project.run(['run', ...args], variables ?? key)
      expect(result.code, result.stderr).toBe(2)
      expect(result.stderr).toMatch(detail)
      expect(result.stderr).toMatch(/^error /m)
      expect(result.stderr).toContain(`next  ${catalogue[code].next}`)
      expect(result.stdout).toBe('')
      expect(project.branches()).toEqual([])
    },
  )

  it.each([['run'], ['plan'], ['status'], ['init']])(
    '%s in a folder that is no repository',
    async (command) => {
      using project = createProject(files)
      rmSync(join(project.path, '.git'), { recursive: true })
      const before = photograph(project.root)
      const { code, stderr } = await project.run([command], key)
      expect(code, stderr).toBe(2)
      expect(stderr).toContain(`next  ${catalogue.not_a_repository.next}`)
      expect(differences(before, photograph(project.root))).toEqual([])
    },
  )

  it.each([
    [['run', '--max-taks', '1'], '--max-tasks'],
    [['rnu'], 'run'],
    [['validate', '-'], '--path'],
    [['parse', 'nowhere.md'], 'nowhere.md'],
    [['report'], 'executor run'],
    [['rollback'], 'Say what to revert'],
    [['rollback', 'last'], 'No run is recorded here yet.'],
    [['rollback', 'run-9'], 'No run is recorded here yet.'],
    [['rollback', 'T-99'], 'The roadmap has no task T-99.'],
    [['replay', 'last'], 'No run is recorded here yet.'],
    [['import', 'plan.yaml'], 'The plan is not valid YAML'],
    [['import', 'plan.csv'], 'no column Title or Summary'],
    [['import', 'plan.json'], 'JSON'],
  ])('%j', async (args, help) => {
    const plans = { 'plan.yaml': 'tasks: [', 'plan.csv': 'a,b\n1,2\n', 'plan.json': '{' }
    using project = createProject({ ...files, ...plans })
    const { code, stderr, stdout } = await project.run(args, key)
    expect(code, stderr).toBe(2)
    expect(stderr).toContain(help)
    expect(stdout).toBe('')
  })
})

describe.concurrent('a roadmap in which there is nothing to do', () => {
  it.each<[string, string, readonly string[], string?]>([
    ['an empty one', '', []],
    [
      'one of prose',
      '# Where we are going\n\nSome day there will be *more* of everything.\n',
      ['normalize undefined'],
    ],
    ['one that is done', '- [x] T-1: All of it\n', []],
    ['one left out', '## Icebox\n- [ ] T-1: All of it\n', [], 'Lint names 1 place with boxes'],
  ])('%s', async (_, roadmap, asked, more = '') => {
    using project = createProject({ ...alphabet, 'ROADMAP.md': roadmap })
    await using model = await startModel({ 'normalize undefined': ['[]'] })
    const { code, stderr } = await project.run(['run'], model.variables)
    expect(code, stderr).toBe(0)
    expect(stderr).toContain('Nothing to do: ROADMAP.md has no open task')
    expect(stderr).toContain(more)
    expect(model.asked()).toEqual(asked)
    expect(project.branches()).toEqual([])
    expect(project.report()).toMatchObject({ tasks: [], successRate: 1 })
  })

  it('says of a task that was asked for how its box stands', async () => {
    const roadmap = '- [x] T-1: All of it\n- [-] T-2: None of it\n- [ ] T-3: The rest\n'
    using project = createProject({ ...alphabet, 'ROADMAP.md': roadmap })
    const { code, stderr } = await project.run(['run', '--task', 'T-1', 'T-2'], key)
    expect(code, stderr).toBe(0)
    expect(stderr).toContain(
      'Nothing to do.\nLeft alone: T-1 is ticked as done, T-2 is cancelled in ROADMAP.md.',
    )
    expect(stderr).toContain('set its box to [ ]')
  })
})

const page = { fault: { kind: 'html' } } as const
const fails = { fault: { kind: 'status', status: 500, retryAfter: 0 } } as const

describe.concurrent('a model that is of no use', () => {
  it.each<{ it: string; answers: Answers; asked: number; says: RegExp }>([
    { it: 'fails for ever', answers: { 'draft T-1': Array(9).fill(fails) }, asked: 4, says: /500/ },
    {
      it: 'sends a web page',
      answers: { 'draft T-1': Array(9).fill(page) },
      asked: 4,
      says: /model is not available/,
    },
    {
      it: 'sends half a document',
      answers: { 'draft T-1': Array(9).fill({ fault: { kind: 'garbage' } }) },
      asked: 4,
      says: /model is not available/,
    },
    {
      it: 'asks to come back in an hour',
      answers: { 'draft T-1': [{ fault: { kind: 'status', status: 429, retryAfter: 3600 } }] },
      asked: 1,
      says: /Come back after \d{4}-/,
    },
  ])('ends the run with 4 and keeps its place: it $it', async ({ answers, asked, says }) => {
    using project = createProject(files)
    await using model = await startModel(answers)
    const before = photograph(join(project.path, 'src'))
    const { code, stderr } = await project.run(['run'], model.variables)
    expect(code, stderr).toBe(4)
    expect(stderr).toMatch(says)
    expect(model.asked()).toEqual(Array(asked).fill('draft T-1'))
    expect(project.branches()).toEqual([])
    expect(project.report().errors).toMatchObject([{ code: 'model_unavailable', taskId: 'T-1' }])

    await using healthy = await startModel(letterAnswers(2))
    const again = await project.run(['run'], healthy.variables)
    expect(again.code, again.stderr).toBe(0)
    expect(healthy.asked()).toEqual(['draft T-1', 'draft T-2'])
    expect(project.branches()).toEqual(['agent/T-1', 'agent/T-2'])
    expect(differences(before, photograph(join(project.path, 'src')))).toEqual([])
  })

  it('writes prose instead of code: the task fails, the next one runs', async () => {
    const prose = 'Certainly! First you should think about what you really want.'
    await using played = await play({
      files: { ...alphabet, 'ROADMAP.md': '- [ ] T-1: Be nice\n- [ ] T-2: Add a\n' },
      answers: {
        'draft T-1': [prose],
        'repair_code T-1': [prose, prose],
        'classify T-1': [prose, prose],
        'draft T-2': [letterFiles(0)],
      },
    })
    const { project, model, result } = played
    expect(result.code, result.stderr).toBe(1)
    expect(model.asked()).toHaveLength(6)
    expect(outcomes(project)).toEqual({ 'T-1': 'failed', 'T-2': 'done' })
  })

  it('refuses the key: wrong use, and nothing is lost', async () => {
    using project = createProject(files)
    const refusal = { kind: 'status', status: 401, message: 'Incorrect key' } as const
    await using model = await startModel({
      'draft T-1': [letterFiles(0)],
      'draft T-2': [{ fault: refusal }, letterFiles(1)],
    })
    const { code, stderr } = await project.run(['run'], model.variables)
    expect(code, stderr).toBe(2)
    expect(stderr).toContain(catalogue.model_rejected.next)
    expect(stderr).not.toContain('a-key-for-loopback')
    const again = await project.run(['run'], model.variables)
    expect(again.code, again.stderr).toBe(0)
    expect(model.asked()).toEqual(['draft T-1', 'draft T-2', 'draft T-2'])
  })
})

it('a key that the endpoint refuses ends the run before a long set-up does', async () => {
  using project = createProject({
    ...files,
    '.github/executor.yml': 'setup-command: sleep 300 && touch over\n',
  })
  const server = createServer((_, response) => response.writeHead(401).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    const { code, stderr } = await project.run(['run'], {
      OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
      ...{ OPENAI_API_KEY: '', OPENAI_MODEL: 'any' },
    })
    expect(code, stderr).toBe(2)
    expect(stderr).toContain(`127.0.0.1:${port}: answered 401 (OPENAI_API_KEY is not set)`)
  } finally {
    server.close()
  }
}, 120_000)

describe.concurrent('a limit', () => {
  it.each([
    { it: 'of tokens', args: ['--max-tokens', '900'], says: 'max-tokens' },
    { it: 'of dollars', args: ['--max-cost', '0.003', '--model', 'o3'], says: 'max-cost' },
  ])('$it ends the run with 4, and a higher one goes on', async ({ args, says }) => {
    await using played = await play({
      files: { ...alphabet, 'ROADMAP.md': letterRoadmap(3) },
      answers: letterAnswers(3),
      args,
    })
    const { project, model, result } = played
    expect(result.code, result.stderr).toBe(4)
    expect(result.stderr).toContain(says)
    const finished = model.asked().length
    expect(finished).toBeGreaterThan(0)
    expect(finished).toBeLessThan(3)
    expect(project.branches()).toHaveLength(finished)
    expect(project.report().limits.join()).toContain(says)
    if (says === 'max-tokens') expect(model.tokens()).toBeLessThanOrEqual(900)
    else expect(project.report().usage.dollars).toBeLessThanOrEqual(0.003)

    const again = await project.run(['run'], model.variables)
    expect(again.code, again.stderr).toBe(0)
    expect(model.asked()).toEqual([1, 2, 3].map((place) => `draft T-${place}`))
  })
})
