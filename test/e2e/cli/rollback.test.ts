import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Project } from './bench.ts'
import { alphabet, letterAnswers, letterRoadmap } from './letters.ts'
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
  expect(alone.stderr).toContain('T-2 would be left standing on what is taken back')
  const unasked = await rollBack(project, 'last')
  expect(unasked.code).toBe(2)
  expect(unasked.stderr).toContain('Nobody can be asked here: add --yes')
  expect((await rollBack(project, 'run-1999', '--yes')).stderr).toContain('run-1999 is none: run-')
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
  expect(again.stderr).toContain('is left to take back')

  git('checkout', '--quiet', '--force', 'main')
  const next = await project.run(['run', '--verify-mode', 'skip'], model.variables)
  expect(next.code, next.stderr).toBe(0)
  expect(sourcesAt(project, 'agent/T-2')).toBe('src/a.js\nsrc/b.js\nsrc/start.js')
})
