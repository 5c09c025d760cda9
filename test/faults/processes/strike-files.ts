/**
 * Loaded into the program before anything else (`--import`): it counts what the program writes below a
 * folder, and lets one of these calls go wrong. `EXECUTOR_FILE_STRIKE` says where, which and how.
 */
import { appendFileSync, existsSync, promises, writeSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { isMainThread } from 'node:worker_threads'

export type FileFault =
  /** This call fails, and no other. */
  | 'fails'
  /** From here on there is no room, in the middle of what is written. */
  | 'disk full'
  /** From here on nothing can be changed. */
  | 'read-only'
  | 'killed before'
  /** Half of what is written is there. */
  | 'killed within'

export interface FileStrike {
  /** What is below is counted. */
  readonly below: string
  /** Takes a line for each call: `rename /path`. */
  readonly log: string
  /** -1 for none. */
  readonly at: number
  readonly fault: FileFault
}

type Write = (...given: never[]) => Promise<unknown>

const given = process.env.EXECUTOR_FILE_STRIKE
const isProgram = isMainThread && /\/cli\.cjs$/.test(process.argv[1] ?? '')
if (given !== undefined && isProgram) await watch(JSON.parse(given))

async function watch({ below, log, at, fault }: FileStrike): Promise<void> {
  let calls = 0
  const paths = new WeakMap<object, string>()
  const die = () => process.kill(process.pid, 'SIGKILL')

  /** Whether it goes wrong now, and how. */
  function meet(call: string, path: string): FileFault | null {
    if (!path.startsWith(below)) return null
    const number = calls++
    appendFileSync(log, `${call} ${path}\n`)
    const isLasting = fault === 'disk full' || fault === 'read-only'
    const isMet = at >= 0 && (number === at || (isLasting && number > at))
    return isMet ? fault : null
  }

  async function around(call: string, path: string, act: () => Promise<unknown>): Promise<unknown> {
    switch (meet(call, path)) {
      case null:
        return act()
      case 'killed before':
      case 'killed within':
        die()
        return new Promise(() => {})
      case 'read-only':
        throw failure('EROFS', 'read-only file system', call, path)
      case 'disk full':
        // Room is needed by what makes something; what is there can be moved and removed.
        if (call === 'rename' || call === 'rm' || call === 'sync') return act()
        throw failure('ENOSPC', 'no space left on device', call, path)
      case 'fails':
        throw failure('EIO', 'i/o error', call, path)
    }
  }

  /** Of a text the first half gets there. */
  async function write(handle: FileHandle, act: () => Promise<unknown>, data: unknown) {
    const path = paths.get(handle) ?? ''
    const met = meet('write', path)
    if (met === null) return act()
    if (met === 'killed before') die()
    const bytes = Buffer.from(String(data))
    if (met !== 'read-only') writeSync(handle.fd, bytes, 0, bytes.length >> 1)
    if (met === 'killed within') die()
    const [code, words] = met === 'fails' ? ['EIO', 'i/o error'] : ['ENOSPC', 'no space left']
    throw failure(code ?? '', words ?? '', 'write', path)
  }

  function patch(target: object, name: string, wrap: (real: Write) => Write): void {
    const real: Write = Reflect.get(target, name)
    Reflect.set(target, name, wrap(real))
  }

  const byPath = (name: string, isWrite: (...rest: readonly unknown[]) => boolean = () => true) =>
    patch(promises, name, (real) => (...args: unknown[]) => {
      const act = (): Promise<unknown> => Reflect.apply(real, promises, args)
      const [path, ...rest] = args
      return isWrite(path, ...rest) ? around(name, String(path), act) : act()
    })
  byPath('rename')
  byPath('link')
  byPath('rm', (path) => existsSync(String(path)))
  byPath('mkdir', (path) => !existsSync(String(path)))
  byPath('copyFile')
  byPath('writeFile', (path) => typeof path === 'string')
  byPath('appendFile', (path) => typeof path === 'string')

  const probe = await promises.open(process.execPath)
  const prototype: object = Object.getPrototypeOf(probe)
  await probe.close()
  patch(promises, 'open', (real) => async (...args: unknown[]) => {
    const [path, flags = 'r'] = args
    const isWrite = typeof flags === 'number' ? (flags & 3) !== 0 : flags !== 'r'
    const act = (): Promise<unknown> => Reflect.apply(real, promises, args)
    const handle = await (isWrite ? around('open', String(path), act) : act())
    if (isWrite && handle instanceof Object) paths.set(handle, String(path))
    return handle
  })
  patch(
    prototype,
    'writeFile',
    (real) =>
      function (this: FileHandle, ...args: unknown[]) {
        return write(this, () => Reflect.apply(real, this, args), args[0])
      },
  )
  for (const name of ['sync', 'truncate']) {
    patch(
      prototype,
      name,
      (real) =>
        function (this: FileHandle, ...args: unknown[]) {
          const act = (): Promise<unknown> => Reflect.apply(real, this, args)
          return around(name, paths.get(this) ?? '', act)
        },
    )
  }
  syncBuiltinESMExports()
}

const failure = (code: string, words: string, syscall: string, path: string): Error =>
  Object.assign(new Error(`${code}: ${words}, ${syscall} '${path}'`), { code, syscall, path })
