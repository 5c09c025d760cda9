import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'

const project = fileURLToPath(new URL('../..', import.meta.url))

let pristine = ''
let root = ''
beforeAll(async () => {
  pristine = await mkdtemp(join(tmpdir(), 'pristine-'))
  for (const part of ['action.yml', 'docs', 'schema', 'SECURITY.md', 'package.json'])
    await cp(join(project, part), join(pristine, part), { recursive: true })
  root = pristine
  await generate()
})
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'generated-'))
  await cp(pristine, root, { recursive: true })
})
afterEach(() => rm(root, { recursive: true, force: true }))
afterAll(() => rm(pristine, { recursive: true, force: true }))

const generate = (...flags: string[]) =>
  execa({
    reject: false,
  })`${process.execPath} ${join(project, 'scripts/generate.ts')} ${root} ${flags}`

describe('generate', () => {
  it('finds nothing to say about what it has just written', async () => {
    expect(await generate('--check')).toMatchObject({ exitCode: 0, stdout: '', stderr: '' })
  })

  test.each([
    ['docs/architecture.md', 'room_entry --> room_runs', 'room_runs --> room_entry'],
    ['docs/graph.md', 'pick_task', 'choose_task'],
    ['docs/configuration.md', '`max-tasks`', '`most-tasks`'],
    ['docs/lint.md', 'A task that is probably several', 'A long task'],
    ['docs/action.md', '`ready-tasks`', '`tasks`'],
    ['schema/executor.schema.json', '"max-tasks"', '"most-tasks"'],
    ['docs/examples/nightly.yml', 'persist-credentials: false', 'persist-credentials: true'],
    [
      'SECURITY.md',
      '`test/adapters/file-store.test.ts` (',
      '`test/adapters/file-store.test.ts` (9',
    ],
    ['SECURITY.md', '| a polite refusal | ', '| a polite refusal | 1'],
    ['SECURITY.md', ' were held', ' were not'],
  ])('--check finds a change of %s, and leaves it', async (path, from, to) => {
    const changed = (await readFile(join(root, path), 'utf8')).replace(from, () => to)
    await writeFile(join(root, path), changed)
    const { exitCode, stderr } = await generate('--check')
    expect(exitCode).toBe(1)
    expect(stderr).toBe(`${path} is not what the sources say: npm run generate`)
    expect(await readFile(join(root, path), 'utf8')).toBe(changed)
  })

  it('mends what has drifted, and only that', async () => {
    await writeFile(join(root, 'schema/executor.schema.json'), '{}')
    expect((await generate()).stdout).toBe('schema/executor.schema.json renewed')
  })

  it('--check finds an input that is not in the table', async () => {
    const action = await readFile(join(root, 'action.yml'), 'utf8')
    await writeFile(
      join(root, 'action.yml'),
      action.replace('\ninputs:\n', () => '\ninputs:\n  colour:\n    description: A colour.\n'),
    )
    expect((await generate('--check')).stderr).toContain('docs/action.md')
  })

  it('leaves what people wrote around the parts', async () => {
    await appendFile(join(root, 'docs/graph.md'), 'A note.\n')
    expect(await generate('--check')).toMatchObject({ exitCode: 0 })
  })

  it('says which markers are gone', async () => {
    await writeFile(join(root, 'docs/graph.md'), '# The graph\n')
    const { exitCode, stderr } = await generate('--check')
    expect(exitCode).toBe(1)
    expect(stderr).toContain('docs/graph.md has no markers for "graph"')
  })
})
