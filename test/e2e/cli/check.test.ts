import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CheckReport } from '../../../src/runs/check/check-report.ts'
import { createProject, type Files, leftovers, type Project } from './bench.ts'
import { differences, photograph } from './look-at-disk.ts'

const start: Files = {
  'package.json': '{"type": "module", "scripts": {"test": "node --test"}}\n',
  'ROADMAP.md':
    '- [ ] T-1: Subtract in `src/sub.js`\n  - **Files**: `src/sub.js`\n  - **Accept**: `node src/sub.js`\n',
  'src/add.js': 'export const add = (a, b) => a + b\n',
  'test/add.test.js':
    "import assert from 'node:assert'\nimport { test } from 'node:test'\nimport { add } from '../src/add.js'\ntest('adds', () => assert.equal(add(1, 2), 3))\n",
}
const source: Files = { 'src/sub.js': 'export const sub = (a, b) => a - b\n' }
const tests: Files = {
  'test/sub.test.js':
    "import assert from 'node:assert'\nimport { test } from 'node:test'\nimport { sub } from '../src/sub.js'\ntest('subtracts', () => assert.equal(sub(3, 1), 2))\n",
}

/** The project with a change on a branch; `main` is checked out. */
function withBranch(files: Files): Project {
  const project = createProject(start)
  project.git('switch', '--quiet', '--create', 'feature')
  for (const [path, text] of Object.entries(files)) project.put(path, text)
  project.commit('Subtract')
  project.git('switch', '--quiet', 'main')
  return project
}

const patchOf = (project: Project): string =>
  `${project.git('diff', '--binary', 'main', 'feature')}\n`

async function check(project: Project, args: readonly string[], input = '') {
  const { code, stdout, stderr } = await project.run(['check', ...args, '--json'], {}, { input })
  expect(stdout, stderr).toMatch(/^\{/)
  const report: CheckReport = JSON.parse(stdout)
  const findings = report.findings.map(
    ({ path, line, rule, severity }) => `${path}:${line} ${severity} ${rule}`,
  )
  return { code, report, findings }
}

describe.concurrent('check', () => {
  it('passes a branch whose new test fails without it, and touches nothing', async () => {
    using project = withBranch({ ...source, ...tests })
    project.put('unfinished.js', 'work of the user\n')
    const before = photograph(project.path)
    const { code, stdout, stderr } = await project.run(['check', 'feature'])
    expect(code, stdout + stderr).toBe(0)
    expect(stdout).toMatch(/^✔ Passed, proven: feature on main \(\w{10}\), 2 files \(\+5 -0\)\n/)
    expect(stdout).toContain('2 passed, 0 failed (before: 1 passed, 0 failed)')
    expect(stdout).toContain('`subtracts`')
    expect(differences(before, photograph(project.path))).toEqual([])
  })

  it('says with what a set-up failed', async () => {
    using project = withBranch({
      ...{ ...source, ...tests },
      'package.json':
        '{"type": "module", "scripts": {"test": "node --test"}, "dependencies": {"p": "1.0.0"}}\n',
      'package-lock.json': '{"lockfileVersion": 3, "packages": {"": {}}}\n',
      '.npmrc': 'offline=true\n',
    })
    const { code, stdout, stderr } = await project.run(['check', 'feature'])
    expect(code, stderr).toBe(1)
    expect(stdout).toMatch(/not-run npm ci failed: exit code 1\. It said: .*only-if-cached/)
    expect(stderr).toContain('  installing dependencies (npm ci) …\n')
  })

  it('stops when it is told to', async () => {
    using project = withBranch({
      ...source,
      'test/sub.test.js':
        "import { test } from 'node:test'\ntest('waits', () => new Promise(() => setInterval(() => {}, 9999)))\n",
    })
    const { ended, process } = project.start(['check', 'feature'])
    const said = once(process.stderr ?? process, 'data')
    expect(String(await said)).toContain('Checking')
    process.kill('SIGINT')
    const { code, stderr } = await ended
    expect([code, leftovers(project)]).toEqual([4, []])
    expect(stderr).toContain('Stopping the check. Press Ctrl-C again to stop at once.')
  })

  it('reads results in colours', async () => {
    const runner = String.raw`import { existsSync } from 'node:fs'
console.log('  \x1b[32m1 passing\x1b[0m \x1b[90m(3ms)\x1b[0m')
if (existsSync('src/sub.js')) {
  console.log('  \x1b[31m1 failing\x1b[0m\n\n  1) \x1b[31msubtracts\x1b[0m:')
  console.log('     \x1b[31mError: no\x1b[0m\n      at \x1b[90mfile://' + process.cwd() + '/\x1b[39m\x1b[4mtest/add.test.js\x1b[24m:4:1')
  process.exitCode = 1
}
`
    using project = createProject({
      ...start,
      'package.json': '{"type": "module", "scripts": {"test": "node run.js"}}\n',
      'run.js': runner,
    })
    project.git('switch', '--quiet', '--create', 'feature')
    project.put('src/sub.js', source['src/sub.js'] ?? '')
    project.commit('Subtract')
    project.git('switch', '--quiet', 'main')
    const { code, report, findings } = await check(project, ['feature'])
    expect(code).toBe(1)
    expect(findings).toEqual(['test/add.test.js:4 error failed-test'])
    expect(report.receipt?.after).toEqual({ passed: 1, failed: 1, skipped: 0 })
  })

  it('fails a change whose source was left out, as a branch and as a patch', async () => {
    using project = withBranch(tests)
    const branch = await check(project, ['feature'])
    expect(branch.code).toBe(1)
    expect(branch.findings).toEqual(
      ['test/sub.test.js:3 error import'].concat(branch.findings.slice(1)),
    )
    expect(branch.report.receipt?.result).toBe('failed')
    const patch = await check(project, ['-'], patchOf(project))
    expect(patch.report).toEqual({
      ...branch.report,
      ...{ change: '-', head: null, receipt: expect.objectContaining({ result: 'failed' }) },
    })
    expect(patch.code).toBe(1)
  })

  it('blames no change for a test that was red before, and does not pass it either', async () => {
    const red = `${start['test/add.test.js']}test('is exact', () => assert.equal(add(0.1, 0.2), 0.3))\n`
    using project = createProject({ ...start, 'test/add.test.js': red })
    project.git('switch', '--quiet', '--create', 'feature')
    project.put('src/add.js', 'export const add = (a, b) => b + a\n')
    project.commit('Turn it round')
    project.git('switch', '--quiet', 'main')
    const { code, report, findings } = await check(project, ['feature'])
    expect([code, report.result, findings]).toEqual([
      ...[1, 'unverified'],
      ['test/add.test.js:5 warning still-red'],
    ])
    expect((await project.run(['check', 'feature'])).stdout).toContain(
      'Nothing got worse, but this change is not proven: 1 test of its files failed before it and still fails.',
    )
  })

  it('takes a patch from a file, onto another base, and names what does not apply', async () => {
    using project = withBranch({ ...source, ...tests })
    writeFileSync(join(project.root, 'p.diff'), patchOf(project))
    expect((await check(project, ['../p.diff'])).code).toBe(0)
    const twice = await check(project, ['../p.diff', '--base', 'feature'])
    expect(twice.code).toBe(1)
    expect(twice.report.receipt).toBeNull()
    expect(twice.findings).toEqual(['src/sub.js:0 error patch', 'test/sub.test.js:0 error patch'])
  })

  it('starts at the merge base, whatever the default branch got since', async () => {
    using project = withBranch({ ...source, ...tests })
    const first = project.git('rev-parse', 'main')
    project.put('src/add.js', 'export const add = () => 0\n')
    project.commit('Break everything')
    const { code, report } = await check(project, ['feature'])
    expect(code).toBe(0)
    expect(report.base).toEqual({ name: 'main', sha: first })
  })

  it('takes the two ends of a range as git diff does', async () => {
    using project = withBranch({ ...source, ...tests })
    const first = project.git('rev-parse', 'main')
    project.put('README.md', 'of main\n')
    project.commit('Describe')
    const tip = project.git('rev-parse', 'main')
    const head = project.git('rev-parse', 'feature')
    for (const [change, base, removed] of [
      ['main...feature', first, 0],
      ['...feature', first, 0],
      ['main..feature', tip, 1],
    ] as const) {
      const { code, report } = await check(project, [change])
      expect([code, report.change, report.base.sha, report.head]).toEqual([0, change, base, head])
      expect(report.receipt?.changed).toEqual({ files: 2 + removed, added: 5, removed })
    }
  })

  it('warns of what a writer could grant, and fails for it only with --strict', async () => {
    using project = withBranch({
      ...{ ...source, ...tests, '.github/workflows/ci.yml': 'on: push\njobs: {}\n' },
      'clean.sh': 'rm -rf "$TARGET"/\n',
    })
    const { code, findings } = await check(project, ['feature'])
    expect(code).toBe(0)
    expect(findings).toEqual([
      '.github/workflows/ci.yml:0 warning protected',
      'clean.sh:1 warning destructive',
    ])
    expect((await check(project, ['feature', '--strict'])).code).toBe(1)
  })

  it('judges scope and accept commands by the task that the base has', async () => {
    using project = withBranch({
      ...{
        'src/sub.js': 'throw new Error("no")\n',
        'src/add.js': `${start['src/add.js']}// more\n`,
      },
      'ROADMAP.md': '- [ ] T-1: Anything\n',
    })
    const { code, findings } = await check(project, ['feature', '--task', 'T-1'])
    expect(code).toBe(1)
    expect(findings).toContain('src/add.js:0 warning scope')
    expect(findings).toContain('ROADMAP.md:0 warning protected')
    expect(findings.some((each) => each.endsWith('error failed-test'))).toBe(true)
    expect((await project.run(['check', 'feature', '--task', 'T-9'])).code).toBe(2)
  })

  it('fails a change that weakens its failing test, and one that holds a key', async () => {
    using project = withBranch({
      'src/add.js': 'export const add = (a, b) => a * b\n',
      'test/add.test.js': (start['test/add.test.js'] ?? '').replace('test(', 'test.skip('),
      'src/key.js': `export const key = 'ghp_${'aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gI3kM5'}'\n`,
    })
    const { code, report, findings } = await check(project, ['feature'])
    expect(code).toBe(1)
    expect(report.result).toBe('failed')
    expect(findings).toContain('src/key.js:1 error secret')
    expect(findings.some((each) => each.endsWith('failed-test'))).toBe(true)
  })

  it('runs nothing of a change with a link', async () => {
    using project = withBranch({ ...source, ...tests })
    project.git('switch', '--quiet', 'feature')
    project.git(
      'update-index',
      '--add',
      '--cacheinfo',
      `120000,${project.git('rev-parse', 'HEAD:src/sub.js')},src/link.js`,
    )
    project.git('commit', '--quiet', '-m', 'Link')
    const { code, report, findings } = await check(project, ['HEAD'])
    expect(code).toBe(1)
    expect(findings).toEqual(['src/link.js:0 error tree', ':0 error not-run'])
    expect(report.receipt?.commands).toEqual([])
  })

  it('tests the commit itself, with pictures and modes that no text can say', async () => {
    using project = createProject(start)
    project.git('switch', '--quiet', '--create', 'feature')
    writeFileSync(join(project.path, 'logo.bin'), Buffer.from([0, 1, 255]))
    project.put(
      'src/size.js',
      "import { statSync } from 'node:fs'\nexport const size = () => statSync('logo.bin').size\n",
    )
    project.put(
      'test/size.test.js',
      (tests['test/sub.test.js'] ?? '')
        .replaceAll('sub', 'size')
        .replace('size(3, 1), 2', 'size(), 3'),
    )
    project.commit('Add a logo')
    project.git('switch', '--quiet', 'main')
    for (const [change, input] of [
      ['feature', ''],
      ['-', patchOf(project)],
    ] as const) {
      const { code, findings } = await check(project, [change], input)
      expect(findings).toEqual(['logo.bin:0 warning binary'])
      expect(code).toBe(0)
    }
  })

  it('explains wrong use', async () => {
    using project = withBranch(source)
    project.git('update-ref', 'refs/heads/--all', 'feature')
    for (const path of ['main', 'p.diff', 'feature..', 'nowhere..p']) project.put(path, 'a file\n')
    const cases: readonly (readonly [args: readonly string[], said: string, input?: string])[] = [
      [['nowhere'], 'There is no branch, commit or file nowhere.'],
      [['main'], 'main is a branch and a file: write refs/heads/main or ./main.'],
      [['refs/heads/main'], 'There is nothing to check: refs/heads/main changes no file of main.'],
      [['-'], 'Cannot read standard input as a patch: it has no diff.'],
      [['./main'], 'Cannot read ./main as a patch: it has no diff.'],
      [['src'], 'Cannot read src: a folder is in the place of a file.'],
      [
        ['feature..feature'],
        'There is nothing to check: feature..feature changes no file of feature.',
      ],
      [['feature..nowhere'], 'There is no branch or commit nowhere.'],
      [['^feature..feature'], 'There is no branch or commit ^feature.'],
      [['feature..p.diff'], 'There is no branch or commit p.diff.'],
      [['feature..'], 'feature.. is a range and a file: write ./feature...'],
      [['nowhere..p'], 'Cannot read nowhere..p as a patch: it has no diff.'],
      [
        ['feature...main', '--base', 'main'],
        'feature...main already names its base: leave out --base main.',
      ],
      [['^feature'], 'There is no branch, commit or file ^feature.'],
      [['..'], 'Cannot read ..: a folder is in the place of a file.'],
      [['refs/heads/main', '--base', 'nowhere'], 'There is no branch or commit nowhere.'],
      [['-'], 'it is larger than 16 MB', '+'.repeat(16_000_001)],
      [['-', '--json', '--sarif'], '--json and --sarif are two documents: choose one.'],
      [[], "missing required argument 'change'"],
    ]
    for (const [args, said, input = ''] of cases) {
      const { code, stdout, stderr } = await project.run(['check', ...args], {}, { input })
      expect(`${code} ${stdout}${stderr}`).toContain(said)
      expect(code).toBe(2)
    }
    expect((await project.run(['check', '--', '--all'])).stdout).toContain('--all on main')
  })
})
