import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { WorkspaceReport } from '../../../src/publish/report/workspace-report.ts'
import { createProject, leftovers, type Project } from './bench.ts'
import { alphabet } from './letters.ts'
import { type Answers, file, startModel } from './model.ts'
import { ownTree } from './scenario.ts'

/** A task that adds a constant, by its id and what it needs. */
const item = (id: string, name: string, needs?: string) =>
  `- [ ] ${id}: Add \`${name}\`\n  - **Files**: \`src/${name}.js\`\n${needs === undefined ? '' : `  - **Depends on**: ${needs}\n`}`

const roadmap = (...items: readonly string[]) => ({
  ...alphabet,
  'ROADMAP.md': `# Work\n\n${items.join('')}`,
})
const constant = (name: string) => file(`src/${name}.js`, `export const ${name} = 1\n`)
const broken = (name: string) => file(`src/${name}.js`, `export const ${name} = \n`)

/** Two repositories that need one another, and the file that names them. */
async function open(
  answers: Answers,
  sets = '',
  [apiTasks, webTasks]: readonly (readonly string[])[] = zigzag,
) {
  const api = createProject(roadmap(...(apiTasks ?? [])), 'api')
  const web = createProject(roadmap(...(webTasks ?? [])), 'web')
  const path = join(api.root, 'workspace.yml')
  writeFileSync(path, `repositories: { web: ${web.path}, api: ./api }\n${sets}`)
  const model = await startModel(answers)
  const close = async () => {
    await model[Symbol.asyncDispose]()
    for (const project of [api, web]) project[Symbol.dispose]()
  }
  const workspace = (...args: readonly string[]) =>
    api.run(['workspace', ...args], model.variables, { directory: api.root })
  const report = async (...args: readonly string[]): Promise<WorkspaceReport> =>
    JSON.parse((await workspace(...args, '--json')).stdout)
  return { api, web, model, workspace, report, [Symbol.asyncDispose]: close }
}

const zigzag = [
  [item('T-1', 'one'), item('T-4', 'four', 'web:T-2')],
  [item('T-2', 'two', 'api:T-1'), item('T-3', 'three', 'T-2, api:T-4')],
] as const

const unknown = '{"reason": "unknown", "explanation": "It stays wrong."}'

const answersFor = (names: Readonly<Record<string, string>>): Answers =>
  Object.fromEntries(Object.entries(names).map(([id, name]) => [`draft ${id}`, [constant(name)]]))
const all = answersFor({ 'T-1': 'one', 'T-2': 'two', 'T-3': 'three', 'T-4': 'four' })

const outcomes = ({ tasks }: WorkspaceReport) =>
  Object.fromEntries(tasks.map(({ id, outcome }) => [id, outcome]))

function checkEnd(api: Project, web: Project) {
  expect(api.branches()).toEqual(['agent/T-1', 'agent/T-4'])
  expect(web.branches()).toEqual(['agent/T-2', 'agent/T-3'])
  for (const [project, top] of [
    [api, 'agent/T-4'],
    [web, 'agent/T-3'],
  ] as const) {
    expect(project.log(`main..${top}`)).toHaveLength(2)
    expect(leftovers(project)).toEqual([])
  }
}

describe.concurrent('a workspace', () => {
  it('runs two repositories that need one another as one', async () => {
    await using opened = await open(all)
    const { api, web, model, workspace, report } = opened
    const own = [api, web].map(ownTree)
    const before = await report('plan')
    expect(before.tasks.map(({ id, outcome, reason }) => [id, outcome, reason])).toEqual([
      ['web:T-2', 'waiting', 'waits for api:T-1'],
      ['web:T-3', 'waiting', 'waits for api:T-4'],
      ['api:T-1', 'ready', ''],
      ['api:T-4', 'waiting', 'waits for web:T-2'],
    ])
    const { code, stderr } = await workspace('run')
    expect(code, stderr).toBe(0)
    expect(model.asked()).toEqual(['draft T-1', 'draft T-2', 'draft T-4', 'draft T-3'])
    checkEnd(api, web)
    expect([api, web].map(ownTree)).toEqual(own)
    expect(stderr).toContain('web:T-3 done on agent/T-3')
    expect(await report('run')).toMatchObject({ done: 4, open: 0, failed: 0, tokens: 0 })
    expect(model.asked()).toHaveLength(4)
  })

  it('leaves a task that needs another repository, in a run of its own', async () => {
    await using opened = await open({})
    const { web, model } = opened
    const { code, stderr } = await web.run(['run'], model.variables)
    expect(code, stderr).toBe(3)
    expect(stderr).toContain('waits for api:T-1, in another repository: executor workspace run')
    expect(model.asked()).toEqual([])
  })

  const sets = 'sets: { pay: { tasks: [api:T-1, web:T-2], atomic: true } }\n'
  it('says of an atomic set whose second part fails that the first must not be merged', async () => {
    const bad = { text: broken('two') }
    const answers = {
      ...all,
      'draft T-2': [bad],
      'repair_code T-2': [bad, bad],
      'classify T-2': [unknown],
    }
    await using opened = await open(answers, sets)
    const { api, web, workspace, report } = opened
    const { code, stderr } = await workspace('run')
    expect(code, stderr).toBe(1)
    expect(stderr).toContain(
      'set pay: broken. web:T-2 failed. Do not merge api:T-1: executor workspace rollback pay takes them back.',
    )
    expect(outcomes(await report('plan'))).toMatchObject({
      'api:T-1': 'done',
      'api:T-4': 'waiting',
    })
    expect([api.branches(), web.branches()]).toEqual([['agent/T-1'], []])
  })

  it('takes a set back, the last repository first', async () => {
    await using opened = await open(all, sets, [
      [item('T-1', 'one')],
      [item('T-2', 'two', 'api:T-1')],
    ])
    const { api, web, workspace, report } = opened
    expect(await report('run')).toMatchObject({
      done: 2,
      sets: [{ status: 'complete', advice: 'Merge them in this order: api:T-1, web:T-2.' }],
    })
    const { code, stderr } = await workspace('rollback', 'pay', '--yes')
    expect(code, stderr).toBe(0)
    expect(stderr.indexOf('web:T-2')).toBeLessThan(stderr.indexOf('api:T-1'))
    for (const [project, branch] of [
      [api, 'agent/T-1'],
      [web, 'agent/T-2'],
    ] as const) {
      const left = project.branches().includes(branch)
      expect(left ? project.git('diff', '--name-only', 'main', branch) : '').toBe('')
    }
  })

  it('resumes after a kill, and pays for nothing twice', async () => {
    const slow = { text: constant('two'), fault: { kind: 'slow', seconds: 600 } } as const
    await using opened = await open({
      ...all,
      'draft T-2': [slow, constant('two')],
    })
    const { api, web, model, workspace } = opened
    const { ended, process } = api.start(['workspace', 'run'], model.variables, {
      directory: api.root,
    })
    await model.whenAsked('draft T-2')
    process.kill('SIGKILL')
    expect((await ended).code).toBe(-1)
    expect(api.branches()).toEqual(['agent/T-1'])
    const { code, stderr } = await workspace('run')
    expect(code, stderr).toBe(0)
    expect(model.asked()).toEqual(['draft T-1', 'draft T-2', 'draft T-2', 'draft T-4', 'draft T-3'])
    checkEnd(api, web)
  })

  it('shares one budget', async () => {
    await using opened = await open(all)
    const { api, web, model, workspace } = opened
    const { code, stderr } = await workspace('run', '--max-tokens', '1200')
    expect(code, stderr).toBe(4)
    expect(model.tokens()).toBeLessThanOrEqual(1200)
    expect([...api.branches(), ...web.branches()].length).toBeLessThan(4)
  })

  it.each([
    ['no file', [], 'There is no', 'repositories: { api: ../api'],
    ['an unknown set', ['rollback', 'nothing', '--yes'], 'neither a set of', 'Sets: pay'],
  ] as const)('explains %s', async (_, args, what, next) => {
    await using opened = await open({}, sets)
    const { workspace, web, model } = opened
    const run =
      args.length > 0
        ? await workspace(...args)
        : await web.run(['workspace', 'plan'], model.variables)
    expect(run.code).toBe(2)
    expect(run.stderr).toContain(what)
    expect(run.stderr).toContain(next)
  })
})
