import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const project = join(import.meta.dirname, '../..')
const root = mkdtempSync(join(tmpdir(), 'executor-harness-'))
const repository = join(root, 'sums')
const results = join(root, 'results.jsonl')

function put(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

function commit(message: string, files: Readonly<Record<string, string>>): void {
  put(repository, files)
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org']
  execFileSync('git', ['add', '--all'], { cwd: repository })
  execFileSync('git', [...who, 'commit', '--quiet', '-m', message], { cwd: repository })
}

const play = (harness: string, ...args: readonly string[]) =>
  new Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>(
    (resolve) => {
      const file = join(project, `harness/${harness}.ts`)
      const child = execFile(process.execPath, [file, ...args], (_, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      )
    },
  )

const lines = (): readonly object[] =>
  readFileSync(results, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

const testOf = (name: string, wanted: number) => `const { test } = require('node:test')
const assert = require('node:assert')
const { ${name} } = require('../lib/sums.js')
test('${name}', () => assert.equal(${name}(4, 2), ${wanted}))
`
const add = 'exports.add = (a, b) => a + b\n'

beforeAll(() => {
  mkdirSync(repository)
  execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: repository })
  const manifest = '{"name": "sums", "private": true, "scripts": {"test": "node --test"}}\n'
  commit('Start', {
    'package.json': manifest,
    'lib/sums.js': add,
    'test/add.test.js': testOf('add', 6),
  })
  commit('Words only', { 'README.md': 'Sums\n' })
  commit('Take away', {
    'lib/sums.js': `${add}\nexports.take = (a, b) => a - b\n`,
    'test/take.test.js': testOf('take', 2),
  })
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('real commits, made again', () => {
  const replay = (...args: readonly string[]) =>
    play('replay', '--repo', repository, '--results', results, '--count', '2', ...args)

  it('arrives with its tests green, and is not played twice', async () => {
    const first = await replay()
    expect(first.code, first.stderr + first.stdout).toBe(0)
    expect(lines()).toMatchObject([
      { subject: 'Take away', shape: 'edits', outcome: 'done', receipt: 'passed', differs: [] },
    ])
    expect(lines()).toMatchObject([{ requests: 1, byHand: { before: 'green', after: 'green' } }])
    expect(first.stdout).toContain('passed over, no source: 1')
    expect((await replay('--resume')).stdout).toBe(first.stdout)
    expect(lines()).toHaveLength(1)
  })

  it('does not pass without a hunk of its source', async () => {
    const { code, stdout } = await replay('--wrong')
    expect(code, stdout).toBe(0)
    expect(lines().at(-1)).toMatchObject({
      wrong: true,
      outcome: 'failed',
      byHand: { after: 'red' },
    })
  })
})

describe('exercises', () => {
  const directory = join(root, 'track')
  const files = {
    solution: ['double.js'],
    test: ['double.spec.js'],
    example: ['.meta/proof.ci.js'],
  }
  it('are refused where they have no reference, and where there is no such mode', async () => {
    put(join(directory, 'exercises/practice/double'), {
      '.meta/config.json': JSON.stringify({ files: { ...files, example: [] } }),
    })
    const none = await play('exercises', '--dir', directory, '--mode', 'correct')
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('has no exercises')])
    const mode = await play('exercises', '--dir', directory, '--mode', 'best')
    expect([mode.code, mode.stderr]).toEqual([2, expect.stringContaining('--mode is one of')])
  })
})
