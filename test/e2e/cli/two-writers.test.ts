/** Somebody pushes to the branch of a task while the executor works on it, in a repository without a forge. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createProject, type Files, type Project } from './bench.ts'
import { alphabet, letterFiles, letterRoadmap } from './letters.ts'
import { type Answers, type Model, startModel } from './model.ts'

const files = { ...alphabet, 'ROADMAP.md': letterRoadmap(2) }

/** A person's commit on `agent/T-1`, which leaves the user's tree on main. */
function pushTheirs(project: Project, changed: Files): string {
  project.git('switch', '--quiet', '--create', 'agent/T-1', 'main')
  for (const [path, text] of Object.entries(changed)) project.put(path, text)
  const sha = project.commit('Start the alphabet <!-- hidden --> @ada #1')
  project.git('switch', '--quiet', 'main')
  return sha
}

interface Met extends AsyncDisposable {
  readonly project: Project
  readonly model: Model
  readonly theirs: string
  /** The ref that keeps ours. */
  readonly ref: string
  readonly stderr: string
}

/** The first run: their commit comes while the model thinks. */
async function meet(changed: Files, more: Answers = {}): Promise<Met> {
  const project = createProject(files)
  let theirs = ''
  const meanwhile = () => {
    theirs = pushTheirs(project, changed)
  }
  const model = await startModel({
    'draft T-2': [letterFiles(1)],
    ...more,
    'draft T-1': [{ text: letterFiles(0), meanwhile }, ...(more['draft T-1'] ?? [])],
  })
  const { code, stderr } = await project.run(['run'], model.variables)
  expect(code, stderr).toBe(3)
  const ref = project.git('for-each-ref', '--format=%(refname)', 'refs/executor/kept')
  const close = async () => {
    await model[Symbol.asyncDispose]()
    project[Symbol.dispose]()
  }
  return { project, model, theirs, ref, stderr, [Symbol.asyncDispose]: close }
}

const reportOf = ({ path }: Project): string =>
  readFileSync(join(path, '.executor/report.md'), 'utf8')

const noConflict = { 'src/theirs.js': 'export const theirs = 1\n' }
const conflict = { 'src/a.js': "export const a = () => 'a'\n" }

describe.concurrent('a person pushes in mid-run', () => {
  it('without a conflict: both changes are told, ours is kept, and a merge by hand ends well', async () => {
    await using met = await meet(noConflict)
    const { project, model, theirs, ref, stderr } = met
    const ours = project.git('rev-parse', ref)
    expect(project.git('rev-parse', 'agent/T-1')).toBe(theirs)
    expect(project.show(ref, 'src/a.js')).toContain('export const a')
    for (const said of [stderr, reportOf(project)]) {
      expect(said).toContain(theirs.slice(0, 7))
      expect(said).toMatch(/src\/theirs\.js`? \+1 −0/)
      expect(said).toMatch(/src\/a\.js`? \+3 −0/)
      expect(said).toContain('git merges them without a conflict')
      expect(said).toContain(`git show ${ref}`)
      expect(said).toContain(`git merge ${ref}`)
    }
    expect(reportOf(project)).not.toMatch(/<!--|@ada|#1/)
    const { stdout } = await project.run(['status'])
    expect(stdout).toContain(`ours, ${ours.slice(0, 7)}, is kept: git show ${ref}`)

    project.git('switch', '--quiet', 'agent/T-1')
    project.git('merge', '--quiet', '--no-edit', ref)
    project.git('switch', '--quiet', 'main')
    const next = await project.run(['run'], model.variables)
    expect(next.code, next.stderr).toBe(0)
    expect(model.asked()).toEqual(['draft T-1', 'draft T-2'])
    expect(project.show('agent/T-2', 'src/theirs.js')).toBe(noConflict['src/theirs.js'])
    expect(project.git('for-each-ref', 'refs/executor/kept')).toBe('')
  })

  it('with a conflict: the conflicting lines are shown, and a rebase by hand ends well', async () => {
    await using met = await meet(conflict)
    const { project, model, theirs, ref, stderr } = met
    for (const said of [stderr, reportOf(project)]) {
      expect(said).toMatch(/they conflict in `?src\/a\.js/)
      expect(said).toMatch(/<<<<<<< theirs\n *export const a = \(\) => 'a'\n *=======\n/)
      expect(said).toContain(`git cherry-pick ${ref}`)
    }
    project.git('switch', '--quiet', 'agent/T-1')
    expect(() => project.git('cherry-pick', ref)).toThrow()
    project.put('src/a.js', "export const a = () => 'a' // both\n")
    project.git('add', '--all')
    project.git('-c', 'core.editor=true', 'cherry-pick', '--continue')
    project.git('switch', '--quiet', 'main')
    const next = await project.run(['run', '--max-tasks', '1'], model.variables)
    expect(model.asked()).toEqual(['draft T-1', 'draft T-2'])
    expect(project.todos(), next.stderr).toEqual({ 'T-1': 'completed', 'T-2': 'completed' })
    project.git('merge-base', '--is-ancestor', theirs, 'agent/T-2')
    expect(project.show('agent/T-2', 'src/a.js')).toContain('// both')
    expect(project.git('for-each-ref', 'refs/executor/kept')).toBe('')
  })

  it('and nobody decides: nothing is done twice, and nothing is built on either', async () => {
    await using met = await meet(noConflict)
    const { project, model, theirs, ref } = met
    const again = await project.run(['run'], model.variables)
    expect(again.code, again.stderr).toBe(3)
    expect(model.asked()).toEqual(['draft T-1'])
    expect(project.report().tasks).toMatchObject([
      { id: 'T-1', outcome: 'waiting', reason: expect.stringContaining(`git show ${ref}`) },
      { id: 'T-2', outcome: 'waiting', reason: 'waits for T-1' },
    ])
    expect(project.git('rev-parse', 'agent/T-1')).toBe(theirs)
  })

  it('and asks for the task again: it is done on top of theirs', async () => {
    await using met = await meet(noConflict, { 'draft T-1': [letterFiles(0)] })
    const { project, model, theirs } = met
    const again = await project.run(['run', '--task', 'T-1'], model.variables)
    expect(again.code, again.stderr).toBe(0)
    expect(project.git('rev-parse', 'agent/T-1^')).toBe(theirs)
    expect(project.show('agent/T-1', 'src/theirs.js')).toBe(noConflict['src/theirs.js'])
    expect(project.git('for-each-ref', 'refs/executor/kept')).toBe('')
    const after = await project.run(['run'], model.variables)
    expect(after.code, after.stderr).toBe(0)
    expect(model.asked()).toEqual(['draft T-1', 'draft T-1', 'draft T-2'])
  })
})
