import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Project } from './bench.ts'
import { alphabet, letterAnswers, letterFiles, letterRoadmap } from './letters.ts'
import { ownTree, play } from './scenario.ts'

const twice = (answers: ReturnType<typeof letterAnswers>) =>
  Object.fromEntries(Object.entries(answers).map(([key, texts]) => [key, [...texts, ...texts]]))

/** Rolls back, and sees that nothing of the user's changed. */
async function rollBack(project: Project, ...args: readonly string[]) {
  const before = ownTree(project)
  const result = await project.run(['rollback', ...args])
  expect(ownTree(project), result.stderr).toEqual(before)
  return result
}

/** So many files that only an index finds the one that the first task is about. */
const crowd = Object.fromEntries([
  ...Array.from({ length: 70 }, (_, at) => [`lib/${at}.js`, `export const n = ${at}\n`]),
  ['zoo/keeper.js', "export const order = 'The alphabet has letters in an order.'\n"],
])
const orderly = (roadmap: string) => roadmap.replace('`a`', '`a` to the letters of the alphabet')

const sourcesAt = ({ git }: Project, at: string) => git('ls-tree', '-r', '--name-only', at, 'src')

it('takes a run back on its branches, whatever state the checkout is in, and the next run begins anew', async () => {
  await using played = await play({
    files: { ...alphabet, 'ROADMAP.md': letterRoadmap(2) },
    answers: twice(letterAnswers(2)),
    args: ['--verify-mode', 'skip'],
  })
  const { project, model } = played
  const { git } = project
  const tips = project.branches().map((branch) => git('rev-parse', branch))

  const alone = await rollBack(project, 'T-1', '--yes')
  expect(alone.code).toBe(2)
  expect(alone.stderr).toContain('These tasks build on the work to revert: T-2.')
  expect((await rollBack(project)).stderr).toContain('Say what to revert')
  const unasked = await rollBack(project, '--last', '1')
  expect(unasked.code).toBe(2)
  expect(unasked.stderr).toContain('There is no terminal to ask at: add --yes')
  expect((await rollBack(project, 'run-1999', '--yes')).stderr).toContain(
    'There is no run run-1999. Newest first: run-',
  )
  expect(project.branches().map((branch) => git('rev-parse', branch))).toEqual(tips)

  // A dirty tree on a detached HEAD, with the newest branch checked out elsewhere, and a torn journal.
  project.put('src/start.js', 'edited\n')
  project.put('new.txt', 'x')
  git('switch', '--quiet', '--detach')
  git('worktree', 'add', '--quiet', join(project.root, 'elsewhere'), 'agent/T-2')
  const journals = join(project.path, '.executor/journal')
  for (const name of readdirSync(journals)) {
    const text = readFileSync(join(journals, name), 'utf8')
    writeFileSync(join(journals, name), text.slice(0, text.length / 2))
    appendFileSync(join(journals, name), '\n{"kind":"stepped"}\n\0\0')
  }
  const held = await rollBack(project, 'last', '--yes', '--json')
  expect(held.code, held.stderr).toBe(1)
  const kept = { outcome: 'left', detail: expect.stringContaining('is checked out in') }
  expect(JSON.parse(held.stdout).operations).toMatchObject([
    { kind: 'revert', task: 'T-2', ...kept },
    { kind: 'revert', task: 'T-1', branch: 'agent/T-1', key: tips[0], outcome: 'done' },
  ])
  expect(git('rev-parse', 'agent/T-2')).toBe(tips[1])
  git('worktree', 'remove', join(project.root, 'elsewhere'))

  const rest = await rollBack(project, 'last', '--yes')
  expect(rest.code, rest.stderr).toBe(0)
  expect(sourcesAt(project, 'agent/T-1')).toBe('src/start.js')
  expect(sourcesAt(project, 'agent/T-2')).toBe('src/a.js\nsrc/start.js')
  for (const [place, branch] of project.branches().entries()) {
    const [tip] = project.log(`${branch}~1..${branch}`)
    expect(tip?.parent).toBe(tips[place])
    expect(tip?.trailers).toEqual({
      'Executor-Run': project.report().runId,
      'Executor-Task': `T-${place + 1}`,
      'Executor-Attempt': '1',
      'Executor-Outcome': 'rolled-back',
      'Executor-Reverts': tips[place],
    })
  }
  const again = await rollBack(project, 'last', '--yes')
  expect(again.code).toBe(0)
  expect(again.stderr).toContain('is left to revert')

  git('checkout', '--quiet', '--force', 'main')
  const next = await project.run(['run', '--verify-mode', 'skip'], model.variables)
  expect(next.code, next.stderr).toBe(0)
  expect(sourcesAt(project, 'agent/T-2')).toBe('src/a.js\nsrc/b.js\nsrc/start.js')
})

it('replays a run offline, and says where a changed prompt or a lost answer departs', async () => {
  const message = "This model's maximum context length is 3000 tokens."
  await using played = await play({
    files: { ...alphabet, ...crowd, 'ROADMAP.md': orderly(letterRoadmap(2)) },
    answers: {
      ...letterAnswers(2),
      'draft T-1': [{ fault: { kind: 'status', status: 400, message } }, letterFiles(0)],
    },
  })
  const { project, model } = played
  const { git } = project
  // What is more than the model can read is asked for with less, and a replay hears the same.
  expect(model.asked()).toEqual(['draft T-1', 'draft T-1', 'draft T-2'])
  await model[Symbol.asyncDispose]()
  const refs = git('for-each-ref')
  const [name = ''] = readdirSync(join(project.path, '.executor/journal'))
  const journal = join(project.path, '.executor/journal', name)
  const text = readFileSync(journal, 'utf8')

  const listed = await project.run(['replay'])
  expect(listed.stdout).toContain(project.report().runId)
  const same = await project.run(['replay', 'last', '--json'])
  expect(same.code, same.stderr).toBe(0)
  expect(JSON.parse(same.stdout)).toMatchObject({ status: 'same', run: project.report().runId })
  expect(git('for-each-ref')).toBe(refs)
  expect(readFileSync(journal, 'utf8')).toBe(text)

  const lines = text.split('\n')
  const isAnswer = (task: string) => (line: string) =>
    line.includes('"kind":"answered"') && line.includes(`"task":"${task}"`)
  const replayed = async (now: readonly string[]) => {
    writeFileSync(journal, now.join('\n'))
    return project.run(['replay', 'last', '--verify', 'skip'])
  }
  // As if the prompt had been another when it was recorded.
  const asked = await replayed(
    lines.map((line) =>
      isAnswer('T-1')(line)
        ? line
            .replace(/"hash":"./, '"hash":"-')
            .replace(/("outline":\["[0-9a-f]{8})[0-9a-f]{4}/, '$1zzzz')
        : line,
    ),
  )
  expect(asked.code, asked.stderr).toBe(1)
  expect(asked.stderr).toMatch(
    /≠ execute_task .*drafted\n +message 1 \(system\), from line 3: 1 lines/,
  )
  expect(asked.stderr).toContain('✔ checkpoint')
  const dropped = await replayed(lines.filter((line) => !isAnswer('T-2')(line)))
  expect(dropped.code, dropped.stderr).toBe(1)
  expect(dropped.stderr).toMatch(/✖ execute_task +T-2 +unavailable; recorded: drafted/)
  const answerless = await replayed(lines.filter((line) => !line.includes('"answered"')))
  expect(answerless.code).toBe(2)
  expect(answerless.stderr).toContain("no longer has the model's answers")
})
