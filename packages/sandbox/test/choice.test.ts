import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sandboxKinds } from '../../../test/sandbox-kinds.ts'
import { temporaryFolder } from '../../judge/test/temporary-project.ts'
import { createProcessSandbox } from '../process-sandbox.ts'
import { bareRequest } from '../run.ts'

const { present } = await sandboxKinds()

/** A machine whose bubblewrap notes each start, and refuses to start while there is a file `refuses`. */
async function machine() {
  const bin = await temporaryFolder()
  const cacheDirectory = await temporaryFolder()
  const real = spawnSync('sh', ['-c', 'command -v bwrap'], { encoding: 'utf8' }).stdout.trim()
  const lines = ['#!/bin/sh', `echo start >>${bin}/starts`]
  const script = [...lines, `[ -e ${bin}/refuses ] && exit 1`, `exec ${real} "$@"`, '']
  await writeFile(join(bin, 'bwrap'), script.join('\n'))
  await chmod(join(bin, 'bwrap'), 0o755)
  const PATH = [bin, dirname(process.execPath), process.env.PATH].join(delimiter)
  /** Of a process of its own. */
  const run = async (shell: string, mode: 'auto' | 'strict' = 'auto') => {
    const folder = await temporaryFolder()
    await chmod(folder, 0o777)
    await rm(join(bin, 'starts'), { force: true })
    const environment = { ...process.env, PATH }
    const sandbox = createProcessSandbox({ mode, cacheDirectory, checkout: null, environment })
    const done = await sandbox.run(bareRequest(folder, { shell }, 20))
    const starts = await readFile(join(bin, 'starts'), 'utf8').catch(() => '')
    const { kind } = await sandbox.ability()
    return { ...done, kind, starts: starts.split('\n').length - 1, folder }
  }
  return { run, refuses: join(bin, 'refuses'), memory: join(cacheDirectory, 'isolation.json') }
}

describe.runIf(present.includes('bubblewrap'))('an isolation that ran here before', () => {
  it('is not tried again, and only we may read or write what is kept of it', async () => {
    const { run, memory } = await machine()
    const first = await run('true')
    expect(first).toMatchObject({ exitCode: 0, kind: 'bubblewrap' })
    expect((await stat(memory)).mode & 0o777).toBe(0o600)
    expect(await run('true')).toMatchObject({ exitCode: 0, kind: 'bubblewrap', starts: 1 })
    expect(first.starts).toBeGreaterThan(1)
  })

  it('is tried in mode strict, whatever is remembered', async () => {
    const { run } = await machine()
    await run('true')
    expect((await run('true', 'strict')).starts).toBe(2)
  })

  it('runs a command that fails just once', async () => {
    const { run } = await machine()
    await run('true')
    const { exitCode, folder } = await run('echo here >>out; exit 3')
    expect(exitCode).toBe(3)
    expect(readFileSync(join(folder, 'out'), 'utf8')).toBe('here\n')
  })

  it('is given up where it does not start any more: the command runs in the next', async () => {
    const { run, refuses, memory } = await machine()
    await run('true')
    await writeFile(refuses, '')
    const { exitCode, sandbox, kind, folder } = await run('echo here >>out')
    expect({ exitCode, isOther: sandbox !== 'bubblewrap' }).toEqual({ exitCode: 0, isOther: true })
    expect(kind).toBe(sandbox)
    expect(readFileSync(join(folder, 'out'), 'utf8')).toBe('here\n')
    const kept = await readFile(memory, 'utf8').catch(() => '{}')
    expect(JSON.parse(kept).place).not.toBe(0)
  })

  const memories: readonly (readonly [what: string, change: (kept: string) => string])[] = [
    ['a weak one in its place', (kept) => JSON.stringify({ ...JSON.parse(kept), place: 4 })],
    ['one that there is not', (kept) => JSON.stringify({ ...JSON.parse(kept), place: 99 })],
    ['another boot', (kept) => JSON.stringify({ ...JSON.parse(kept), machine: 'another' })],
    ['no JSON', () => '{"machine":'],
    ['another shape', () => '[1]'],
  ]

  it.each(memories)('is tried where the memory holds %s', async (_, change) => {
    const { run, memory } = await machine()
    await run('true')
    await writeFile(memory, change(await readFile(memory, 'utf8')))
    expect(await run('true')).toMatchObject({ exitCode: 0, kind: 'bubblewrap', starts: 2 })
    expect(await run('true')).toMatchObject({ kind: 'bubblewrap', starts: 1 })
  })
})
