import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createProject } from './bench.ts'
import { alphabet, letterAnswers, letterRoadmap } from './letters.ts'
import { differences, photograph } from './look-at-disk.ts'
import { startModel } from './model.ts'

const doubtful = `# Letters

- [ ] T-1: Make it better
- [ ] T-2: Fix \`src/strat.js\`
- [ ] T-3: Add \`src/x.js\`
  - **Budget**: 90 tokens
`
const files = { ...alphabet, 'ROADMAP.md': doubtful }

describe.concurrent('lint', () => {
  it('shows people what to mend, with place and forecast, and writes nothing', async () => {
    using project = createProject(files)
    const before = photograph(project.path)
    const variables = { OPENAI_MODEL: 'gpt-4o-mini' }
    const { code, stdout, stderr } = await project.run(['lint'], variables)
    expect(code, stderr).toBe(0)
    expect(stdout.match(/^ROADMAP\.md:\d+:\d+ \w+ [\w-]+ /gm)).toEqual([
      'ROADMAP.md:3:1 warning vague-task ',
      'ROADMAP.md:4:17 note missing-file ',
      'ROADMAP.md:6:3 warning small-budget ',
    ])
    expect(stdout).toContain('\n    Did you mean src/start.js?')
    expect(stderr).toMatch(/^ {2}T-1 +\d+ tokens \$0\.\d{4} {2}Make it better$/m)
    expect(stderr).toMatch(/^Forecast: 3 open tasks, about [\d,]+ tokens, \$0\.\d{4} \(a guess/m)
    expect(stderr).toContain('ROADMAP.md: 0 errors, 2 warnings, 1 note.')
    expect(differences(before, photograph(project.path))).toEqual([])
    expect((await project.run(['lint', '--strict'])).code).toBe(1)
  })

  it('reads the roadmap as it is on disk, from any folder', async () => {
    using project = createProject(files)
    project.put('ROADMAP.md', '- [ ] T-1: Add `a.js`\n- [ ] T-1: Add `b.js`\n')
    const directory = join(project.path, 'src')
    const { code, stdout } = await project.run(['lint'], {}, { directory })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^ROADMAP\.md:2:1 error duplicate-id /)
  })

  it('prints JSON and SARIF, also of standard input and outside a repository', async () => {
    using project = createProject({ ...files, 'docs/plan.md': '- [ ] Fix things\n' })
    const json = await project.run(['lint', 'docs/plan.md', '--json'])
    expect(JSON.parse(json.stdout)).toEqual({
      file: 'docs/plan.md',
      findings: [
        {
          rule: 'vague-task',
          severity: 'warning',
          line: 1,
          column: 1,
          message: expect.stringContaining('Fix things'),
          fix: expect.any(String),
        },
      ],
      summary: { errors: 0, warnings: 1, notes: 0 },
      forecast: {
        tasks: [
          {
            id: expect.any(String),
            title: 'Fix things',
            tokens: expect.any(Number),
            dollars: null,
          },
        ],
        tokens: expect.any(Number),
        dollars: null,
        pastTasks: 0,
      },
    })
    const outside = { directory: project.root, input: '- [ ] T-1: A\n- [ ] T-1: B\n' }
    const sarif = await project.run(['lint', '-', '--sarif'], {}, outside)
    expect(sarif.code, sarif.stderr).toBe(1)
    expect(JSON.parse(sarif.stdout)).toMatchObject({
      version: '2.1.0',
      runs: [
        { results: expect.arrayContaining([expect.objectContaining({ ruleId: 'duplicate-id' })]) },
      ],
    })
  })

  it.each([
    { args: ['lint', 'nowhere.md'], said: 'nowhere.md' },
    { args: ['lint', '--json', '--sarif'], said: 'choose one' },
    { args: ['lint', '--roadmap', '../x.md'], said: 'roadmap' },
  ])('refuses $args', async ({ args, said }) => {
    using project = createProject(files)
    const { code, stderr } = await project.run(args)
    expect(code).toBe(2)
    expect(stderr).toContain(said)
  })

  it('learns from tasks that were finished here, and so does plan', async () => {
    using project = createProject({ ...alphabet, 'ROADMAP.md': letterRoadmap(4) })
    await using model = await startModel(letterAnswers(3))
    const ran = await project.run(['run', '--max-tasks', '3'], model.variables)
    expect(ran.code, ran.stderr).toBe(0)
    const linted = JSON.parse((await project.run(['lint', '--json'])).stdout)
    expect(linted.forecast.pastTasks).toBe(3)
    const planned = JSON.parse((await project.run(['plan', '--json'])).stdout)
    expect(planned.forecast).toEqual({
      tokens: linted.forecast.tokens,
      dollars: null,
      pastTasks: 3,
    })
    expect((await project.run(['plan'])).stderr).toContain('(from 3 past tasks)')
  })
})
