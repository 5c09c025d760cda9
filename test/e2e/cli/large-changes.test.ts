import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createProject, leftovers } from './bench.ts'
import { javascript } from './languages.ts'
import { watchSources } from './look-at-disk.ts'
import { edit, file, startModel } from './model.ts'
import { outcomes, ownTree, play } from './scenario.ts'

const rooms = ['hall', 'attic', 'cellar']
const use = (room: string, given: string): string =>
  `export const ${room} = (degrees) => (warm(${given}) ? 'in' : 'out')`

/** Three rooms that use one function, each with its test. */
const house = {
  'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/warm.js': 'export const warm = (degrees) => degrees > 18\n',
  ...Object.fromEntries(
    rooms.flatMap((room) => [
      [`src/${room}.js`, `import { warm } from './warm.js'\n\n${use(room, 'degrees')}\n`],
      [
        `test/${room}.test.js`,
        `import assert from 'node:assert/strict'\nimport { test } from 'node:test'\nimport { ${room} } from '../src/${room}.js'\n\ntest('${room}', () => assert.equal(${room}(20), 'in'))\n`,
      ],
    ]),
  ),
}

describe.concurrent('one change that breaks several files', () => {
  it('is mended in all of them by one repair', async () => {
    const object = 'export const warm = ({ degrees }) => degrees > 18'
    await using played = await play({
      files: {
        ...house,
        'ROADMAP.md':
          '- [ ] T-1: `warm` takes a room with degrees instead of a number, everywhere\n',
      },
      answers: {
        'draft T-1': [edit('src/warm.js', house['src/warm.js'].trimEnd(), object)],
        'repair_test T-1': [
          {
            ifTold: /FAILED attic[\s\S]*FAILED/,
            text: rooms
              .map((room) => edit(`src/${room}.js`, use(room, 'degrees'), use(room, '{ degrees }')))
              .join(''),
          },
        ],
      },
    })
    const { project, model, result } = played
    expect(result.code, result.stderr).toBe(0)
    expect(model.asked()).toEqual(['draft T-1', 'repair_test T-1'])
    const changed = project.git('diff', '--name-only', 'main', 'agent/T-1').split('\n')
    expect(changed).toEqual([
      'ROADMAP.md',
      ...rooms.toSorted().map((r) => `src/${r}.js`),
      'src/warm.js',
    ])
    expect(project.report().tasks[0]?.receipt).toMatchObject({
      result: 'passed',
      after: { passed: 3, failed: 0 },
    })
  })
})

const part = (n: number, value: string): string => `export const part${n} = ${value}`
const numbers = Array.from({ length: 10 }, (_, index) => index + 1)
const parts = Object.fromEntries(
  numbers.map((n) => [`src/part${n}.js`, `${part(n, `() => ${n}`)}\n`]),
)
const partsTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
${numbers.map((n) => `import { part${n} } from '../src/part${n}.js'\n`).join('')}
test('all parts', () => assert.deepEqual([${numbers.map((n) => `part${n}()`).join(', ')}], [${numbers.join(', ')}]))
`
const refactored = (seventh: string): string =>
  numbers
    .map((n) =>
      edit(
        `src/part${n}.js`,
        part(n, `() => ${n}`),
        part(n, n === 7 ? seventh : `() => Number('${n}')`),
      ),
    )
    .join('')
const factory = {
  'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  'test/parts.test.js': partsTest,
  'ROADMAP.md': '- [ ] T-1: Compute every part\n- [ ] T-2: Add `src/more.js`\n',
  ...parts,
}
const more = { 'draft T-2': [file('src/more.js', 'export const more = 11\n')] }
const unknown = { 'classify T-1': ['{"reason": "unknown", "explanation": "It stays wrong."}'] }

describe.concurrent('a refactoring of ten files that goes wrong at the seventh', () => {
  it('with code that does not parse: no file of it was ever on disk', async () => {
    using project = createProject(factory)
    const own = ownTree(project)
    const watch = watchSources(project.root)
    await using model = await startModel({
      'draft T-1': [refactored('() => {')],
      'repair_code T-1': [
        edit('src/part7.js', part(7, '() => {'), part(7, '() => {{')),
        edit('src/part7.js', part(7, '() => {{'), part(7, '() => {{{')),
      ],
      ...unknown,
      ...more,
    })
    const { code, stderr } = await project.run(['run'], model.variables)
    const onDisk = await watch.stop()
    expect(code, stderr).toBe(1)
    expect(outcomes(project)).toEqual({ 'T-1': 'failed', 'T-2': 'done' })
    expect(project.branches()).toEqual(['agent/T-2'])
    expect(onDisk.filter(({ text }) => text.includes('Number('))).toEqual([])
    expect(ownTree(project).files).toEqual(own.files)
    expect(leftovers(project)).toEqual([])
    for (const [path, text] of Object.entries(parts)) {
      expect(project.show('agent/T-2', path)).toBe(text)
    }
  })

  it('with code that fails its test: all ten are as they were', async () => {
    using project = createProject(factory)
    const own = ownTree(project)
    await using model = await startModel({
      'draft T-1': [refactored('() => 77')],
      'repair_test T-1': [
        edit('src/part7.js', part(7, '() => 77'), part(7, '() => 78')),
        edit('src/part7.js', part(7, '() => 78'), part(7, '() => 79')),
      ],
      ...unknown,
      ...more,
    })
    const { code, stderr } = await project.run(['run'], model.variables)
    expect(code, stderr).toBe(1)
    expect(outcomes(project)).toEqual({ 'T-1': 'failed', 'T-2': 'done' })
    expect(ownTree(project).files).toEqual(own.files)
    expect(leftovers(project)).toEqual([])
    expect(project.git('diff', '--name-only', 'main', 'agent/T-2').split('\n')).toEqual([
      'ROADMAP.md',
      'src/more.js',
    ])
    expect(stderr).toContain('.executor/attempts/T-1.md')
    expect(existsSync(join(project.path, '.executor/attempts/T-1.md'))).toBe(true)
  })
})

describe.concurrent('a file that was promised', () => {
  it('and not delivered is asked for again, alone', async () => {
    const kelvin = file('src/units/kelvin.js', 'export const toKelvin = (c) => c + 273.15\n')
    const guide = file('docs/kelvin.md', '# Kelvin\n\nZero is cold.\n')
    await using played = await play({
      files: {
        ...javascript,
        'ROADMAP.md':
          '- [ ] T-1: Add Kelvin\n  - **Files**: `src/units/kelvin.js`, `docs/kelvin.md`\n',
      },
      answers: {
        'draft T-1': [`I wrote the code and docs/kelvin.md.\n\n${kelvin}`],
        'repair_code T-1': [{ ifTold: /docs\/kelvin\.md/, text: guide }],
      },
    })
    const { project, model, result } = played
    expect(result.code, result.stderr).toBe(0)
    expect(model.asked()).toEqual(['draft T-1', 'repair_code T-1'])
    expect(project.show('agent/T-1', 'docs/kelvin.md')).toContain('Zero is cold.')
    expect(project.show('agent/T-1', 'src/units/kelvin.js')).toContain('273.15')
  })
})

/** As long documents are: phases, prose, tables, code, quotes; most of it done. */
function longRoadmap(): string {
  const phases = Array.from({ length: 24 }, (_, phase) => {
    const tasks = Array.from({ length: 14 }, (_, place) => {
      const open = (phase === 20 && place === 3) || (phase === 23 && place === 13)
      const id = `${phase + 1}.${place + 1}`
      return `### ${id} Station ${id}

> **Priority**: P${place % 3}

- [${open ? ' ' : 'x'}] Add station ${id} in \`src/station-${phase + 1}-${place + 1}.js\`
  - It exports \`name\`, a string. See the table above, and **mind** the [gap](https://example.com/${id}).
`
    })
    return `## Phase ${phase + 1}: Line ${phase + 1}

${'The line crosses the river twice, and its trains are late. '.repeat(4)}

| station | zone |
|---|---|
| first | ${phase} |

\`\`\`md
- [ ] not a task, but code
\`\`\`

${tasks.join('\n')}`
  })
  return `# Metro\n\n${phases.join('\n')}\n<!-- - [ ] hidden -->\n`
}

it('works through a roadmap of more than 60 KB, of which two tasks are open', async () => {
  const roadmap = longRoadmap()
  expect(roadmap.length).toBeGreaterThan(60_000)
  const station = (place: string) =>
    file(`src/station-${place.replace('.', '-')}.js`, `export const name = '${place}'\n`)
  await using played = await play({
    files: { ...javascript, 'ROADMAP.md': roadmap },
    answers: { 'draft T-21.4': [station('21.4')], 'draft T-24.14': [station('24.14')] },
  })
  const { project, model, result } = played
  expect(result.code, result.stderr).toBe(0)
  expect(model.asked()).toEqual(['draft T-21.4', 'draft T-24.14'])
  const ticked = project.show('agent/T-24.14', 'ROADMAP.md') ?? ''
  expect(ticked).toHaveLength(roadmap.length)
  expect(ticked.replaceAll('- [ ] not', '- [_] not')).not.toContain('- [ ] Add')
})
