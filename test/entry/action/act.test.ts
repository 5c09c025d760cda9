import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const action = join(import.meta.dirname, '../../../src/entry/action.ts')

it.each([
  ['a timer', (bug: string) => `setImmediate(()=>{${bug}})`],
  ['a rejection that nothing handles', (bug: string) => `void (async()=>{${bug}})()`],
])('fails the step for %s, without its secrets and its commands', (_, spread) => {
  const folder = mkdtempSync(join(tmpdir(), 'act-'))
  const bug = `throw new Error('MARK '+process.env.MY_TOKEN+'\\n::add-mask::e')`
  const preload = `process.on('newListener',(name)=>{if(name==='uncaughtException'){${spread(bug)}}})`
  writeFileSync(join(folder, 'bug.cjs'), preload)
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--require', join(folder, 'bug.cjs'), action],
    {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...{ PATH: process.env.PATH, HOME: folder, GITHUB_EVENT_NAME: 'schedule' },
        MY_TOKEN: 'a-secret-of-the-job',
      },
    },
  )
  rmSync(folder, { recursive: true })
  expect(status).toBe(1)
  expect(stderr).toBe('')
  expect(stdout).toMatch(/^::error::Internal error \(report it as a bug\): Error: MARK \*\*\*/m)
  expect(stdout).toMatch(/^ {4}at /m)
  expect(stdout).not.toContain('a-secret-of-the-job')
  expect(stdout).not.toMatch(/^::add-mask/m)
})
