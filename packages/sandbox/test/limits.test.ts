import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sandboxKinds } from '../../../test/sandbox-kinds.ts'
import { temporaryFolder } from '../../judge/test/temporary-project.ts'
import type { SandboxKind, SandboxRequest, SandboxRun } from '../port.ts'
import { createProcessSandbox } from '../process-sandbox.ts'
import { endOrphans, type Limits } from '../watch.ts'

const megabyte = 1024 * 1024
const path = `${dirname(process.execPath)}:${process.env.PATH}`

const { present } = await sandboxKinds()
/** These have files in memory of their own, and processes of their own. */
const ownTrees = present.filter((kind) => kind === 'bubblewrap' || kind === 'other-user')

interface Case {
  readonly only: SandboxKind
  readonly shell: string
  readonly limits?: Partial<Limits>
  readonly files?: Readonly<Record<string, string>>
  readonly request?: Partial<SandboxRequest>
}

async function run({
  only,
  shell,
  limits = {},
  files = {},
  request = {},
}: Case): Promise<SandboxRun> {
  const folder = await temporaryFolder()
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const sandbox = createProcessSandbox({
    mode: 'auto',
    only,
    checkout: null,
    cacheDirectory: await temporaryFolder(),
    environment: { PATH: path },
    limits,
  })
  return sandbox.run({
    command: { shell },
    folder,
    directory: '.',
    env: {},
    network: false,
    mounts: [],
    timeoutSeconds: 60,
    collect: [],
    ...request,
  })
}

/** True while a process whose command line holds this text is alive. */
async function isAlive(text: string): Promise<boolean> {
  const { readFile } = await import('node:fs/promises')
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (line.includes(text)) return true
  }
  return false
}

/** Takes so many megabytes and stays. */
const hog = `const held = []
for (let index = 0; index < Number(process.argv[2]); index += 10) held.push(Buffer.alloc(10 * ${megabyte}, 1))
console.log('full')
setInterval(() => held.length, 1000)
`
const memory = 200 * megabyte
const tooMuch = { exitCode: null, signal: 'SIGKILL', ended: 'used more than 200 MB of memory' }

describe.each(present)('%s ends', (only) => {
  it('a process that takes too much memory', async () => {
    const limits = { memory }
    const result = await run({
      only,
      limits,
      files: { 'hog.cjs': hog },
      shell: 'node hog.cjs 500',
    })
    expect(result).toMatchObject({ ...tooMuch, timedOut: false })
  })

  it('many processes that take too much together, one of them a daemon', async () => {
    const shell = 'node hog.cjs 60 & node hog.cjs 60 & (setsid node hog.cjs 60 &) ; sleep 50'
    const result = await run({ only, limits: { memory }, files: { 'hog.cjs': hog }, shell })
    expect(result).toMatchObject(tooMuch)
    expect(await isAlive('hog.cjs\x0060')).toBe(false)
  })

  it('a folder filler', async () => {
    const shell = 'n=0; while :; do mkdir d$n; : > d$n/f; n=$((n+1)); sleep 0.01; done'
    const result = await run({ only, limits: { files: 50 }, shell })
    expect(result).toMatchObject({ exitCode: null, ended: 'created more than 50 files' })
  })

  it('a row of processes without end', async () => {
    const seconds = 200_000 + (process.pid % 10_000) * 10 + present.indexOf(only)
    const shell = `while :; do sleep ${seconds} & done`
    const result = await run({ only, limits: { processes: 100 }, shell })
    expect(result).toMatchObject({ exitCode: null, ended: 'started more than 100 processes' })
    expect(await isAlive(`sleep\0${seconds}`)).toBe(false)
  })

  it('a disk filler', async () => {
    const shell =
      'n=0; while :; do head -c 4000000 /dev/zero > fill$n; n=$((n+1)); sleep 0.05; done'
    const result = await run({ only, limits: { disk: 40 * megabyte }, shell })
    expect(result).toMatchObject({ exitCode: null, ended: 'wrote more than 40 MB to the disk' })
  })

  it('an output without end', async () => {
    const result = await run({ only, limits: { output: 10 * megabyte }, shell: 'yes' })
    expect(result).toMatchObject({ exitCode: null, ended: 'printed more than 10 MB' })
    expect(result.stdout.length).toBeLessThan(3 * megabyte)
  })

  it('a loop without end, after its time', async () => {
    const result = await run({ only, shell: 'while :; do :; done', request: { timeoutSeconds: 1 } })
    expect(result).toMatchObject({ exitCode: null, timedOut: true })
    expect(result.ended).toBeUndefined()
  })

  it('what nobody needs any more, also before it began', async () => {
    const needed = new AbortController()
    const shell = 'echo begun; while :; do :; done'
    const waiting = run({ only, shell, request: { signal: needed.signal } })
    needed.abort()
    expect(await waiting).toMatchObject({ exitCode: null, ended: 'was no longer needed' })
    const never = await run({ only, shell, request: { signal: needed.signal } })
    expect(never).toMatchObject({ exitCode: null, ended: 'was no longer needed' })
  })

  it('nothing that keeps to the limits', async () => {
    const shell =
      'node -e "Buffer.alloc(50e6, 1)" && head -c 4000000 /dev/zero > a && yes | head -c 5000000 | tail -c 2'
    const limits = { memory, disk: 40 * megabyte, output: 50 * megabyte, processes: 100 }
    const result = await run({ only, limits, shell })
    expect(result).toMatchObject({ exitCode: 0, stdout: 'y\n' })
    expect(result.ended).toBeUndefined()
  })

  it('no file over 2 GB and no more than so many open ones', async () => {
    const result = await run({
      only,
      shell: 'truncate -s 3G big; echo code $?; ulimit -n; ulimit -c',
    })
    expect(result.stdout).toMatch(/^code (?:1|153)\n\d{2,5}\n0\n$/)
  })
})

describe.each(ownTrees)('%s', (only) => {
  it.each(['/tmp', '/dev/shm'])('lets files in memory at %s grow to half of it', async (place) => {
    const shell = `head -c 150000000 /dev/zero > ${place}/fill; echo code $?; echo x > ${place}/fill; cat ${place}/fill`
    const result = await run({ only, limits: { memory }, shell })
    expect(result.stdout).toBe('code 1\nx\n')
  })

  it('shows a program below /tmp, and nothing else of it', async () => {
    const tools = await temporaryFolder()
    const { chmod } = await import('node:fs/promises')
    await chmod(tools, 0o755)
    await writeFile(join(tools, 'own-tool'), '#!/bin/sh\necho it ran\n', { mode: 0o755 })
    const sandbox = createProcessSandbox({
      mode: 'auto',
      only,
      checkout: null,
      cacheDirectory: join(process.cwd(), 'node_modules/.cache/executor-test'),
      environment: { PATH: `${tools}:${path}` },
    })
    const folder = await temporaryFolder()
    const result = await sandbox.run({
      command: { shell: 'own-tool; ls /tmp' },
      folder,
      directory: '.',
      env: {},
      network: false,
      mounts: [],
      timeoutSeconds: 20,
      collect: [],
    })
    expect(result.stdout).toMatch(/^it ran\n/)
    expect(result.stdout.split('\n').length).toBeLessThan(7)
  })
})

describe.runIf(present.includes('bubblewrap'))('a fork bomb', () => {
  it('is ended with all it made', async () => {
    const shell = 'b() { sleep 0.1; b & b; }; b'
    const result = await run({ only: 'bubblewrap', limits: { processes: 150 }, shell })
    expect(result).toMatchObject({ exitCode: null, ended: 'started more than 150 processes' })
  })
})

it('a sandbox that lost its parent before it could ask to end with it is found by its command line', async () => {
  const start = (seconds: string) => spawn('sleep', [seconds], { stdio: 'ignore' })
  const [lost, another] = [start(`1000.${process.pid}`), start(`2000.${process.pid}`)]
  const ended = once(lost, 'exit')
  await Promise.all([once(lost, 'spawn'), once(another, 'spawn')])
  endOrphans(['sleep', `1000.${process.pid}`])
  expect(await ended).toEqual([null, 'SIGKILL'])
  expect(another.exitCode ?? another.signalCode).toBeNull()
  another.kill()
})
