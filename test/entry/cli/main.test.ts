import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const program = join(import.meta.dirname, '../../../src/entry/cli.ts')

it.each([
  ['a result of parse that cannot be written', 'parse', '', 4, /^error .*EBADF.*\nnext {2}/],
  ['a result of lint that cannot be written', 'lint', '', 4, /^error .*EBADF.*\nnext {2}/],
  [
    'a bug in a timer',
    'parse',
    `setTimeout(()=>{throw new Error('boom')})`,
    5,
    /^internal error .*\nError: boom\n {4}at /,
  ],
  [
    'a rejection that nothing handles',
    'parse',
    `void Promise.reject(new Error('boom'))`,
    5,
    /^internal error .*\nError: boom\n {4}at /,
  ],
])('ends with a sentence and an exit code: %s', (_, command, bug, code, said) => {
  const folder = mkdtempSync(join(tmpdir(), 'main-'))
  writeFileSync(join(folder, 'ROADMAP.md'), '- [ ] T-1: Add `src/a.js`\n')
  const started = `process.on('newListener',(name)=>{if(name==='uncaughtException'){${bug}}})`
  writeFileSync(join(folder, 'bug.cjs'), started)
  const readOnly = openSync('/dev/null', 'r')
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--require', join(folder, 'bug.cjs'), program, command, 'ROADMAP.md', '--json'],
    {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', bug === '' ? readOnly : 'ignore', 'pipe'],
      env: { PATH: process.env.PATH, HOME: folder, NO_COLOR: '1' },
    },
  )
  closeSync(readOnly)
  rmSync(folder, { recursive: true })
  expect(stderr).toMatch(said)
  expect(status).toBe(code)
})
