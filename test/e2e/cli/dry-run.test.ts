import { describe, expect, it } from 'vitest'
import { createProject } from './bench.ts'
import { javascript } from './languages.ts'
import { alphabet, letterRoadmap } from './letters.ts'
import { differences, photograph } from './look-at-disk.ts'
import { startModel } from './model.ts'

const files = { ...alphabet, 'ROADMAP.md': letterRoadmap(3) }

describe.concurrent('a dry run', () => {
  it.each([
    { how: 'as people see it', args: [] },
    { how: 'with a price', args: ['--model', 'gpt-4o-mini'] },
    { how: 'of one task', args: ['--task', 'T-1'] },
    { how: 'as JSON', args: ['--json'] },
  ])('writes nothing anywhere and asks nobody, $how', async ({ args }) => {
    using project = createProject(files)
    await using model = await startModel({})
    const before = photograph(project.root)
    const result = await project.run(['run', '--dry-run', ...args], model.variables)
    expect(differences(before, photograph(project.root)), result.stderr).toEqual([])
    expect(result.code, result.stderr).toBe(0)
    expect(model.asked()).toEqual([])
    expect(result.stderr).toMatch(/^\[DRY RUN\] T-1 Add `a` \(about \d+ tokens/m)
    expect(result.stderr).toMatch(/^\[DRY RUN\] nothing was written\. Forecast: \d+ tokens/m)
    expect(result.stderr).not.toMatch(/over budget|waits for/)
    expect(/\$0\.\d{4}/.test(result.stderr)).toBe(args.includes('gpt-4o-mini'))
    if (args.includes('--json')) {
      expect(JSON.parse(result.stdout)).toMatchObject({ dryRun: true, roadmapChanges: [] })
    } else expect(result.stdout).toBe('')
  })

  it('shows every task in its order, and needs no key', async () => {
    using project = createProject(files)
    const { code, stderr } = await project.run(['run', '--dry-run'], { OPENAI_MODEL: 'gpt-4o' })
    expect(code, stderr).toBe(0)
    const shown = [...stderr.matchAll(/^\[DRY RUN\] (T-\d) .* \(about (\d+) tokens/gm)]
    expect(shown.map(([, id]) => id)).toEqual(['T-1', 'T-2', 'T-3'])
    const sum = shown.reduce((total, [, , tokens]) => total + Number(tokens), 0)
    expect(stderr).toContain(`Forecast: ${sum} tokens`)
  })

  it('stops where a run would stop', async () => {
    using project = createProject(files)
    const args = ['run', '--dry-run', '--max-tasks', '2']
    const { code, stderr } = await project.run(args, { OPENAI_MODEL: 'm' })
    expect(code, stderr).toBe(0)
    expect([...stderr.matchAll(/^\[DRY RUN\] (T-\d)/gm)].map(([, id]) => id)).toEqual([
      'T-1',
      'T-2',
    ])
  })

  it('refuses a roadmap that a run would refuse', async () => {
    using project = createProject({
      ...javascript,
      'ROADMAP.md': '- [ ] T-1: A\n  - Depends on: T-2\n- [ ] T-2: B\n  - Depends on: T-1\n',
    })
    const before = photograph(project.root)
    const { code, stderr } = await project.run(['run', '--dry-run'], { OPENAI_MODEL: 'm' })
    expect(code, stderr).toBe(2)
    expect(stderr).toMatch(/ROADMAP\.md:\d+:\d+ /)
    expect(differences(before, photograph(project.root))).toEqual([])
  })
})
