import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { crc32 } from 'node:zlib'

/** A command stops adding code after this many processes. */
const enough = 3
/** Milliseconds until a running process saves its code: while a model thinks, V8 drops functions that have not run lately. */
const early = 2000
/** Files in the directory: each is of another program, Node or set of flags, or was left unfinished by a killed process. */
const mostFiles = 8

export interface CompiledCodePlace {
  /** A directory that only the user can enter; null to save nothing. */
  readonly directory: string | null
  /** The command line's command: each calls other functions. */
  readonly command: string
}

/**
 * Runs a CommonJS file of the bundle and the chunks that it requires, with the code that V8 compiled for them in earlier
 * processes. Node's own cache (`enableCompileCache`) is written before a module runs, so it lacks every function that is
 * compiled on its first call; those are most of what a start compiles.
 *
 * One file holds the code of all chunks. It begins with a line of how many processes of each command have added to it
 * (`run=3 plan=1`), a line for each chunk (name, checksum of its source, checksum and size of its code) and an empty line; the
 * code follows. V8 rejects code from another version or processor. The checksums catch a changed source and a damaged file.
 */
export function runWithCompiledCode(
  entry: string,
  { directory, command }: CompiledCodePlace,
): void {
  const folder = dirname(entry)
  const chunks = new Map<string, Chunk>()
  if (directory === null) return void loader(folder, emptyPack(), chunks)(entry)
  const path = join(directory, packName(folder))
  const pack = readPack(path)
  loader(folder, pack, chunks)(entry)
  const save = () => {
    try {
      saveCode({ path, folder, command, pack, chunks })
    } catch {
      // Nothing depends on it: the next start compiles again.
    }
  }
  setTimeout(save, early).unref()
  process.on('exit', save)
}

interface Code {
  readonly sourceSum: number
  readonly codeSum: number
  readonly code: Buffer
}

interface Pack {
  /** The number of processes of each command that have added code. */
  readonly added: ReadonlyMap<string, number>
  readonly codes: Map<string, Code>
}

interface Chunk {
  readonly script: Script
  readonly sourceSum: number
  /** True when V8 accepted saved code. */
  readonly wasSaved: boolean
}

const emptyPack = (): Pack => ({ added: new Map(), codes: new Map() })

/** One file for each program, Node and set of flags: sharing one, they would overwrite each other's code at every start. */
function packName(folder: string): string {
  const circumstances = [folder, process.env.NODE_OPTIONS ?? '', ...process.execArgv].join('\0')
  return `${process.version}-${process.arch}-${crc32(circumstances).toString(16)}`
}

function readPack(path: string): Pack {
  try {
    if (!isPrivate(path)) return emptyPack()
    const all = readFileSync(path)
    const end = all.indexOf('\n\n')
    const [added = '', ...lines] = all.toString('latin1', 0, end).split('\n')
    const codes = new Map<string, Code>()
    let start = end + 2
    for (const line of lines) {
      const [name = '', sourceSum, codeSum, bytes] = line.split(' ')
      const code = all.subarray(start, start + Number(bytes))
      codes.set(name, { sourceSum: Number(sourceSum), codeSum: Number(codeSum), code })
      start += Number(bytes)
    }
    const counts = [...added.matchAll(/([a-z]+)=(\d+)/g)]
    return { added: new Map(counts.map(([, name = '', count]) => [name, Number(count)])), codes }
  } catch {
    return emptyPack()
  }
}

/** Returns true for a file that only this user can have written: its code runs. */
function isPrivate(path: string): boolean {
  const found = lstatSync(path)
  return found.isFile() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0
}

/** Loads a chunk by its path. A chunk's `require` loads other chunks the same way and leaves everything else to Node. */
function loader(folder: string, pack: Pack, chunks: Map<string, Chunk>): (id: string) => unknown {
  const modules = new Map<string, { exports: unknown }>()
  const others = createRequire(join(folder, 'any'))
  const isChunk = (id: string) => id.startsWith('./') && id.endsWith('.cjs')
  const load = (path: string): unknown => {
    const known = modules.get(path)
    if (known !== undefined) return known.exports
    const module = { exports: {} }
    modules.set(path, module)
    const name = basename(path)
    const chunk = compile(path, pack.codes.get(name))
    if (!chunk.wasSaved) pack.codes.delete(name)
    chunks.set(name, chunk)
    chunk.script.runInThisContext()(module.exports, require, module, path, folder)
    return module.exports
  }
  const require = Object.assign(
    (id: string) => (isChunk(id) ? load(join(folder, id)) : others(id)),
    { resolve: others.resolve },
  )
  return load
}

const wrapper = '(function(exports,require,module,__filename,__dirname){'

function compile(path: string, saved: Code | undefined): Chunk {
  // The build writes only ASCII.
  const source = readFileSync(path, 'latin1')
  const sourceSum = crc32(source)
  const fits = saved?.sourceSum === sourceSum && crc32(saved.code) === saved.codeSum
  const script = new Script(`${wrapper}${source}\n})`, {
    filename: path,
    columnOffset: -wrapper.length,
    ...(fits ? { cachedData: saved.code } : {}),
  })
  return { script, sourceSum, wasSaved: fits && script.cachedDataRejected === false }
}

interface Used {
  readonly path: string
  readonly folder: string
  readonly command: string
  readonly pack: Pack
  readonly chunks: ReadonlyMap<string, Chunk>
}

function saveCode({ path, folder, command, pack, chunks }: Used): void {
  const before = pack.added.get(command) ?? 0
  const isNew = [...chunks.values()].some(({ wasSaved }) => !wasSaved)
  if (!isNew && before >= enough) return
  for (const [name, { script, sourceSum }] of chunks) {
    const code = script.createCachedData()
    // V8 has dropped functions since: the code that was saved has more.
    if ((pack.codes.get(name)?.code.length ?? 0) > code.length) continue
    pack.codes.set(name, { sourceSum, codeSum: crc32(code), code })
  }
  const added = new Map([...pack.added, [command, isNew ? 1 : before + 1]])
  const codes = [...pack.codes].filter(([name]) => existsSync(join(folder, name)))
  writePack(path, { added, codes: new Map(codes) })
}

/** Replaces the file in one step, so that no process reads half of it. */
function writePack(path: string, { added, codes }: Pack): void {
  const counts = [...added].map(([name, count]) => `${name}=${count}`).join(' ')
  const lines = [...codes].map(
    ([name, { sourceSum, codeSum, code }]) => `${name} ${sourceSum} ${codeSum} ${code.length}`,
  )
  const head = Buffer.from(`${[counts, ...lines].join('\n')}\n\n`, 'latin1')
  const unfinished = `${path}.${process.pid}`
  try {
    const all = Buffer.concat([head, ...[...codes.values()].map(({ code }) => code)])
    writeFileSync(unfinished, all, { mode: 0o600 })
    renameSync(unfinished, path)
    removeOldest(dirname(path))
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
}

function removeOldest(directory: string): void {
  const files = readdirSync(directory)
    .map((name) => join(directory, name))
    .map((path) => ({ path, changed: lstatSync(path).mtimeMs }))
    .sort((a, b) => b.changed - a.changed)
  for (const { path } of files.slice(mostFiles)) rmSync(path)
}
