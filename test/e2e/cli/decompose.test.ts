import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createProject } from './bench.ts'
import { alphabet, letterFiles } from './letters.ts'
import { file, startModel } from './model.ts'
import { outcomes, ownTree } from './scenario.ts'

const roadmap = `# Letters

- [ ] T-1: Add \`a\` and \`b\`, each in a file of its own
- [ ] T-2: Add \`c\`
  - Depends on: T-1
`
const broken = file('src/a.js', 'export const a = () => {\n')
const plan = JSON.stringify({
  files: ['src/a.js', 'src/b.js'],
  complexity: 'high',
  steps: ['write a', 'write b'],
})
const planOf = (letter: string) =>
  JSON.stringify({
    files: [`src/${letter}.js`, `test/${letter}.test.js`],
    complexity: 'low',
    steps: [`write ${letter}`],
  })
const parts = JSON.stringify([
  { title: 'Add `a`, which is start and a', files: ['src/a.js', 'test/a.test.js'] },
  { title: 'Add `b`, which is a and b', files: ['src/b.js', 'test/b.test.js'] },
])
const failing = {
  'plan T-1': [plan],
  'draft T-1': [broken],
  'repair_code T-1': [broken, broken],
}
const good = {
  'recover T-1': ['[{"title": "Add it"}]', parts],
  'plan T-1-a': [planOf('a')],
  'draft T-1-a': [letterFiles(0)],
  'plan T-1-b': [planOf('b')],
  'draft T-1-b': [letterFiles(1)],
  'plan T-2': [planOf('c')],
  'draft T-2': [letterFiles(2)],
}

describe.concurrent('a task that a plan calls complex and that keeps failing', () => {
  it('is split, and the parts are done in its place, each once', async () => {
    using project = createProject({ ...alphabet, 'ROADMAP.md': roadmap })
    const own = ownTree(project)
    await using model = await startModel({ ...failing, ...good })
    const args = ['run', '--enable-planning', '--approval-mode', 'auto']
    const { code, stderr } = await project.run(args, model.variables)
    expect(code, stderr).toBe(0)
    expect(model.asked()).toEqual([
      'plan T-1',
      'draft T-1',
      'repair_code T-1',
      'repair_code T-1',
      'recover T-1',
      'recover T-1',
      ...['T-1-a', 'T-1-b', 'T-2'].flatMap((id) => [`plan ${id}`, `draft ${id}`]),
    ])
    expect(outcomes(project)).toEqual({
      'T-1': 'replaced',
      'T-1-a': 'done',
      'T-1-b': 'done',
      'T-2': 'done',
    })
    expect(stderr).toContain('split into T-1-a, T-1-b')
    expect(project.report().recoveries).toMatchObject([
      { taskId: 'T-1', decision: 'approved', proposal: { strategy: 'DECOMPOSE' } },
    ])
    expect(project.git('rev-parse', 'agent/T-1-a~1')).toBe(
      project.git('rev-parse', 'executor/recovery/T-1'),
    )
    const after = project.show('agent/T-2', 'ROADMAP.md') ?? ''
    expect(after).toContain('<!-- executor: decompose T-1 at ')
    expect(after.match(/- \[x\] T-[\w-]+/g)).toEqual(['- [x] T-1-a', '- [x] T-1-b', '- [x] T-2'])
    expect(project.show('executor/recovery/T-1', 'src/a.js')).toBeNull()
    expect(ownTree(project).files).toEqual(own.files)

    const again = await project.run(args, model.variables)
    expect(again.code, again.stderr).toBe(0)
    project.git('merge', '--quiet', '--ff-only', 'agent/T-2')
    for (const branch of project.branches()) project.git('branch', '--delete', '--force', branch)
    const merged = await project.run(args, model.variables)
    expect(merged.code, merged.stderr).toBe(0)
    expect(model.asked()).toHaveLength(12)
  })

  it('waits where a split must be approved, and other tasks go on', async () => {
    using project = createProject({
      ...alphabet,
      'ROADMAP.md': `${roadmap}- [ ] T-3: Add \`src/other.js\`\n`,
    })
    await using model = await startModel({
      ...failing,
      'recover T-1': [parts],
      'plan T-3': [planOf('other')],
      'draft T-3': [file('src/other.js', 'export const other = 1\n')],
    })
    const args = ['run', '--enable-planning', '--approval-mode', 'approve_decompose']
    const { code, stderr } = await project.run(args, model.variables)
    expect(code, stderr).toBe(3)
    expect(outcomes(project)).toEqual({ 'T-1': 'waiting', 'T-2': 'waiting', 'T-3': 'done' })
    expect(project.git('branch', '--list', 'executor/*')).toBe('')
  })

  it('is told what it could be split into where nothing may be changed', async () => {
    using project = createProject({ ...alphabet, 'ROADMAP.md': roadmap })
    await using model = await startModel({ ...failing, 'recover T-1': [parts] })
    const { code, stderr } = await project.run(['run', '--enable-planning'], model.variables)
    expect(code, stderr).toBe(1)
    expect(stderr).toContain('Add `a`, which is start and a')
    expect(project.git('branch', '--list', 'executor/*', 'agent/*')).toBe('')
  })
})

const five = JSON.stringify(
  ['a', 'b', 'c', 'd', 'e'].map((letter) => ({
    title: `Add \`${letter}\` to the alphabet`,
    files: [`src/${letter}.js`, `test/${letter}.test.js`],
    transactional: true,
  })),
)
const parts5 = ['T-1-a', 'T-1-b', 'T-1-c', 'T-1-d', 'T-1-e']
const allOrNone = {
  ...failing,
  'recover T-1': [five],
  'plan T-1-a': [planOf('a'), planOf('a')],
  'draft T-1-a': [letterFiles(0), letterFiles(0)],
  'plan T-1-b': [planOf('b'), planOf('b')],
  'draft T-1-b': [letterFiles(1), letterFiles(1)],
  'plan T-1-c': [planOf('c'), planOf('c')],
  'draft T-1-c': [file('src/c.js', 'export const c = () => {\n'), letterFiles(2)],
  'repair_code T-1-c': Array.from({ length: 2 }, () =>
    file('src/c.js', 'export const c = () => {\n'),
  ),
  'classify T-1-c': ['{"reason": "unknown", "explanation": "It stays wrong."}'],
  'plan T-1-d': [planOf('d')],
  'draft T-1-d': [letterFiles(3)],
  'plan T-1-e': [planOf('e')],
  'draft T-1-e': [letterFiles(4)],
}

describe.concurrent('of five parts that belong together the third fails', () => {
  const args = ['run', '--enable-planning', '--approval-mode', 'auto']
  const lost = {
    'T-1': 'replaced',
    'T-1-a': 'rolled_back',
    'T-1-b': 'rolled_back',
    'T-1-c': 'failed',
    'T-1-d': 'waiting',
    'T-1-e': 'waiting',
  }

  it('the first two are rolled back; a run that finds this half done ends it; naming one does all', async () => {
    using project = createProject({
      ...alphabet,
      'ROADMAP.md': '# Letters\n\n- [ ] T-1: Add `a` to `e`, each in a file of its own\n',
    })
    await using model = await startModel(allOrNone)
    const first = await project.run(args, model.variables)
    expect(first.code, first.stderr).toBe(1)
    expect(outcomes(project)).toEqual(lost)
    expect(project.show('executor/recovery/T-1', 'ROADMAP.md')).toMatch(
      /T-1-e: .*\n(?: {2}- .*\n)*? {2}- \*\*Together\*\*: T-1\n/,
    )
    const report = readFileSync(join(project.path, '.executor/report.md'), 'utf8')
    expect(report).toContain('T-1-c failed, and they belong together')
    for (const id of ['T-1-a', 'T-1-b']) {
      const [tip] = project.log(`agent/${id}~1..agent/${id}`)
      expect(tip?.trailers).toMatchObject({
        'Executor-Outcome': 'rolled-back',
        'Executor-Cause': expect.stringMatching(/^T-1-c [0-9a-f]{64}$/),
      })
    }
    expect(project.show('agent/T-1-a', 'src/a.js')).toBeNull()
    expect(project.show('agent/T-1-b', 'src/b.js')).toBeNull()
    const replayed = await project.run(['replay', 'last', '--verify', 'skip'])
    expect(replayed.code, replayed.stdout).toBe(0)
    // A person merges the split.
    project.git('merge', '--quiet', '--ff-only', 'executor/recovery/T-1')
    const status = await project.run(['status', '--json'])
    expect(status.stdout).toContain('"status": "rolled_back"')

    const tips = () => ['a', 'b'].map((part) => project.show(`agent/T-1-${part}`, `src/${part}.js`))
    const asked = model.asked().length
    project.git('update-ref', 'refs/heads/agent/T-1-a', 'agent/T-1-a~1')
    rmSync(join(project.path, '.executor'), { recursive: true })
    expect(tips()[0]).not.toBeNull()
    await project.run(args, model.variables)
    expect(tips()).toEqual([null, null])
    const { 'T-1': _, ...left } = lost
    expect(outcomes(project)).toMatchObject(left)
    const heads = project.git('for-each-ref')
    await project.run(args, model.variables)
    expect(project.git('for-each-ref')).toBe(heads)
    expect(model.asked()).toHaveLength(asked)

    const all = await project.run([...args, '--task', 'T-1-b'], model.variables)
    expect(all.code, all.stderr).toBe(0)
    expect(outcomes(project)).toMatchObject(Object.fromEntries(parts5.map((id) => [id, 'done'])))
    expect(project.show('agent/T-1-e', 'src/a.js')).not.toBeNull()
  })
})
