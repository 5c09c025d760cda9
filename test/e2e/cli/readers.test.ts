import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeDollars } from '../../../src/publish/report/describe-verification.ts'
import { createProject } from './bench.ts'
import { javascript } from './languages.ts'
import { alphabet, letterAnswers, letterRoadmap } from './letters.ts'
import { differences, photograph } from './look-at-disk.ts'
import { startModel } from './model.ts'

const roadmap = `# Letters

## Phase 1: Vowels

- [x] T-1: Add a
- [ ] T-2: Add e
  - Files: \`src/e.js\`
  - Depends on: T-1
  - [ ] and a test
- [ ] T-3: Add i
  - Depends on: T-2
`
const files = { ...alphabet, 'ROADMAP.md': roadmap }

describe.concurrent('parse', () => {
  it('prints tasks and problems as JSON', async () => {
    using project = createProject(files)
    const { code, stdout, stderr } = await project.run(['parse', 'ROADMAP.md', '--json'])
    expect(code, stderr).toBe(0)
    const { tasks, problems } = JSON.parse(stdout)
    expect(problems).toEqual([])
    expect(tasks).toMatchObject([
      { id: 'T-1', title: 'Add a', status: 'done', line: 5 },
      {
        id: 'T-2',
        title: 'Add e',
        status: 'pending',
        line: 6,
        endLine: 9,
        files: ['src/e.js'],
        dependsOn: ['T-1'],
        headings: ['Letters', 'Phase 1: Vowels'],
        subtasks: [{ title: 'and a test', status: 'pending', line: 9 }],
        accept: [],
      },
      { id: 'T-3', dependsOn: ['T-2'] },
    ])
    expect(tasks[1].fingerprint).toMatch(/^[0-9a-f]{64}$/)
  })

  it('reads standard input, and has errors with their place', async () => {
    using project = createProject(files)
    const twice = '- [ ] T-1: A\n- [ ] T-1: B\n'
    const { code, stdout } = await project.run(['parse', '-', '--json'], {}, { input: twice })
    expect(code).toBe(1)
    expect(JSON.parse(stdout).problems).toMatchObject([
      { severity: 'error', line: 2, column: expect.any(Number), fix: expect.any(String) },
    ])
  })
})

describe.concurrent('validate', () => {
  it.each([
    { path: 'a.js', text: 'export const a = (\n', language: 'javascript', valid: false },
    { path: 'a.ts', text: 'export const a: number = 1\n', language: 'typescript', valid: true },
    { path: 'a.py', text: 'def a(:\n    pass\n', language: 'python', valid: false },
    { path: 'a.json', text: '{"a": 1,}', language: 'json', valid: false },
    { path: 'a.yml', text: 'a: [1\n', language: 'yaml', valid: false },
  ])('$path from standard input: $valid', async ({ path, text, language, valid }) => {
    using project = createProject(files)
    const args = ['validate', '-', '--path', path, '--json']
    const { code, stdout, stderr } = await project.run(args, {}, { input: text })
    expect(code, stderr).toBe(valid ? 0 : 1)
    const [report] = JSON.parse(stdout)
    expect(report).toMatchObject({ path, language, valid, checked: true })
    expect(report.problems.length > 0).toBe(!valid)
    for (const problem of report.problems) {
      expect(problem).toEqual({
        type: expect.any(String),
        message: expect.any(String),
        line: expect.any(Number),
        column: expect.any(Number),
      })
    }
  })

  it('files by name, good and bad', async () => {
    using project = createProject({ ...files, 'bad.js': 'const\n', 'what.xyz': '?' })
    const given = ['src/start.js', 'bad.js', 'what.xyz']
    const { code, stdout } = await project.run(['validate', ...given, '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject([
      { path: 'src/start.js', valid: true, checked: true },
      { path: 'bad.js', valid: false, checked: true, problems: [{ type: 'syntax', line: 1 }] },
      { path: 'what.xyz', valid: true, checked: false },
    ])
    expect((await project.run(['validate', 'src/start.js'])).stdout).toContain('ok')
  })
})

describe.concurrent('plan', () => {
  it('shows order, groups and a forecast', async () => {
    using project = createProject(files)
    const before = photograph(project.path)
    const { code, stdout, stderr } = await project.run(['plan', '--json'], {
      OPENAI_MODEL: 'gpt-4o-mini',
    })
    expect(code, stderr).toBe(0)
    const plan = JSON.parse(stdout)
    expect(plan.tasks).toMatchObject([{ id: 'T-2' }, { id: 'T-3', dependsOn: ['T-2'] }])
    expect(plan.groups).toEqual([['T-2'], ['T-3']])
    expect(plan.forecast.tokens).toBeGreaterThan(0)
    expect(plan.forecast.dollars).toBeGreaterThan(0)
    expect(differences(before, photograph(project.path))).toEqual([])
    const people = await project.run(['plan'])
    expect(people.stdout).toMatch(/Group 1\n +T-2 .*\nGroup 2\n +T-3 .*after T-2/)
    expect(people.stderr).toContain('2 open tasks')
  })

  it('refuses a roadmap with a circle', async () => {
    const circle = '- [ ] T-1: A\n  - Depends on: T-2\n- [ ] T-2: B\n  - Depends on: T-1\n'
    using project = createProject({ ...javascript, 'ROADMAP.md': circle })
    const { code, stderr } = await project.run(['plan'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/ROADMAP\.md:\d+:\d+/)
  })
})

describe.concurrent('context', () => {
  const many = Object.fromEntries(
    Array.from({ length: 70 }, (_, index) => [
      `src/other-${index}.js`,
      `import { start } from './start.js'\nexport const other${index} = start\n`,
    ]),
  )
  const unnamed = { ...files, 'ROADMAP.md': '- [ ] T-1: Sort the pigeonholes by owner\n' }
  const holes = 'export function sortPigeonholes(owners) {\n  return owners\n}\n'

  it('shows what a prompt would hold, why, and its tokens, and writes nothing for a small project', async () => {
    using project = createProject({ ...unnamed, 'src/holes.js': holes })
    const before = photograph(project.path)
    const { code, stdout, stderr } = await project.run(['context', 'T-1', '--json'])
    expect(code, stderr).toBe(0)
    const { parts, tokens, status } = JSON.parse(stdout)
    expect(status).toBe('built')
    expect(parts).toContainEqual({
      ...{ part: 'file', path: 'src/holes.js', whole: true, tokens: expect.any(Number) },
      why: "it holds the task's words",
    })
    const sum = parts.reduce((all: number, part: { tokens: number }) => all + part.tokens, 0)
    expect(sum).toBe(tokens)
    expect(differences(before, photograph(project.path))).toEqual([])
  })

  it('shows the text above the task', async () => {
    const roadmap = '## Holes\n\nEach owner has one.\n\n- [ ] T-1: Sort the pigeonholes by owner\n'
    using project = createProject({ ...files, 'ROADMAP.md': roadmap })
    const { stdout } = await project.run(['context', 'T-1', '--json'])
    expect(JSON.parse(stdout).parts).toContainEqual({
      ...{ part: 'section', path: null, whole: true, tokens: expect.any(Number) },
      why: 'the text above the task',
    })
  })

  it('has the budget of the way that strategy: auto takes', async () => {
    using project = createProject({
      ...{ ...unnamed, 'src/holes.js': holes, '.github/executor.yml': 'strategy: auto\n' },
    })
    const { stderr } = await project.run(['context', 'T-1'])
    // A task that names no file has a loop of tools, which repeats the context in each request.
    expect(stderr).toContain('the context may hold 6,000.')
  })

  it('makes the index of a larger project, and nothing else', async () => {
    using project = createProject({ ...unnamed, ...many, 'src/holes.js': holes })
    const before = photograph(project.path)
    const { code, stdout, stderr } = await project.run(['context', 'T-1'])
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/src\/holes\.js {2}it holds sort, pigeonhole, owner/)
    expect(stderr).toMatch(/About [\d,]+ tokens; the context may hold 12,000\./)
    for (const each of differences(before, photograph(project.path))) {
      expect(each).toMatch(/\.executor(?:\/index\.db)?\b|^\.git(?:\/info(?:\/exclude)?)?\b/)
    }
    expect(project.git('status', '--porcelain')).toBe('')
  })

  it.each([
    [['context', 'T-9'], 'The roadmap has no task T-9.'],
    [['context'], "missing required argument 'task'"],
  ])('%j says what is wrong', async (args, message) => {
    using project = createProject(files)
    const { code, stdout, stderr } = await project.run(args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
  })
})

describe.concurrent('status and report', () => {
  it('tell what a run has done', async () => {
    using project = createProject({ ...alphabet, 'ROADMAP.md': letterRoadmap(3) })
    await using model = await startModel(letterAnswers(2))
    await project.run(['run', '--max-tasks', '2', '--model', 'gpt-4o'], model.variables)
    const status = await project.run(['status', '--json'])
    expect(status.code, status.stderr).toBe(0)
    expect(JSON.parse(status.stdout).tasks).toMatchObject([
      { id: 'T-1', status: 'done', branch: 'agent/T-1' },
      { id: 'T-2', status: 'done', branch: 'agent/T-2' },
      { id: 'T-3', status: 'pending', branch: null },
    ])
    expect((await project.run(['status'])).stderr).toContain('2 of 3 done')
    const past = await project.run(['history'])
    expect(past.stdout).toMatch(/T-2 .*\n.*T-1 /)
    expect(past.stderr).toBe('')

    const json = await project.run(['report', '--json'])
    expect(JSON.parse(json.stdout)).toEqual(project.report())
    const people = await project.run(['report'])
    expect(people.stdout).toContain(project.report().runId)
    const { tasks, nodes, usage } = project.report()
    for (const { id, attempts, repairs, tokens, cost, seconds } of tasks) {
      const figures = `${attempts} | ${repairs} | ${tokens} | ${describeDollars(cost)} | ${seconds.toFixed(1)} s |`
      const row = people.stdout.split('\n').find((line) => line.startsWith(`| **${id}**`))
      expect(row?.endsWith(figures), `${row} lacks ${figures}`).toBe(true)
    }
    for (const { node, calls, tokens, share, cost, seconds } of nodes) {
      const row = `| ${node} | ${calls} | ${tokens} | ${share.toFixed(1)} % | ${describeDollars(cost)} | ${seconds.toFixed(2)} s |`
      expect(people.stdout).toContain(row)
    }
    expect(people.stdout).toContain(`${model.tokens()} tokens in ${usage.requests} requests`)
    expect(usage.requests).toBe(model.asked().length)
    const html = await project.run(['report', '--html'])
    expect(readFileSync(html.stdout.trim(), 'utf8')).toMatch(/<!doctype html>/i)
  })
})

describe.concurrent('commands about the set-up', () => {
  it('graph draws the table', async () => {
    using project = createProject(files)
    const { code, stdout } = await project.run(['graph'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^(---\n[\s\S]*?---\n)?(flowchart|graph|stateDiagram)/)
    for (const node of ['parse_roadmap', 'repair_code', 'generate_report']) {
      expect(stdout).toContain(node)
    }
  })

  it('config check shows where each setting comes from', async () => {
    using project = createProject({ ...files, '.github/executor.yml': 'max-tasks: 3\n' })
    const { code, stdout } = await project.run(['config', 'check', '--json'], {
      OPENAI_MODEL: 'm',
    })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      valid: true,
      settings: { limits: { tasks: 3 }, model: { name: 'm' } },
      origins: { 'max-tasks': 'file', model: 'environment' },
    })
    const people = await project.run(['config', 'check'], {
      OPENAI_MODEL: 'm',
      OPENAI_API_KEY: 'k-1',
    })
    expect(people.stdout).toMatch(
      /^Changed\n {2}model: m +OPENAI_MODEL\n {2}max-tasks: 3 +\.github\/executor\.yml\n\nDefaults\n {2}enabled: true\n/,
    )
    expect(people.stdout).toMatch(/^ {2}max-cost: no limit$/m)
    expect(people.stdout).toMatch(/^ {2}test-command: detected$/m)
    expect(people.stdout).toMatch(/Secrets\n {2}OPENAI_API_KEY: set\n {2}GITHUB_TOKEN: not set\n$/)
    expect(people.stdout).not.toContain('k-1')
    expect(people.stderr).toContain('executor.yml is valid.')
    project.put('.github/executor.yml', '# max-tasks: 3\n')
    const empty = await project.run(['config', 'check'])
    expect(empty.stderr).toContain('executor.yml is valid and changes nothing.')
    using bare = createProject(files)
    const none = await bare.run(['config', 'check'])
    expect(none.stderr).toContain('There is no .github/executor.yml; executor init writes one.')
    project.put('.github/executor.yml', 'max-tasks: 3\nmax-taks: 4\n')
    const wrong = await project.run(['config', 'check'])
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toMatch(/executor\.yml:2:1 .*max-taks[\s\S]*max-tasks/)
  })

  it('doctor tries everything out', async () => {
    using project = createProject(files)
    await using model = await startModel({ 'doctor undefined': ['ok'] })
    const before = photograph(project.path)
    const well = await project.run(['doctor'], model.variables)
    expect(well.code, well.stdout).toBe(0)
    expect(well.stdout).toMatch(/✔ writing +the repository's folder, git's folder, the cache/)
    expect(well.stdout).toMatch(/✔ roadmap .*2 of 3 tasks open/)
    expect(well.stdout).toMatch(/✔ model .*answers \(/)
    expect(well.stdout).toMatch(/[✔!] sandbox .*a test ran in/)
    expect(model.asked()).toEqual(['doctor undefined'])
    // The file that it wrote in git's folder is gone, but the folder's time is another one.
    expect(differences(before, photograph(project.path))).toEqual(['.git'])
    const uncalled = await project.run(['doctor', '--no-model'], model.variables)
    expect(uncalled.stdout).toMatch(/✖ model .*has no model scripted\n.*It lists script/)
    expect(model.asked()).toHaveLength(1)
    const named = await project.run(
      ['doctor', '--model', 'script', '--base-url', model.variables.OPENAI_BASE_URL ?? ''],
      { OPENAI_API_KEY: 'k' },
    )
    expect(named.stdout).toMatch(/✖ model .* for script: it answered 400/)
    const ill = await project.run(['doctor'], {
      ...model.variables,
      OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
    })
    expect(ill.code).toBe(2)
    expect(ill.stdout).toMatch(/✖ model .*\n.*--base-url/)
    project.put('PLAN.md', '- [ ] T-1: A\n')
    const early = await project.run(['doctor'], { ...model.variables, EXECUTOR_ROADMAP: 'PLAN.md' })
    expect(early.stdout).toMatch(
      /✖ roadmap +PLAN\.md is not committed yet.*\n +Commit it: git add PLAN\.md/,
    )
  })

  it('init writes what is missing, and plan works before a commit and after it', async () => {
    using project = createProject(alphabet)
    const first = await project.run(['init', '--model', 'my-model'])
    expect(first.code, first.stderr).toBe(0)
    expect(project.git('status', '--porcelain', '-uall').split('\n')).toEqual([
      '?? .github/executor.yml',
      '?? .github/workflows/executor.yml',
      '?? ROADMAP.md',
    ])
    const early = await project.run(['plan'])
    expect(early.code, early.stderr).toBe(0)
    expect(early.stderr).toContain('ROADMAP.md is not committed yet')
    const written = photograph(project.path)
    const again = await project.run(['init'])
    expect(again.code).toBe(0)
    expect(again.stderr).not.toContain('wrote')
    expect(differences(written, photograph(project.path))).toEqual([])
    project.commit('Add a roadmap')
    const plan = await project.run(['plan'])
    expect(plan.code, plan.stderr).toBe(0)
    expect(plan.stdout).toContain('T-1')
    expect(plan.stderr).not.toContain('not committed')
    expect((await project.run(['config', 'check'])).code).toBe(0)
    expect(readFileSync(join(project.path, '.github/executor.yml'), 'utf8')).toContain('my-model')
  })

  it('init takes the list that is there, and the Action of a fork', async () => {
    using project = createProject({ 'TODO.md': '- [ ] Sing\n- [x] Dance\n', 'a.py': 'x = 1\n' })
    const { code, stderr } = await project.run(['init', '--action', 'me/fork@v1', '--yes'])
    expect(code, stderr).toBe(0)
    expect(stderr).toContain('TODO.md, 1 open task of 2')
    expect(stderr).toContain('export OPENAI_API_KEY=')
    expect(project.git('status', '--porcelain', '-uall')).not.toContain('ROADMAP.md')
    const written = (path: string) => readFileSync(join(project.path, path), 'utf8')
    expect(written('.github/workflows/executor.yml')).toContain('uses: me/fork@v1\n')
    expect((await project.run(['plan'])).stdout).toContain('Sing')
  })

  it.each([
    [
      'a file in the place of a folder',
      { '.github': 'x' },
      [],
      /\.github\/workflows: a file is in the place of a folder/,
    ],
    ['an Action that none can be', {}, ['--action', 'fork'], /owner\/repo@ref/],
    ['a shape that there is not', {}, ['--workflow', 'weekly'], /full, nightly/],
  ])('init names the problem: %s', async (_, more, args, what) => {
    using project = createProject({ ...files, ...more })
    const { code, stderr } = await project.run(['init', ...args])
    expect(code, stderr).toBe(2)
    expect(stderr).toMatch(what)
    expect(stderr).toMatch(/^next /m)
  })

  it.each([
    [['--help'], /Exit codes/],
    [['run', '--help'], /Examples/],
    [['--version'], /^\d+\.\d+\.\d+$/m],
  ])('%j', async (args, text) => {
    using project = createProject({})
    const { code, stdout } = await project.run(args)
    expect(code).toBe(0)
    expect(stdout).toMatch(text)
  })
})

describe.concurrent('memory', () => {
  it('shows the fixes that worked, forgets them when told, and says which', async () => {
    using project = createProject(files)
    const said = { worked: 2, failed: 1, failedInARow: 0 }
    const about = { type: 'missing_dependency', strategy: 'correct_command', ...said }
    const signature = 'missing_dependency | pytst | pytst: not found'
    const at = new Date().toISOString()
    const fix = { signature, ...about, fix: 'python3 -m pytest', at }
    const hostile = { ...fix, signature: 'h', fix: 'pytest \u001b[2J' }
    mkdirSync(join(project.path, '.executor'))
    writeFileSync(
      join(project.path, '.executor/memory.json'),
      JSON.stringify({ version: 1, fixes: [fix, hostile] }),
    )
    const told = await project.run(['memory'])
    expect(told.stdout).toMatch(/^[0-9a-f]{8} {2}missing_dependency +worked 2, failed 1/)
    expect(told.stdout).toContain('→ python3 -m pytest')
    expect(told.stdout).not.toContain('\u001b')
    const { stdout } = await project.run(['memory', '--json'])
    const [known] = JSON.parse(stdout).fixes
    expect(JSON.parse(stdout)).toEqual({ facts: [], fixes: [{ id: known.id, ...fix }] })
    const unknown = await project.run(['memory', 'forget', known.id, '0123abcd'])
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('0123abcd') })
    const cleared = await project.run(['memory', 'clear'])
    expect(cleared).toMatchObject({ code: 0, stderr: expect.stringContaining('1 entry forgotten') })
    expect(cleared.stdout).toContain('python3 -m pytest')
    const after = await project.run(['memory', 'clear', '--json'])
    expect(JSON.parse(after.stdout)).toEqual({ removed: [] })
  })

  it('shows what each task made, with its commit and its time, and forgets or corrects it', async () => {
    await using model = await startModel(letterAnswers(2))
    using project = createProject({ ...alphabet, 'ROADMAP.md': letterRoadmap(2) })
    expect((await project.run(['run'], model.variables)).code).toBe(0)
    const { stdout, stderr } = await project.run(['memory'])
    const head = project.git('rev-parse', '--short=7', 'agent/T-1')
    expect(stdout).toMatch(
      new RegExp(
        `^[0-9a-f]{8}  made +T-1 at ${head}  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d\\n  src/a.js: a\\(\\)$`,
        'm',
      ),
    )
    expect(stdout).toContain('  test/b.test.js: imports ../src/b.js, passed by npm test\n')
    expect(stderr).toContain('4 facts and 0 fixes remembered')
    const idsOf = async () => {
      const { facts } = JSON.parse((await project.run(['memory', '--json'])).stdout)
      return facts.map(({ id }: { readonly id: string }) => id)
    }
    const [first, ...others] = await idsOf()
    expect((await project.run(['memory', 'forget', first])).stdout).toContain('src/a.js: a()')
    expect(await idsOf()).toEqual(others)
    const edit = (editor: string) => project.run(['memory', 'edit'], { EDITOR: editor })
    const changed = await edit("sed -i -e 's/imports/obeys/'")
    expect(changed).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Nothing was changed'),
    })
    expect(await idsOf()).toEqual(others)
    expect((await edit("sed -i -e '$ d'")).stderr).toContain('1 entry forgotten, 0 fixes corrected')
    expect(await idsOf()).toEqual(others.slice(0, -1))
    expect((await project.run(['memory', 'clear'])).stderr).toContain('forgotten')
    expect(await idsOf()).toEqual([])
  })

  it('corrects a fix in the editor', async () => {
    using project = createProject(files)
    const said = { worked: 2, failed: 1, failedInARow: 0, at: new Date().toISOString() }
    const about = { type: 'missing_dependency', strategy: 'correct_command', ...said }
    const fix = { signature: 'pytst: not found', ...about, fix: 'python3 -m pytst' }
    mkdirSync(join(project.path, '.executor'))
    writeFileSync(
      join(project.path, '.executor/memory.json'),
      JSON.stringify({ version: 1, fixes: [fix] }),
    )
    const edited = await project.run(['memory', 'edit'], {
      EDITOR: "sed -i -e 's/-m pytst/-m pytest/'",
    })
    expect(edited).toMatchObject({ code: 0, stderr: expect.stringContaining('1 fix corrected') })
    expect((await project.run(['memory'])).stdout).toContain('→ python3 -m pytest')
  })
})
