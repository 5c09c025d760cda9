import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { readRoadmap } from '../../../packages/roadmap/document/read-roadmap.ts'
import { createFileStore } from '../../../src/adapters/file-store.ts'
import type { TaskResult } from '../../../src/core/domain/verdict.ts'
import { exportPlan, importPlan } from '../../../src/entry/cli/commands/exchange.ts'
import type { Terminal } from '../../../src/entry/cli/terminal.ts'
import { sampleResult } from '../../contracts/run-state.ts'
import { aState } from '../../fakes/facts.ts'

function makeProject(files: Readonly<Record<string, string>>) {
  const directory = mkdtempSync(join(tmpdir(), 'executor-exchange-'))
  execFileSync('git', ['init', '-q', directory])
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  const said: string[] = []
  const printed: string[] = []
  const terminal: Terminal = {
    ...{ directory, environment: {}, isTTY: false, live: null },
    say: (text) => said.push(text),
    print: (text) => printed.push(text),
    paint: (_, text) => text,
    redact: (text) => text,
  }
  return {
    ...{ terminal, said, printed },
    path: (name: string) => join(directory, name),
    read: (name: string) => readFileSync(join(directory, name), 'utf8'),
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  }
}

const plan =
  'tasks:\n  - {id: T-1, description: Add a}\n  - {id: T-2, description: Add b, depends_on: [T-1, T-8]}\n'

it('import prints what it would write, and writes it with --write, once', async () => {
  using project = makeProject({ 'plan.yaml': plan })
  const { terminal, said, printed, read, path } = project
  expect(await importPlan('plan.yaml', {}, terminal)).toBe(0)
  expect(existsSync(path('ROADMAP.md'))).toBe(false)
  const expected =
    '# Roadmap\n\n## Tasks\n\n- [ ] T-1: Add a\n- [ ] T-2: Add b\n  - **Depends on**: T-1\n'
  expect(`${printed.join('\n')}\n`).toBe(expected)
  expect(said).toEqual([
    'note: T-2: it depends on T-8, which is not there.',
    '2 tasks would be added. Add --write to save them.',
  ])
  expect(await importPlan('plan.yaml', { write: true }, terminal)).toBe(0)
  expect(read('ROADMAP.md')).toBe(expected)
  expect(await importPlan('plan.yaml', { write: true }, terminal)).toBe(0)
  expect(read('ROADMAP.md')).toBe(expected)
  expect(said.slice(-2)).toEqual([
    '2 tasks left as written: ROADMAP.md has T-1, T-2.',
    'ROADMAP.md has all of them.',
  ])
})

it('import prints one JSON document, and says that a plan is empty', async () => {
  using project = makeProject({
    'ROADMAP.md': '- [x] T-1: Add a\n',
    'plan.yaml': plan,
    'empty.yml': 'tasks: []',
  })
  expect(await importPlan('plan.yaml', { json: true }, project.terminal)).toBe(0)
  expect(JSON.parse(project.printed.join())).toMatchObject({ added: ['T-2'], known: ['T-1'] })
  expect(await importPlan('empty.yml', {}, project.terminal)).toBe(1)
  expect(project.said.at(-1)).toBe('The plan has no tasks.')
})

it.each<[string, object, RegExp]>([
  ['plan.txt', {}, /format of plan.txt is unknown: name it with --from, one of plan, spec-kit/],
  ['gone.yaml', {}, /no such file/],
  ['plan.yaml', { from: 'xml' }, /unknown/],
  ['issues', {}, /--label <name> or --milestone/],
  ['issues', { label: 'executor' }, /no remote origin/],
])('import %s %j says what is wrong', async (source, flags, message) => {
  using project = makeProject({ 'plan.txt': plan, 'plan.yaml': plan })
  await expect(importPlan(source, flags, project.terminal)).rejects.toThrow(message)
  expect(existsSync(project.path('ROADMAP.md'))).toBe(false)
})

it.each<[string | undefined, RegExp]>([
  [undefined, /^tasks:\n {2}- id: T-1\n {4}description: Add a\n {4}status: done$/],
  ['json', /^\{\n {2}"tasks": \[\n {4}\{\n {6}"id": "T-1"/],
  ['mermaid', /^flowchart TD\n {2}t1\["T-1: Add a"\]:::done\n/],
])('export --to %s prints the tasks', async (to, expected) => {
  using project = makeProject({ 'ROADMAP.md': '- [x] T-1: Add a\n' })
  expect(await exportPlan({ ...(to && { to }) }, project.terminal)).toBe(0)
  expect(project.printed.join('\n')).toMatch(expected)
})

it('export tells what the last run made of the open tasks, and import leaves that out', async () => {
  const roadmap =
    '# Roadmap\n\n## Tasks\n\n- [ ] T-1: Add a\n- [x] T-2: Add b\n- [ ] T-3: Add c\n- [ ] T-4: Add d\n'
  using project = makeProject({ 'ROADMAP.md': roadmap })
  const { terminal, printed, path } = project
  const prints = Object.fromEntries(
    readRoadmap(roadmap).tasks.map(({ id, fingerprint }) => [id, fingerprint]),
  )
  const result = (id: string, facts: Partial<TaskResult>) => [
    id,
    sampleResult(id, { fingerprint: prints[id] ?? '', reason: '', branch: null, ...facts }),
  ]
  const results = Object.fromEntries([
    result('T-1', { verdict: 'failed', reason: 'No usable answer.' }),
    result('T-2', { verdict: 'done' }),
    result('T-3', { verdict: 'done', branch: 'agent/T-3' }),
    // It was reworded since.
    result('T-4', { verdict: 'done', fingerprint: 'other' }),
  ])
  await createFileStore({ directory: path('.executor') }).save(aState({ tasks: { results } }))
  await exportPlan({}, terminal)
  const said = parse(printed.join('\n')).tasks
  expect(said).toMatchObject([
    { id: 'T-1', status: 'pending', verdict: 'failed', reason: 'No usable answer.' },
    { id: 'T-2', status: 'done' },
    { id: 'T-3', status: 'pending', verdict: 'done', branch: 'agent/T-3' },
    { id: 'T-4', status: 'pending' },
  ])
  expect(said.map((task: object) => 'verdict' in task)).toEqual([true, false, true, false])
  writeFileSync(path('plan.yaml'), printed.join('\n'))
  rmSync(path('ROADMAP.md'))
  printed.length = 0
  await importPlan('plan.yaml', {}, terminal)
  expect(`${printed.join('\n')}\n`).toBe(roadmap)
  expect(project.said.join()).not.toContain('no place')
  writeFileSync(path('ROADMAP.md'), roadmap)
  printed.length = 0
  await exportPlan({ to: 'mermaid' }, terminal)
  expect(printed.join('\n').match(/:::\w+/g)).toEqual([
    ...[':::blocked', ':::done', ':::in_progress', ':::pending'],
  ])
})

it('export names the formats that there are', async () => {
  using project = makeProject({ 'ROADMAP.md': '- [x] T-1: Add a\n' })
  await expect(exportPlan({ to: '__proto__' }, project.terminal)).rejects.toThrow(
    /choose plan, json, mermaid/,
  )
})
