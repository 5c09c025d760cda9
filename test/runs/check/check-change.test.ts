import { describe, expect, it } from 'vitest'
import type { DiffEntry } from '../../../packages/change/trees.ts'
import type { Settings } from '../../../src/core/domain/settings.ts'
import { type ChangeToCheck, checkChange } from '../../../src/runs/check/check-change.ts'
import { aTask, fakePorts, someSettings } from '../../fakes/facts.ts'
import { createMemoryWorkspace, type Files } from '../../fakes/memory-workspace.ts'
import { createScriptedSandbox, tapReport } from '../../fakes/scripted-sandbox.ts'

const files: Files = {
  'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/a.js': 'export const a = 1\n',
  'test/a.test.js': "import test from 'node:test'\n",
}
const testExpecting = (value: number) => `import assert from 'node:assert'
import test from 'node:test'
import { a } from '../src/a.js'
test('greets', () => {
  assert.equal(a, ${value})
})
`
const failure = { name: 'greets', file: 'test/a.test.js', line: 3, error: "expected 'hello'" }

const ended = (passed: number, failed: readonly (typeof failure)[] = []) => ({
  exitCode: failed.length > 0 ? 1 : 0,
  collected: new Map([['.executor-results-1.report', tapReport(passed, failed)]]),
})
const green = ended(2)
const red = ended(1, [failure])
const redTwice = ended(0, [failure, { ...failure, name: 'parts', line: 9 }])

interface Case {
  readonly start?: Files
  readonly changed: Files
  readonly task?: ChangeToCheck['task']
  readonly before?: typeof green
  readonly after?: typeof green
  readonly verify?: Partial<Settings['verify']>
  /** What git says of a file besides its text. */
  readonly entry?: Partial<DiffEntry>
}

async function check({ changed, before = green, after = green, task = null, ...given }: Case) {
  const workspace = createMemoryWorkspace({ files: given.start ?? files })
  const { base } = await workspace.refresh()
  const head = workspace.push('feature', changed)
  const sandbox = createScriptedSandbox((_, { folder }) =>
    folder.includes('baseline') ? before : after,
  )
  const settings = someSettings()
  const ports = fakePorts({
    workspace: {
      ...workspace,
      changedBetween: async (from, to) =>
        (await workspace.changedBetween(from, to)).map((entry) => ({ ...entry, ...given.entry })),
    },
    sandbox,
    syntax: { check: async () => ({ status: 'checked', problems: [] }) },
    random: { hex: (length) => 'a'.repeat(length), fraction: () => 0 },
    settings: { ...settings, verify: { ...settings.verify, ...given.verify } },
  })
  const checked = await checkChange({ base: base.sha, head, task }, ports)
  const findings = checked?.findings.map(({ rule, path, line }) => `${rule} ${path}:${line}`)
  return { checked, findings, sandbox, left: workspace.folder('check') }
}

const edit: Files = { 'src/a.js': 'export const a = 2\n' }

describe('checkChange', () => {
  it.each<[string, Case, string, readonly string[]]>([
    ['passes with green tests', { changed: edit }, 'passed', []],
    [
      'fails with a test that it breaks',
      { changed: edit, after: red },
      'failed',
      ['failed-test test/a.test.js:3'],
    ],
    [
      'proves nothing where the tests fail as before',
      {
        changed: { 'src/z.js': 'export const z = 1\n' },
        before: ended(0, [failure]),
        after: ended(0, [failure]),
      },
      'unverified',
      ['not-run :0'],
    ],
    [
      'proves nothing where a test of the changed file was red before and stays red',
      { changed: edit, before: red, after: red },
      'unverified',
      ['still-red test/a.test.js:3'],
    ],
    [
      'names such a test and the reason where tests must prove a change',
      { changed: edit, before: red, after: red, verify: { requireTests: true } },
      'failed',
      ['not-run :0', 'still-red test/a.test.js:3'],
    ],
    [
      'fails where the task names such a test',
      { changed: edit, before: red, after: red, task: aTask({ title: 'Mend `greets`' }) },
      'failed',
      ['failed-test test/a.test.js:3'],
    ],
    [
      'fails where the task names the file of such a test',
      {
        changed: edit,
        before: red,
        after: red,
        task: aTask({ files: ['src/a.js', 'test/a.test.js'] }),
      },
      'failed',
      ['failed-test test/a.test.js:3'],
    ],
    [
      'is not asked for such a test by a task that names neither',
      { changed: edit, before: red, after: red, task: aTask({ title: 'Greetings' }) },
      'unverified',
      ['still-red test/a.test.js:3'],
    ],
    [
      'fails for another test that it breaks beside such a test',
      { changed: edit, before: red, after: redTwice },
      'failed',
      ['failed-test test/a.test.js:9', 'still-red test/a.test.js:3'],
    ],
    [
      'passes with a red test of other files',
      { changed: { 'src/z.js': 'export const z = 1\n' }, before: red, after: red },
      'passed',
      [],
    ],
    [
      'fails for an error, though the tests are green',
      { changed: { 'src/b.js': 'export const b = (\n' } },
      'failed',
      ['syntax src/b.js:1'],
    ],
    [
      'passes with what a writer could grant',
      { changed: { ...edit, '.github/workflows/ci.yml': 'on: push\n', 'ROADMAP.md': 'x\n' } },
      'passed',
      ['protected .github/workflows/ci.yml:0', 'protected ROADMAP.md:0'],
    ],
    [
      'warns outside the scope of its task',
      { changed: edit, task: aTask({ files: ['src/b.js'] }) },
      'passed',
      ['scope src/a.js:0'],
    ],
    [
      'warns where a test expects something else',
      {
        start: { ...files, 'test/a.test.js': testExpecting(1) },
        changed: { ...edit, 'test/a.test.js': testExpecting(2) },
      },
      'passed',
      ['doubt test/a.test.js:5'],
    ],
    [
      'is not verified when tests are switched off',
      { changed: edit, verify: { mode: 'skip' } },
      'unverified',
      ['not-run :0'],
    ],
  ])('%s', async (_, given, result, expected) => {
    const { checked, findings, left } = await check(given)
    expect(checked?.result).toBe(result)
    expect(findings).toEqual(expected)
    expect(left).toBeNull()
  })

  it.each<[string, Case, string]>([
    ['a link', { changed: edit, entry: { newMode: '120000' } }, 'tree'],
    ['a submodule', { changed: edit, entry: { newMode: '160000' } }, 'tree'],
    ['a path that is unsafe elsewhere', { changed: { 'src/aux.js': 'x\n' } }, 'path'],
    ['more files than a reviewer reads', { changed: manyFiles(101) }, 'size'],
  ])('runs nothing of a change with %s', async (_, given, rule) => {
    const { checked, findings, sandbox } = await check(given)
    expect(checked?.result).toBe('failed')
    expect(findings?.[0]).toContain(rule)
    expect(sandbox.commands).toEqual([])
  })

  it("says of a protected file why it is, and not how a draft's writer grants it", async () => {
    const { checked } = await check({ changed: { 'ROADMAP.md': 'x\n' } })
    expect(checked?.findings[0]?.message).toBe('the roadmap is protected')
  })

  it('has nothing to say of a change without a difference', async () => {
    expect((await check({ changed: {} })).checked).toBeNull()
  })
})

function manyFiles(count: number): Files {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`docs/${index}.md`, 'x\n']),
  )
}
