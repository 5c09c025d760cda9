/** Objects of a repository: what they are, and what they hold. */
import { ExecutorError } from '../../core/domain/errors.ts'
import { gitText, startGit } from './git.ts'

/** What objects are, by the expressions that lead to them; `null` for what is not there. */
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

/** By repository: starting a git takes longer than its answer, so one stays for a while. */
const readers = new Map<string, ReadObjects>()

/** The contents of objects that are there, by name. @throws ExecutorError `git_missing` */
export async function readObjects(
  gitDir: string,
  shas: readonly string[],
): Promise<ReadonlyMap<string, Buffer>> {
  if (shas.length === 0) return new Map()
  const read = () => (readers.get(gitDir) ?? openReader(gitDir))(shas)
  // One that was there before may have ended since, or know less than one that is started now.
  return readers.has(gitDir) ? read().catch(read) : read()
}

const idleMilliseconds = 2_000

/** A `git cat-file --batch` that answers one question after the other, and keeps no process from its end. */
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
  const chunks = stdout[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  const more = async () => {
    const { value, done } = await chunks.next()
    if (done === true) throw new Error('git cat-file ended.')
    return value as Buffer
  }
  const take = async (size: number): Promise<Buffer> => {
    const parts = [rest]
    for (let have = rest.length; have < size; have += parts.at(-1)?.length ?? 0) {
      parts.push(await more())
    }
    if (parts.length > 1) rest = Buffer.concat(parts)
    const taken = rest.subarray(0, size)
    rest = rest.subarray(size)
    return taken
  }
  const readOne = async (sha: string): Promise<Buffer> => {
    while (!rest.includes('\n')) rest = Buffer.concat([rest, await more()])
    const header = (await take(rest.indexOf('\n') + 1)).toString('latin1')
    const size = Number(header.split(' ')[2])
    if (!Number.isInteger(size)) throw new Error(`git cat-file: ${sha} cannot be read`)
    return (await take(size + 1)).subarray(0, size)
  }
  const read = async (shas: readonly string[]) => {
    clearTimeout(idle)
    for (const each of all) each.ref()
    stdin.write(`${shas.join('\n')}\n`)
    const contents = new Map<string, Buffer>()
    try {
      for (const sha of shas) contents.set(sha, await readOne(sha))
      return contents
    } catch (error) {
      forget()
      throw error
    } finally {
      for (const each of all) each.unref()
      idle = setTimeout(forget, idleMilliseconds).unref()
    }
  }
  let idle: NodeJS.Timeout | undefined
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn: ReadObjects = (shas) => {
    const reading = turn.then(() => read(shas))
    turn = reading.catch(() => {})
    return reading
  }
  const forget = () => {
    if (readers.get(gitDir) === inTurn) readers.delete(gitDir)
    stdin.end()
    stdout.destroy()
  }
  readers.set(gitDir, inTurn)
  return inTurn
}
