import { type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, realpathSync, statSync } from 'node:fs'
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  open as openFile,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { sandboxKinds } from '../../../test/sandbox-kinds.ts'
import { temporaryFolder } from '../../judge/test/temporary-project.ts'
import type { Sandbox, SandboxKind, SandboxRequest } from '../port.ts'
import { createProcessSandbox, type ProcessSandboxOptions } from '../process-sandbox.ts'
import { SandboxError } from '../sandbox-error.ts'

const canary = 'canary-7f3a91c2'

async function open(options: Partial<ProcessSandboxOptions>): Promise<Sandbox> {
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter)
  return createProcessSandbox({
    mode: 'auto',
    cacheDirectory: await temporaryFolder(),
    checkout: null,
    environment: { ...process.env, PATH: path, SECRET_TOKEN: canary, NODE_OPTIONS: '--trace-exit' },
    ...options,
  })
}

/** These show a file tree of their own. */
const ownTrees: readonly SandboxKind[] = ['bubblewrap', 'other-user', 'unshare']

const { present } = await sandboxKinds()

const request = (folder: string, shell: string, more: Partial<SandboxRequest> = {}) => ({
  command: { shell },
  folder,
  directory: '.',
  env: {},
  network: false,
  mounts: [],
  timeoutSeconds: 20,
  collect: [],
  ...more,
})

/** Whether a process whose command line holds this text is alive. */
async function isAlive(text: string): Promise<boolean> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (line.includes(text)) return true
  }
  return false
}

/** A number that only this call uses, as seconds to sleep for. */
let sleeps = 100_000 + Math.floor(process.pid % 10_000) * 100
const uniqueSleep = (): number => {
  sleeps += 1
  return sleeps
}

describe.each(present)('%s', (only) => {
  it('runs a command in its directory and gives back what it said', async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'sub'))
    const sandbox = await open({ only })
    const heard = { stdout: '', stderr: '' }
    const run = await sandbox.run({
      ...request(folder, 'pwd; echo oops >&2; echo made > made.txt; exit 3', { directory: 'sub' }),
      heard(piece, from) {
        heard[from] += Buffer.from(piece).toString()
      },
    })
    expect(heard).toEqual({ stdout: run.stdout, stderr: run.stderr })
    expect(run).toMatchObject({ exitCode: 3, timedOut: false, stderr: 'oops\n', sandbox: only })
    expect(run.stdout).toBe(`${folder}/sub\n`)
    expect(await readFile(join(folder, 'sub/made.txt'), 'utf8')).toBe('made\n')
  })

  it('keeps the path of a folder below /var/tmp, and shows nothing else of it', async () => {
    const place = await mkdtemp('/var/tmp/executor-test-')
    onTestFinished(() => rm(place, { recursive: true, force: true }))
    const folder = join(place, 'folders/T-1')
    await mkdir(folder, { recursive: true })
    await mkdir(join(place, 'folders/T-2'))
    const sandbox = await open({ only })
    const shell = 'pwd -P; echo made >made.txt; ls ..'
    const { stdout } = await sandbox.run(request(folder, shell))
    const seen = only === 'unsandboxed' ? ['T-1', 'T-2'] : ['T-1']
    expect(stdout.trim().split('\n')).toEqual([folder, ...seen])
    expect(await readFile(join(folder, 'made.txt'), 'utf8')).toBe('made\n')
  })

  it('shows an environment of its own, with nothing of ours in it', async () => {
    const folder = await temporaryFolder()
    const sandbox = await open({ only })
    const { stdout } = await sandbox.run(request(folder, 'env', { env: { GIVEN: 'yes' } }))
    expect(stdout).not.toMatch(/canary|NODE_OPTIONS|GITHUB_|TOKEN/)
    expect(stdout).toMatch(/^GIVEN=yes$/m)
    expect(stdout).toMatch(/^CI=1$/m)
    expect(stdout).not.toContain(`HOME=${process.env.HOME}\n`)
    expect(stdout, 'tests of programs that print in colour').not.toMatch(/^(?:NO|FORCE)_COLOR/m)
    const home = /^HOME=(.*)$/m.exec(stdout)?.[1] ?? ''
    expect(existsSync(home)).toBe(false)
  })

  it('starts the programs of the PATH', async () => {
    const folder = await temporaryFolder()
    const sandbox = await open({ only })
    const run = await sandbox.run(
      request(folder, 'node -p process.version && python3 -c "print(6 * 7)"'),
    )
    expect(run.stdout).toBe(`${process.version}\n42\n`)
    expect(await sandbox.has('node')).toBe(true)
    expect(await sandbox.has('no-such-program')).toBe(false)
  })

  it.each([
    ['a shell line', { shell: 'no-such-program' }],
    ['an argument list', { argv: ['no-such-program'] }],
  ])('answers 127 for a program that is not there: %s', async (_name, command) => {
    const sandbox = await open({ only })
    const run = await sandbox.run({ ...request(await temporaryFolder(), ''), command })
    expect(run).toMatchObject({ exitCode: 127, timedOut: false })
  })

  it.each([
    ['a NUL in an argument', { argv: ['echo', 'a\0b'] }],
    ['no argument', { argv: [] }],
    ['a huge argument', { argv: ['echo', 'x'.repeat(4_000_000)] }],
  ])('does not throw for %s', async (_name, command) => {
    const sandbox = await open({ only })
    const run = await sandbox.run({ ...request(await temporaryFolder(), ''), command })
    expect(run.exitCode).not.toBe(0)
  })

  it('has a loopback of its own, and reaches none of ours', async () => {
    const server = createServer((socket) => socket.end(canary))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const script = [
      "const net = require('node:net')",
      `net.connect(${port}, '127.0.0.1').on('data', (d) => console.log('ours', String(d))).on('error', () => console.log('refused'))`,
      "const own = net.createServer((s) => s.end('x')).listen(0, '127.0.0.1', () => net.connect(own.address().port, '127.0.0.1').on('data', () => { console.log('own'); own.close() }).on('error', (e) => { console.log(e.code); own.close() }))",
    ].join('\n')
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'net.cjs'), script)
    const sandbox = await open({ only })
    const closed = await sandbox.run(request(folder, 'node net.cjs'))
    expect(closed.stdout.includes(canary)).toBe(only === 'unsandboxed')
    expect(closed.stdout).toContain('own')
    const opened = await sandbox.run(request(folder, 'node net.cjs', { network: true }))
    expect(opened.stdout).toContain(canary)
  })

  it('is over after its time, with everything it started', async () => {
    const [plain, hidden] = [uniqueSleep(), uniqueSleep()]
    const sandbox = await open({ only })
    const run = await sandbox.run(
      request(
        await temporaryFolder(),
        `echo early; sleep ${plain} & setsid sleep ${hidden} & sleep 300`,
        { timeoutSeconds: 1 },
      ),
    )
    expect(run).toMatchObject({ timedOut: true, exitCode: null, stdout: 'early\n' })
    expect(await isAlive(`sleep\0${plain}`)).toBe(false)
    expect(await isAlive(`sleep\0${hidden}`)).toBe(false)
  })

  it('leaves no process behind when the command ends before them', async () => {
    const [plain, hidden] = [uniqueSleep(), uniqueSleep()]
    const sandbox = await open({ only })
    const folder = await temporaryFolder()
    // Its own session, and nothing of its environment.
    const daemon = `env -i setsid sh -c 'touch started; exec sleep ${hidden}'`
    const shell = `sleep ${plain} & (${daemon} &) ; while [ ! -e started ]; do :; done; exit 5`
    const run = await sandbox.run(request(folder, shell))
    expect(run).toMatchObject({ exitCode: 5, timedOut: false })
    expect(await isAlive(`sleep\0${plain}`)).toBe(false)
    expect(await isAlive(`sleep\0${hidden}`)).toBe(false)
  })

  it('keeps head and tail of an endless output', async () => {
    const sandbox = await open({ only })
    const run = await sandbox.run(
      request(await temporaryFolder(), 'echo first; yes | head -c 5000000; echo; echo last'),
    )
    expect(run.stdout.slice(0, 8)).toBe('first\ny\n')
    expect(run.stdout.slice(-6)).toBe('\nlast\n')
    expect(/… \d+ bytes left out …/.exec(run.stdout)?.[0]).toBe('… 2902860 bytes left out …')
    expect(run.stdout.length).toBeLessThan(2_200_000)
  })

  it('shows mounts at their places, and leaves none of them in the folder', async () => {
    const [folder, installed] = [await temporaryFolder(), await temporaryFolder()]
    await chmod(installed, 0o755)
    await writeFile(join(installed, 'thing.txt'), 'installed')
    await mkdir(join(folder, 'own'))
    await writeFile(join(folder, 'own/kept.txt'), 'kept')
    const mounts = [
      { from: installed, within: null, to: 'deep/node_modules' },
      { from: join(installed, 'thing.txt'), within: null, to: 'one.txt' },
      { from: installed, within: null, to: 'own' },
      { from: join(installed, 'nothing'), within: null, to: 'nothing' },
    ]
    const sandbox = await open({ only })
    const run = await sandbox.run(
      request(folder, 'cat deep/node_modules/thing.txt one.txt own/kept.txt; ls nothing', {
        mounts,
      }),
    )
    expect(run.stdout).toBe('installedinstalledkept')
    expect(run.exitCode).not.toBe(0)
    expect(await readdir(folder, { recursive: true })).toEqual(['own', 'own/kept.txt'])
    expect(await readdir(installed)).toEqual(['thing.txt'])
  })

  it('lets tools write among the packages, and nowhere else', async () => {
    const [folder, outer] = [await temporaryFolder(), await temporaryFolder()]
    await chmod(outer, 0o755)
    const installed = join(outer, 'node_modules')
    await mkdir(join(installed, 'a'), { recursive: true })
    await writeFile(join(installed, 'a/index.js'), "console.log('a', require('b'))")
    await mkdir(join(installed, '.store/b'), { recursive: true })
    await writeFile(join(installed, '.store/b/index.js'), 'module.exports = 1')
    await symlink('.store/b', join(installed, 'b'))
    await symlink('../packages/own', join(installed, 'own'))
    await mkdir(join(installed, '.vite'))
    await writeFile(join(installed, '.vite/old'), '')
    await mkdir(join(folder, 'packages/own'), { recursive: true })
    await writeFile(join(folder, 'packages/own/index.js'), "console.log('own')")
    const sandbox = await open({ only })
    const shell =
      "mkdir node_modules/.vite node_modules/.vite-temp && node -e \"require('a'); require('own')\""
    for (const _ of [1, 2]) {
      const run = await sandbox.run(
        request(folder, shell, { mounts: [{ from: installed, within: null, to: 'node_modules' }] }),
      )
      expect([run.stdout, run.stderr]).toEqual(['a 1\nown\n', ''])
      expect(await readdir(folder)).toEqual(['packages'])
    }
    expect((await readdir(installed)).toSorted()).toEqual(['.store', '.vite', 'a', 'b', 'own'])
  })

  it.each<[string, string]>([
    ['the parent is a link by now', 'mv web was; ln -s OUT web'],
    [
      'the parent is one of another name',
      'mv web was; mkdir in; ln -s OUT in/web; ln -s in/web web',
    ],
    ['the place is a link by now', 'mv web/node_modules web/was; ln -s OUT web/node_modules'],
    [
      'the place of the packages is one',
      'rm -rf web/.executor-modules; ln -s OUT web/.executor-modules',
    ],
    ['what was empty is a link', 'mv deep was; ln -s OUT deep'],
    ['all of it is gone', 'rm -rf web deep; ln -s OUT web; ln -s OUT deep'],
  ])('removes nothing elsewhere after the run: %s', async (_, shell) => {
    const [folder, installed, outside] = await Promise.all([1, 2, 3].map(temporaryFolder))
    const kept = ['node_modules/kept', '.executor-modules/kept', 'empty', 'place']
    for (const path of kept) await mkdir(join(outside ?? '', path), { recursive: true })
    for (const path of ['web', 'deep']) await mkdir(join(folder ?? '', path))
    const sandbox = await open({ only })
    const mounts = ['web/node_modules', 'deep/place'].map((to) => ({
      ...{ from: installed ?? '', within: null, to },
    }))
    const line = shell.replaceAll('OUT', outside ?? '')
    await sandbox.run(request(folder ?? '', line, { mounts, collect: ['web/node_modules/kept'] }))
    const left = await readdir(outside ?? '', { recursive: true })
    expect(left.toSorted()).toEqual([...kept, 'node_modules', '.executor-modules'].toSorted())
  })

  it.each<[string, (folder: string, outside: string) => Promise<unknown>]>([
    ['a file', (folder, outside) => symlink(join(outside, 'secret'), join(folder, 'lock'))],
    ['a folder above it', (folder, outside) => symlink(outside, join(folder, 'web'))],
  ])('shows nothing from elsewhere: %s is a link', async (_, make) => {
    const [folder, from, outside] = await Promise.all([1, 2, 3].map(temporaryFolder))
    await writeFile(join(outside ?? '', 'secret'), canary)
    await make(from ?? '', outside ?? '')
    const sandbox = await open({ only })
    const mounts = ['lock', 'web/secret'].map((path) => ({
      ...{ from: join(from ?? '', path), within: from ?? '', to: path },
    }))
    const run = await sandbox.run(request(folder ?? '', 'cat lock web/secret', { mounts }))
    expect([run.exitCode, run.stdout]).toEqual([null, ''])
    expect(run.stderr).toContain('leads out of the folder')
    expect(await readdir(folder ?? '')).toEqual([])
  })

  it('collects plain files only, and takes them out of the folder', async () => {
    const [folder, outside] = [await temporaryFolder(), await temporaryFolder()]
    await writeFile(join(outside, 'secret'), canary)
    await symlink(outside, join(folder, 'away'))
    const collect = ['good', 'link', 'pipe', 'away/secret', '../secret', 'big', 'none']
    const sandbox = await open({ only })
    const run = await sandbox.run(
      request(
        folder,
        `echo ok > good; ln -s ${outside}/secret link; mkfifo pipe; head -c 70000000 /dev/zero > big`,
        {
          collect,
        },
      ),
    )
    expect([...run.collected]).toEqual([['good', 'ok\n']])
    expect(await readdir(folder)).toEqual(['away'])
    expect(await readFile(join(outside, 'secret'), 'utf8')).toBe(canary)
  })

  it('prepares with network and certificates, and still without credentials', async () => {
    const [folder, elsewhere] = [await temporaryFolder(), await temporaryFolder()]
    await writeFile(join(elsewhere, 'ca.pem'), 'certificate')
    const sandbox = await open({
      only,
      environment: {
        PATH: process.env.PATH,
        NPM_TOKEN: canary,
        HTTPS_PROXY: `http://me:${canary}@proxy.test`,
        npm_config_registry: 'https://registry.test/',
        SSL_CERT_FILE: join(elsewhere, 'ca.pem'),
      },
    })
    const shell = 'env; cat "$SSL_CERT_FILE"'
    const prepared = await sandbox.prepare(request(folder, shell, { network: true }))
    expect(prepared.stdout).toContain('npm_config_registry=https://registry.test/')
    expect(prepared.stdout).toMatch(/certificate$/)
    expect(prepared.stdout).not.toContain(canary)
    const run = await sandbox.run(request(folder, shell))
    expect(run.stdout).not.toContain('npm_config_registry')
  })

  it('redacts whatever comes back', async () => {
    const sandbox = await open({ only, redact: (text) => text.replaceAll('hush', '***') })
    const run = await sandbox.run(
      request(await temporaryFolder(), 'echo hush; echo hush >&2; echo hush > out', {
        collect: ['out'],
      }),
    )
    expect([run.stdout, run.stderr, run.collected.get('out')]).toEqual(['***\n', '***\n', '***\n'])
  })

  it('does not start outside the folder', async () => {
    const sandbox = await open({ only })
    const folder = await temporaryFolder()
    await symlink('/tmp', join(folder, 'away'))
    for (const directory of ['..', '/tmp', 'away', 'none']) {
      const run = await sandbox.run(request(folder, 'echo started', { directory }))
      expect(run).toMatchObject({ exitCode: null, stdout: '' })
    }
  })
})

describe.each(present.filter((kind) => ownTrees.includes(kind)))('%s', (only) => {
  it('sees no file of ours and writes nowhere but in the folder', async () => {
    const [folder, outside] = [await temporaryFolder(), await temporaryFolder()]
    await writeFile(join(outside, 'secret'), canary)
    const sandbox = await open({ only, checkout: outside })
    const places = [outside, '/usr', '/etc', '/', '/var']
    const run = await sandbox.run(
      request(
        folder,
        [
          ...places.map((place) => `echo bad > ${place}/written-by-test && echo written ${place}`),
          `cat ${outside}/secret`,
          `cat /proc/${process.pid}/environ /proc/${process.ppid}/environ`,
          'cat /proc/[0-9]*/environ',
          'echo end',
        ].join('; '),
      ),
    )
    expect(run.stdout).toMatch(/end\n$/)
    expect(run.stdout).not.toMatch(/canary|^written /m)
    for (const place of places) expect(existsSync(join(place, 'written-by-test'))).toBe(false)
  })

  it('sees no place and no socket of the machine that it does not need', async () => {
    const folder = await temporaryFolder()
    const socket = join(await temporaryFolder(), 'socket')
    const server = createServer((connection) => connection.end(canary))
    await new Promise<void>((resolve) => server.listen(socket, resolve))
    onTestFinished(() => void server.close())
    await chmod(dirname(socket), 0o777)
    const places = [
      '/srv',
      '/opt',
      '/mnt',
      '/media',
      '/boot',
      '/home',
      '/run',
      '/.old',
      '/etc/shadow',
    ]
    const shown = places.map((place) => `ls -A ${place} 2>/dev/null`)
    const connect = `node -e "require('net').connect('${socket}').on('data', (data) => console.log(String(data))).on('error', () => {})"`
    const sandbox = await open({ only })
    const shell = [...shown, connect, 'mount | grep -c "^/.* rw," || true', 'ls /dev/null']
    const run = await sandbox.run(request(folder, shell.join('; ')))
    // The folder alone, where it is on a disk.
    expect(run.stdout).toMatch(/^[01]\n\/dev\/null\n$/)
  })

  it('owns nothing of the whole machine, though the bot be root', async () => {
    const controls = ['sys/kernel/core_pattern', 'sys/vm/drop_caches', 'irq/default_smp_affinity']
    const opened = controls.map((name) => `(: >>/proc/${name}) 2>/dev/null && echo ${name}`)
    const secrets = 'cat /proc/kmsg /proc/vmallocinfo /etc/ssl/private/* 2>/dev/null'
    const sandbox = await open({ only })
    const shell = [...opened, secrets, 'cat /proc/sys/kernel/ostype'].join('; ')
    const run = await sandbox.run(request(await temporaryFolder(), shell))
    expect(run.stdout).toBe('Linux\n')
  })

  it('cannot write to what is mounted, nor gain rights', async () => {
    const [folder, installed] = [await temporaryFolder(), await temporaryFolder()]
    await chmod(installed, 0o777)
    await writeFile(join(installed, 'thing.txt'), 'installed')
    await chmod(join(installed, 'thing.txt'), 0o666)
    const sandbox = await open({ only })
    const run = await sandbox.run(
      request(
        folder,
        'echo bad > node_modules/thing.txt; grep -E "^(CapEff|CapBnd|NoNewPrivs)" /proc/self/status; id -u',
        {
          mounts: [{ from: installed, within: null, to: 'node_modules' }],
        },
      ),
    )
    expect(run.stdout).toMatch(/^CapEff:\t0+\nCapBnd:\t0+\nNoNewPrivs:\t1\n\d+$/m)
    // Who is root in a namespace of this user alone has this user's rights.
    expect(run.stdout.endsWith('\n0\n')).toBe(only === 'unshare')
    expect(await readFile(join(installed, 'thing.txt'), 'utf8')).toBe('installed')
  })
})

/** A process of its own that runs a command in each of these kinds, and prints what that printed. */
function runElsewhere(
  kinds: readonly SandboxKind[],
  folder: string,
  shell: string,
  options: SpawnOptions,
): Promise<readonly [out: string, wrong: string]> {
  const given = JSON.stringify({ request: request(folder, shell), kinds, cache: `${folder}-cache` })
  const script = `
    const { createProcessSandbox } = await import(${JSON.stringify(import.meta.resolve('../process-sandbox.ts'))})
    const { request, kinds, cache } = ${given}
    for (const only of kinds) {
      const sandbox = createProcessSandbox({ mode: 'auto', only, checkout: null, cacheDirectory: cache })
      console.log((await sandbox.run(request)).stdout.trim())
    }`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], options)
  const outputs = [child.stdout, child.stderr].map((each) => text(each ?? Readable.from([])))
  return Promise.all([outputs[0] ?? '', outputs[1] ?? ''])
}

it('passes on no file that we were given open ourselves', async () => {
  const [folder, outside] = [await temporaryFolder(), await temporaryFolder()]
  await writeFile(join(outside, 'secret'), canary)
  const secret = await openFile(join(outside, 'secret'))
  onTestFinished(() => secret.close())
  // As of a shell or a runner that keeps files of its own open: Node closes those up to the first gap above 15.
  const gap = Array.from({ length: 37 }, () => 'ignore' as const)
  const stdio = ['ignore' as const, 'pipe' as const, 'pipe' as const, ...gap, secret.fd]
  const shell = 'cat /proc/self/fd/40; echo end'
  const said = await runElsewhere(present, folder, shell, { stdio })
  expect(said).toEqual(['end\n'.repeat(present.length), ''])
})

const nobody = { uid: 65534, gid: 65534 }
const isForOthers = (path: string): boolean =>
  path === '/' || ((statSync(path).mode & 0o005) === 0o005 && isForOthers(dirname(path)))
const canBeNobody =
  process.getuid?.() === 0 &&
  [process.execPath, import.meta.filename].every((file) =>
    isForOthers(dirname(realpathSync(file))),
  ) &&
  spawnSync('unshare', ['--map-root-user', 'true'], nobody).status === 0

it.runIf(canBeNobody)('makes a tree of its own for a user who is not root', async () => {
  const folder = await temporaryFolder()
  await chown(folder, nobody.uid, nobody.gid)
  onTestFinished(() => rm(`${folder}-cache`, { recursive: true, force: true }))
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/nonexistent' }
  const options: SpawnOptions = { ...nobody, env, stdio: ['ignore', 'pipe', 'pipe'] }
  const said = await runElsewhere(['unshare'], folder, 'id -u; ls /etc/shadow 2>&1', options)
  expect(said[0]).toMatch(/^0\n.*No such file/)
})

describe('the choice', () => {
  it('is the strongest there is, and says so', async () => {
    const sandbox = await open({})
    expect((await sandbox.ability()).kind).toBe(present[0])
  })

  it('is none when that is asked for', async () => {
    const sandbox = await open({ mode: 'off' })
    expect(await sandbox.ability()).toEqual({
      kind: 'unsandboxed',
      network: 'host',
      reason: 'sandbox: off',
    })
  })

  it.each(['unshare', 'unsandboxed'] as const)('is refused by `strict` with %s', async (only) => {
    const sandbox = await open({ mode: 'strict', only })
    await expect(sandbox.ability()).rejects.toThrow(SandboxError)
    const run = sandbox.run(request(await temporaryFolder(), 'echo bad'))
    await expect(run).rejects.toMatchObject({ lacks: 'isolation' })
  })
})

it('removes what a killed process left before the first command, and nothing of a living one', async () => {
  const cacheDirectory = await temporaryFolder()
  // A choice from memory needs no folder of its own.
  await (await open({ cacheDirectory })).ability()
  vi.stubEnv('TMPDIR', await temporaryFolder())
  onTestFinished(() => void vi.unstubAllEnvs())
  const module = JSON.stringify(join(import.meta.dirname, '../../files/temporary-folder.ts'))
  const code = `import(${module}).then(async (it) => { console.log(await it.makeTemporaryFolder('net')) }).then(() => process.stdin.resume())`
  const begin = async () => {
    const made = spawn(process.execPath, ['-e', code], { stdio: ['pipe', 'pipe', 'inherit'] })
    onTestFinished(() => void made.kill('SIGKILL'))
    const [folder] = await once(made.stdout, 'data')
    return { made, folder: String(folder).trim() }
  }
  const [living, killed] = [await begin(), await begin()]
  killed.made.kill('SIGKILL')
  await once(killed.made, 'exit')
  expect([existsSync(living.folder), existsSync(killed.folder)]).toEqual([true, true])
  await (await open({ cacheDirectory })).run(request(await temporaryFolder(), 'true'))
  expect([existsSync(living.folder), existsSync(killed.folder)]).toEqual([true, false])
})
