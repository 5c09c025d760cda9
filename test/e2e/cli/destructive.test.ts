import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { alphabet } from './letters.ts'
import { file } from './model.ts'
import { outcomes, play, type Scenario } from './scenario.ts'

const script = '#!/bin/sh\nset -eu\nrm -rf "$1"\n'

const scenario: Scenario = {
  files: {
    ...alphabet,
    'ROADMAP.md': `# Letters

- [ ] T-1: Add a script that clears the folder it is given
  - Files: \`scripts/clear.sh\`
`,
  },
  answers: { 'draft T-1': [file('scripts/clear.sh', script)] },
}

describe.concurrent('a change with destructive operations', () => {
  it.each([
    ['in the default mode', []],
    ['with --approval-mode auto', ['--approval-mode', 'auto']],
    ['with --pause-destructive', ['--pause-destructive']],
  ])('waits for a person, and nothing of it is written: %s', async (_, args) => {
    await using played = await play({ ...scenario, args })
    const { project, model, result } = played
    expect(result.code, result.stderr).toBe(3)
    expect(model.asked()).toEqual(['draft T-1'])
    expect(project.branches()).toEqual([])
    expect(outcomes(project)).toEqual({ 'T-1': 'waiting' })
    expect(result.stderr).toContain('1 filesystem (scripts/clear.sh:3 `rm -rf "$1"`)')
    expect(result.stderr).toContain('Run the same command at a terminal to decide')
    expect(project.report()).toMatchObject({
      tasks: [{ reason: expect.stringContaining('scripts/clear.sh:3') }],
      destructive: [
        {
          taskId: 'T-1',
          decision: 'waiting',
          operations: [
            { path: 'scripts/clear.sh', line: 3, category: 'filesystem', operation: 'rm -rf "$1"' },
          ],
          patch: expect.stringContaining('+rm -rf "$1"'),
        },
      ],
    })
    expect(project.report().nodes.map(({ node }) => node)).not.toContain('write_files')
    expect(existsSync(join(project.path, '.executor/attempts/T-1.md'))).toBe(true)
  })

  it('is written, tested and committed with --no-pause-destructive, and listed', async () => {
    await using played = await play({ ...scenario, args: ['--no-pause-destructive'] })
    const { project, result } = played
    expect(result.code, result.stderr).toBe(0)
    expect(project.show('agent/T-1', 'scripts/clear.sh')).toBe(script)
    expect(project.report().destructive).toMatchObject([
      { decision: 'approved', by: 'pause-destructive: false' },
    ])
  })

  it('waits on, and is written later as it is, without another word to the model', async () => {
    await using played = await play(scenario)
    const { project, model } = played
    const again = await project.run(['run'], model.variables)
    expect(again.code, again.stderr).toBe(3)
    const last = await project.run(['run', '--no-pause-destructive'], model.variables)
    expect(last.code, last.stderr).toBe(0)
    expect(model.asked()).toEqual(['draft T-1'])
    expect(project.show('agent/T-1', 'scripts/clear.sh')).toBe(script)
    expect(project.report().usage.requests).toBe(0)
  })

  it('is no reason to wait when it only speaks of them', async () => {
    const harmless = '#!/bin/sh\n# never rm -rf "$1"\necho "would run: rm -rf $1"\n'
    await using played = await play({
      ...scenario,
      answers: { 'draft T-1': [file('scripts/clear.sh', harmless)] },
    })
    expect(played.result.code, played.result.stderr).toBe(0)
    expect(played.project.report().destructive).toEqual([])
  })
})
