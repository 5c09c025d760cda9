/** Reads the objects of a repository. */
import type { Readable } from 'node:stream'
import { takingTurns } from '../../../packages/text/text.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import { gitText, startGit } from './git.ts'

/** Describes the objects that the expressions name; `null` for missing ones. */
export async function describeObjects(
  gitDir: string,
  expressions: readonly string[],
): Promise<
  readonly ({ readonly sha: string; readonly type: string; readonly size: number } | null)[]
> {
  if (expressions.length === 0) return []
  const input = `${expressions.join('\n')}\n`
  const output = await gitText(['cat-file', '--batch-check'], { gitDir, input })
  return output.split('\n').map((line) => {
    const [, sha = '', type = '', size] = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(line) ?? []
    return size === undefined ? null : { sha, type, size: Number(size) }
  })
}

type ReadObjects = (shas: readonly string[]) => Promise<ReadonlyMap<string, Buffer>>

/** One process per repository: starting git takes longer than its answer, so it stays a while. */
const readers = new Map<string, ReadObjects>()

/** Reads existing objects by name. @throws ExecutorError `git_missing`, `git_failed` */
export async function readObjects(
  gitDir: string,
  shas: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  if (shas.length === 0) return new Map()
  const read = () => (readers.get(gitDir) ?? openReader(gitDir))(shas)
  // An older reader may have ended, or may not see new objects.
  return readers.has(gitDir) ? read().catch(read) : read()
}

const idleMilliseconds = 2_000

/** Reads the output of `git cat-file --batch`, one object at a time; `null` for a missing one. */
function objectsOf(stdout: Readable): () => Promise<Buffer | null> {
  const chunks = stdout[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  const more = async () => {
    const { value, done } = await chunks.next()
    if (done === true) throw new ExecutorError('git_failed', 'git cat-file: it ended early')
    return value as Buffer
  }
  const take = async (size: number): Promise<Buffer> => {
    const parts = [rest]
    for (let have = rest.length; have < size; have += parts.at(-1)?.length ?? 0) {
      parts.push(await more())
    }
    if (parts.length > 1) rest = Buffer.concat(parts)
    const taken = rest.subarray(0, size)
    // A copy, so that what was taken is not held until the next question.
    rest = Buffer.from(rest.subarray(size))
    return taken
  }
  return async () => {
    while (!rest.includes('\n')) rest = Buffer.concat([rest, await more()])
    const header = (await take(rest.indexOf('\n') + 1)).toString('latin1')
    const size = Number(header.split(' ')[2])
    if (!Number.isInteger(size)) return null
    return (await take(size + 1)).subarray(0, size)
  }
}

/** A `git cat-file --batch` that answers one request at a time and keeps no process alive. */
function openReader(gitDir: string): ReadObjects {
  const child = startGit(['cat-file', '--batch'], { gitDir }, 'pipe')
  const { stdin, stdout } = child
  if (stdin === null || stdout === null) throw new Error('git cat-file has no pipes.')
  const all = [child, ...child.stdio].filter((each) => each != null && 'unref' in each)
  child.on('error', (cause) =>
    stdout.destroy(new ExecutorError('git_missing', cause.message, { cause })),
  )
  stdin.on('error', () => {})
  child.stderr?.resume()
  const readOne = objectsOf(stdout)
  const read = async (shas: readonly string[]) => {
    clearTimeout(idle)
    for (const each of all) each.ref()
    stdin.write(`${shas.join('\n')}\n`)
    try {
      const found: (readonly [sha: string, content: Buffer | null])[] = []
      for (const sha of shas) found.push([sha, await readOne()])
      return found
    } catch (error) {
      end()
      throw error
    } finally {
      for (const each of all) each.unref()
      idle = setTimeout(end, idleMilliseconds).unref()
    }
  }
  let idle: NodeJS.Timeout | undefined
  const inTurn = takingTurns()
  const reader: ReadObjects = async (shas) => {
    const found = await inTurn(() => read(shas))
    const contents = new Map(found.flatMap(([sha, content]) => (content ? [[sha, content]] : [])))
    const missing = found.find(([, content]) => content === null)
    if (missing === undefined) return contents
    // Requests that already wait here still get their answer.
    forget()
    throw new ExecutorError('git_failed', `git cat-file: ${missing[0]} cannot be read`)
  }
  const forget = () => {
    if (readers.get(gitDir) === reader) readers.delete(gitDir)
  }
  const end = () => {
    forget()
    stdin.end()
    stdout.destroy()
  }
  readers.set(gitDir, reader)
  return reader
}
