import { describe, expect, it } from 'vitest'
import type { ChangeSet } from '../../../packages/change/change-set.ts'
import { openPolicyGate } from '../../../packages/judge/gate/gate.ts'
import type { Task } from '../../../packages/task/task-schema.ts'
import type { Attempt } from '../../../src/core/domain/attempt.ts'
import type { Settings } from '../../../src/core/domain/settings.ts'
import * as expected from '../../../src/model/context/expected-files.ts'
import { anAttempt, aTask, someSettings } from '../../fakes/facts.ts'

const creating = (...paths: readonly string[]): ChangeSet =>
  paths.map((path) => ({ action: 'create', path, content: 'x\n' }))

function attempt(task: Partial<Task>, changes: ChangeSet, summary = '', more = {}): Attempt {
  const draft = { changes, refusals: [], claimsDone: false, summary, notes: [], ...more }
  return anAttempt({ task: aTask(task), draft })
}

type Files = Parameters<typeof openPolicyGate>[0]['files']

const mayCreate = (one: Attempt, files: Files, settings: Settings) =>
  openPolicyGate({ files }, one, settings).mayCreate

const findMissingFiles = (one: Attempt, files: Files, settings: Settings) =>
  expected.findMissingFiles(
    one,
    files.map(({ path }) => path),
    mayCreate(one, files, settings),
  )

const missingExpectedFiles = (one: Attempt, files: Files, settings: Settings) =>
  expected.missingExpectedFiles(
    one,
    files.map(({ path }) => path),
    mayCreate(one, files, settings),
    settings,
  )

const treeOf = (paths: readonly string[]) =>
  paths.map((path) => ({ path, mode: '100644' as const, size: 1 }))

interface Row {
  readonly it: string
  readonly task: Partial<Task>
  readonly there?: readonly string[]
  readonly written?: readonly string[]
  readonly summary?: string
  readonly missing: readonly string[]
}

const rows: readonly Row[] = [
  {
    it: 'a file of the scope',
    task: { files: ['src/a.ts', 'src/b.ts'] },
    written: ['src/a.ts'],
    missing: ['scope src/b.ts'],
  },
  { it: 'a file in the title', task: { title: 'Add src/b.ts' }, missing: ['task src/b.ts'] },
  {
    it: 'a file in the details',
    task: { details: '- Create `docs/b.md`' },
    missing: ['task docs/b.md'],
  },
  {
    it: 'a file of the answer',
    task: {},
    summary: 'I created src/b.ts.',
    missing: ['answer src/b.ts'],
  },
  {
    it: 'each once',
    task: { title: 'Add src/b.ts', files: ['src/b.ts', 'src/a.ts'] },
    summary: 'Created src/b.ts',
    missing: ['scope src/b.ts'],
  },
  {
    it: 'nothing that is delivered',
    task: { title: 'Add src/a.ts', files: ['src/a.ts'] },
    missing: [],
  },
  {
    it: 'nothing that is there',
    task: { title: 'Add src/b.ts' },
    there: ['src/b.ts'],
    missing: [],
  },
  {
    it: 'nothing there in a folder',
    task: { title: 'Add b.ts' },
    there: ['src/b.ts'],
    missing: [],
  },
  {
    it: 'no file delivered in a folder',
    task: { title: 'Add b.ts' },
    written: ['src/b.ts'],
    missing: [],
  },
  {
    it: 'no file delivered in another folder',
    task: { title: 'Write tests in tests/b.py' },
    written: ['test/b.py'],
    missing: [],
  },
  {
    it: 'no file delivered in another dialect',
    task: { title: 'Create src/b.js' },
    written: ['src/b.ts'],
    missing: [],
  },
  { it: 'no globs', task: { files: ['src/**/*.ts'] }, missing: [] },
  { it: 'no folders', task: { files: ['src/', 'lib'] }, written: ['src/a.ts'], missing: [] },
  {
    it: 'no wrong name of a file that is there',
    task: { files: ['src/models/book.ts'] },
    there: ['src/book.ts'],
    written: [],
    missing: [],
  },
  {
    it: 'a new file, whatever is called so elsewhere',
    task: { title: 'Create src/api/book.ts' },
    there: ['src/book.ts'],
    missing: ['task src/api/book.ts'],
  },
  {
    it: 'no file that is to go',
    task: { title: 'Delete src/old.ts', files: ['src/old.ts', 'src/a.ts'] },
    missing: [],
  },
  { it: 'no protected file', task: { title: 'Add .github/workflows/ci.yml' }, missing: [] },
  { it: 'no way out', task: { files: ['../b.ts', 'src/a.ts'] }, missing: [] },
  {
    it: 'nothing out of scope',
    task: { title: 'Create docs/b.md', files: ['src/a.ts'] },
    missing: [],
  },
]

describe('findMissingFiles', () => {
  it.each(rows)('finds $it', ({ task, there = [], written = ['src/a.ts'], summary, missing }) => {
    const changes = written.length > 0 ? creating(...written) : creating('other.ts')
    const found = findMissingFiles(attempt(task, changes, summary), treeOf(there), someSettings())
    expect(found.map(({ path, by }) => `${by} ${path}`)).toEqual(missing)
  })

  it('says nothing of a file that was refused, or of an answer without files', () => {
    const task = { title: 'Create src/b.ts' }
    const refusals = [{ path: 'src/b.ts', reason: 'shortened', excerpt: '' }]
    const settings = someSettings()
    expect(
      findMissingFiles(attempt(task, creating('src/a.ts'), '', { refusals }), [], settings),
    ).toEqual([])
    expect(findMissingFiles(attempt(task, []), [], settings)).toEqual([])
    expect(findMissingFiles(anAttempt(), [], settings)).toEqual([])
  })
})

describe('missingExpectedFiles', () => {
  const inScope = attempt({ files: ['src/a.ts', 'src/b.ts'] }, creating('src/a.ts'))
  const inProse = attempt({ title: 'Create src/b.ts' }, creating('src/a.ts'))
  const settings = someSettings()

  it('asks for the whole file', () => {
    expect(missingExpectedFiles(inProse, [], settings)).toEqual([
      {
        path: 'src/b.ts',
        type: 'expected_file',
        message:
          'The task asks for src/b.ts, and it is not in your answer: send it as a whole file.',
        line: 0,
        column: 0,
      },
    ])
    const told = attempt({}, creating('src/a.ts'), 'I added src/b.ts')
    expect(missingExpectedFiles(told, [], settings)[0]?.message).toMatch(
      /^Your answer says that src\/b\.ts/,
    )
  })

  it.each([
    [0, 1, 1],
    [1, 1, 0],
    [2, 1, 0],
  ])(
    'after %i repairs asks for %i of the scope and %i of the words',
    (validationRepairs, scope, words) => {
      expect(missingExpectedFiles({ ...inScope, validationRepairs }, [], settings)).toHaveLength(
        scope,
      )
      expect(missingExpectedFiles({ ...inProse, validationRepairs }, [], settings)).toHaveLength(
        words,
      )
    },
  )

  it('does not ask for what words only name where nothing may be repaired', () => {
    const none = someSettings({ validationRepairs: 0 })
    expect(missingExpectedFiles(inProse, [], none)).toEqual([])
    expect(missingExpectedFiles(inScope, [], none)).toHaveLength(1)
  })
})
