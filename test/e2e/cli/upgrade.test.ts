import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createProject, type Project } from './bench.ts'
import { type Answers, file, startModel } from './model.ts'
import { outcomes } from './scenario.ts'

/**
 * What the version with schema 2, whose state had no groups, left behind: T-1 is done on its branch, T-2 waits for a
 * person's word, with the whole change in the state. Recorded from that version's own bundle.
 */
const left = fileURLToPath(new URL('./fixtures/schema-2', import.meta.url))
const script = '#!/bin/sh\nset -eu\nrm -rf "$1"\n'

function leftRepository(): Project {
  const project = createProject({})
  project.git(
    'fetch',
    '--quiet',
    join(left, 'repository.bundle'),
    'refs/heads/*:refs/heads/*',
    '-u',
  )
  project.git('reset', '--quiet', '--hard', 'main')
  cpSync(join(left, 'executor'), join(project.path, '.executor'), { recursive: true })
  return project
}

const stateOf = (project: Project) => join(project.path, '.executor/state.json')

async function play(project: Project, args: readonly string[], answers: Answers = {}) {
  await using model = await startModel(answers)
  const result = await project.run(args, model.variables)
  return { result, asked: model.asked() }
}

describe.concurrent('a repository that an earlier version left', () => {
  it('goes on where it was: nothing is asked, done or committed twice', async () => {
    using project = leftRepository()
    const done = project.git('rev-parse', 'agent/T-1')
    const waiting = await play(project, ['run'])
    expect(waiting.result.code, waiting.result.stderr).toBe(3)
    const approved = await play(project, ['run', '--no-pause-destructive'])
    expect(approved.result.code, approved.result.stderr).toBe(0)
    expect([...waiting.asked, ...approved.asked]).toEqual([])
    expect(outcomes(project)).toEqual({ 'T-1': 'done', 'T-2': 'done' })
    expect(project.git('rev-parse', 'agent/T-1')).toBe(done)
    expect(project.show('agent/T-2', 'scripts/clear.sh')).toBe(script)
    expect(JSON.parse(readFileSync(stateOf(project), 'utf8'))).toMatchObject({
      version: 3,
      progress: { next: 'END' },
      tasks: { parked: {} },
    })
  })

  it('has its run replayed, from how it began as that version wrote it', async () => {
    using project = leftRepository()
    const { runId } = JSON.parse(readFileSync(stateOf(project), 'utf8'))
    const { result, asked } = await play(project, ['replay', runId, '--verify', 'skip'])
    // This version asks for whole files, so its requests differ; every step ends as it did.
    expect(result.code, result.stderr).toBe(1)
    const told = `${result.stdout}${result.stderr}`
    expect(told.match(/^≠ .*$/gm)?.map((line) => line.split(/\s+/)[1])).toEqual([
      'execute_task',
      'execute_task',
    ])
    expect(told).toMatch(/^✔ await_approval +T-2 +waiting$/m)
    expect(asked).toEqual([])
  })

  it.each([1, 99])(
    'of schema %i is set aside and said, and what is done stays done',
    async (version) => {
      using project = leftRepository()
      for (const name of ['state.json', 'state.previous.json']) {
        const path = join(project.path, '.executor', name)
        const state = JSON.parse(readFileSync(path, 'utf8'))
        writeFileSync(path, JSON.stringify({ ...state, version }))
      }
      const saved = readFileSync(stateOf(project), 'utf8')
      const done = project.git('rev-parse', 'agent/T-1')
      const { result, asked } = await play(project, ['run'], {
        'draft T-2': [file('scripts/clear.sh', script)],
      })
      expect(result.code, result.stderr).toBe(3)
      expect(asked).toEqual(['draft T-2'])
      expect(project.git('rev-parse', 'agent/T-1')).toBe(done)
      expect(result.stderr).toContain(
        `Another version of executor left the saved state, so it is not used: state.json: it has schema ${version}; this version reads schemas 2 and 3 (kept as state.json.unread-1).`,
      )
      const kept = join(project.path, '.executor/state.json.unread-1')
      expect(readFileSync(kept, 'utf8')).toBe(saved)
      expect(
        readdirSync(join(project.path, '.executor')).some((each) => each.includes('corrupt')),
      ).toBe(false)
    },
  )
})
