import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { ownCommand } from '../../harness/own-command.ts'
import { addResult, readResults } from '../../harness/results-file.ts'
import { writeSummary } from '../../harness/summary.ts'

test('a summary has counts, shares and bounds', () => {
  const figures = [
    { name: 'right', count: 19, of: 20, bound: { least: 0.95 } },
    { name: 'wrong', count: 1, of: 20, bound: { most: 0 } },
    { name: 'none', count: 0, of: 0, bound: { least: 1 } },
  ]
  expect(writeSummary(figures).split('\n')).toEqual([
    'right  19 of 20  95.0 %  at least 95 %: met',
    'wrong  1 of 20   5.0 %   at most 0 %: MISSED',
    'none   0 of 0',
  ])
})

test('a line that was cut off is no line, and what is added stands on its own', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'executor-results-'))
  try {
    const path = join(folder, 'new/results.jsonl')
    expect(await readResults(path)).toEqual([])
    await addResult(path, { a: 1 })
    writeFileSync(path, '{"a":1}\n{"a":2')
    expect(await readResults(path)).toEqual([{ a: 1 }])
    await addResult(path, { a: 3 })
    expect(await readResults(path)).toEqual([{ a: 1 }, { a: 3 }])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

describe('how a repository is tested by hand', () => {
  const manifest = '{"scripts": {"test": "jest"}}'
  it.each([
    ['npm', ['package.json'], manifest, 'npm test'],
    ['no test script', ['package.json', 'go.mod'], '{}', 'go test ./...'],
    ['a broken manifest', ['package.json', 'Cargo.toml'], '{', 'cargo test'],
    ['Maven', ['pom.xml'], null, 'mvn -B -q test'],
    ['Python', ['pyproject.toml'], null, '. .venv-by-hand/bin/activate && python -m pytest -q'],
    ['nothing known', ['README.md'], null, undefined],
  ])('%s', (_, files, text, command) => {
    expect(ownCommand(files, text)?.test).toBe(command)
  })

  it('installs what a lock file says', () => {
    expect(ownCommand(['package-lock.json'], manifest)?.setUp).toMatch(/^npm ci /)
    expect(ownCommand([], manifest)?.setUp).toMatch(/^npm install /)
    expect(ownCommand(['pnpm-lock.yaml'], manifest)?.setUp).toMatch(/^pnpm install /)
    expect(ownCommand(['yarn.lock'], manifest)?.setUp).toBe('yarn install')
  })
})
