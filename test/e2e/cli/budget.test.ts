import { appendFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createProject } from './bench.ts'
import { alphabet, letterAnswers, letterRoadmap } from './letters.ts'
import { startModel } from './model.ts'

const files = { ...alphabet, 'ROADMAP.md': letterRoadmap(3) }
const config = (limits: string) => ({ '.github/executor.yml': `limits:\n${limits}` })

describe.concurrent('a limit per day', () => {
  it('counts the runs before it, says when it resets, and is resumable when it is raised', async () => {
    using project = createProject({ ...files, ...config('  tokens-per-day: 2500\n') })
    await using model = await startModel(letterAnswers(3))
    const first = await project.run(['run', '--max-tasks', '1'], model.variables)
    expect(first.code, first.stderr).toBe(0)
    expect(first.stderr).toMatch(/^Forecast: 1 open task, about [\d,]+ tokens, .*a guess/m)
    const spent = model.tokens()

    // What is left of 2,500 is not enough when most of it is gone.
    const [day] = readdirSync(join(project.path, '.executor/spending'))
    const log = join(project.path, '.executor/spending', day ?? '')
    appendFileSync(log, '\n{"at":"earlier","tokens":2200,"dollars":0}\n{"torn')
    const second = await project.run(['run'], model.variables)
    expect(second.code, second.stderr).toBe(4)
    expect(model.tokens()).toBe(spent)
    expect(second.stderr).toContain(
      'All runs of one day may use 2,500 tokens (limits.tokens-per-day)',
    )
    expect(second.stderr).toContain('It resets at 00:00 UTC.')
    expect(second.stderr).toContain('1 line cannot be read')
    expect(second.stderr).toContain(
      'Raise limits.tokens-per-day, then run again: it goes on where it stopped.',
    )
    const report = project.report()
    expect(report.tasks).toMatchObject([
      { id: 'T-1', outcome: 'done' },
      { id: 'T-2', outcome: 'budget_exceeded' },
    ])
    expect(report.limits).toEqual([
      expect.stringContaining('known only in part'),
      expect.stringContaining('limits.tokens-per-day'),
    ])

    project.put('.github/executor.yml', 'limits:\n  tokens-per-day: 900000\n')
    project.commit('more')
    const third = await project.run(['run'], model.variables)
    expect(third.code, third.stderr).toBe(0)
    expect(project.branches()).toEqual(['agent/T-1', 'agent/T-2', 'agent/T-3'])
  })
})

describe.concurrent('a limit per call', () => {
  it('ends a task and not the run', async () => {
    using project = createProject({
      ...files,
      'ROADMAP.md': `- [ ] T-1: Add \`a\`\n  - ${'It is the first of all letters. '.repeat(400)}\n- [ ] T-2: Add \`a\`\n  - Files: \`src/a.js\`, \`test/a.test.js\`\n`,
      ...config('  tokens-per-call: 1800\n'),
    })
    const [answer = []] = Object.values(letterAnswers(1))
    await using model = await startModel({ 'draft T-2': answer })
    const { code, stderr } = await project.run(['run'], model.variables)
    expect(code, stderr).toBe(4)
    expect(stderr).toContain('ROADMAP.md has 1 warning: executor lint shows them.')
    expect(model.asked()).toEqual(['draft T-2'])
    const { tasks, limits, preview } = project.report()
    expect(tasks.map(({ outcome }) => outcome)).toEqual(['budget_exceeded', 'done'])
    expect(limits).toEqual([expect.stringContaining('One request may use 1,800 tokens')])
    expect(preview).toMatchObject({ tasks: 2, warnings: 1 })
  })
})
