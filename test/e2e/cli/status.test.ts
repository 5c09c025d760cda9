import { expect, it } from 'vitest'
import { createProject, type Project } from './bench.ts'
import { alphabet, letterFiles } from './letters.ts'
import { file, startModel } from './model.ts'

const roadmap = `# Letters

- [ ] T-1: Add a script that clears the folder it is given
  - Files: \`scripts/clear.sh\`
- [ ] T-2: Break the tests
  - Files: \`src/start.js\`
- [ ] T-3: Add \`a\`
  - Files: \`src/a.js\`
- [ ] T-4: Sing
  - Depends on: T-3
`

const clears = file('scripts/clear.sh', '#!/bin/sh\nset -eu\nrm -rf "$1"\n')
const breaks = file('src/start.js', "export const start = () => 'broken'\n")
const never = { text: letterFiles(0), fault: { kind: 'slow', seconds: 600 } } as const

async function statusOf(project: Project) {
  const { stdout } = await project.run(['status', '--json'])
  const { tasks, run } = JSON.parse(stdout)
  return { run, tasks: new Map(tasks.map((task: { id: string }) => [task.id, task])) }
}

it('says why a task failed, how to answer one that waits, and since when one is worked on', async () => {
  using project = createProject({
    ...alphabet,
    'ROADMAP.md': roadmap,
    '.github/executor.yml': 'limits: { test-repairs: 0 }\n',
  })
  await using model = await startModel({
    'draft T-1': [clears],
    'draft T-2': [breaks],
    'draft T-3': [never],
  })
  const args = ['run', '--no-recovery', '--stack', 'none']
  const running = project.start(args, model.variables)
  await model.whenAsked('draft T-3')
  const during = await statusOf(project)
  expect(during.tasks.get('T-3')).toMatchObject({
    status: 'running',
    since: expect.stringMatching(/^\d{4}-/),
    reason: expect.stringMatching(/^step "execute task", process \d+ on /),
  })
  expect((await project.run(['status'])).stderr).toMatch(/^Running: run-\S+, process \d+ on /m)
  running.process.kill('SIGKILL')
  await running.ended

  const after = await statusOf(project)
  expect([...after.tasks.values()]).toMatchObject([
    {
      status: 'waiting',
      reason: expect.stringMatching(/destructive operations: .*clear\.sh:3.* is in .*T-1\.md/),
      next: 'Answer at a terminal: executor run --task T-1',
    },
    {
      status: 'failed',
      reason: expect.stringMatching(/^0 of 1 test passes after 1 try: .*T-2\.md\.$/),
      next: 'Reword the task or remove the cause, then: executor run --task T-2',
    },
    { status: 'interrupted', next: 'executor run resumes it.' },
    { status: 'pending', reason: 'after T-3' },
  ])
  const people = await project.run(['status'])
  expect(people.stdout).toMatch(/^✖ T-2 +failed +Break the tests\n {4}\S.*\n {4}→ Reword/m)
  expect(people.stderr).toMatch(/^0 of 4 done, 1 waiting, 1 failed, 1 interrupted; base main /)
  expect(people.stderr).toMatch(/^Last run: run-\S+, interrupted, started /m)

  // No price is known for this model.
  const { stdout } = await project.run(['history'])
  expect(stdout).toMatch(/^Started.*\n.* T-3 .* – .*\n(?:.* unknown .*\n){2}$/)

  project.put('ROADMAP.md', roadmap.replace('Break the tests', 'Fix the tests'))
  project.commit()
  expect((await statusOf(project)).tasks.get('T-2')).toMatchObject({ status: 'pending' })
})

it('says that finished work conflicts with the base, where, and what to do', async () => {
  using project = createProject({
    ...alphabet,
    'src/words.js': "export const hello = () => 'hello'\n",
    'ROADMAP.md':
      '- [ ] T-1: Say hi in `src/words.js`\n- [ ] T-2: Add `src/a.js`\n  - Depends on: T-1\n',
  })
  const says = (word: string) => `export const hello = () => '${word}'\n`
  await using model = await startModel({ 'draft T-1': [file('src/words.js', says('hi'))] })
  const first = await project.run(['run', '--task', 'T-1'], model.variables)
  expect(first.code, first.stderr).toBe(0)
  project.put('src/words.js', says('good day'))
  project.commit('Say good day')

  const reason = 'agent/T-1 conflicts with main in src/words.js: git rebase main agent/T-1'
  const { tasks } = await statusOf(project)
  const next = 'Resolve it: git rebase main agent/T-1'
  expect(tasks.get('T-1')).toMatchObject({ status: 'waiting', reason, next })
  const second = await project.run(['run'], model.variables)
  expect(second.code, second.stderr).toBe(3)
  expect(second.stderr).toContain(reason)
  expect(model.asked()).toEqual(['draft T-1'])

  project.git('-c', 'core.editor=true', 'rebase', '-q', '-X', 'theirs', 'main', 'agent/T-1')
  project.git('switch', '-q', 'main')
  expect((await statusOf(project)).tasks.get('T-1')).toMatchObject({ status: 'done' })
})
