/**
 * Allows one run at a time in a directory. The lock names its process; a dead process loses it. A
 * process on another machine or in another container cannot be checked, so the lock's age decides.
 */
import { randomUUID } from 'node:crypto'
import { link, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { errorCode, processExists } from '../../../packages/files/files.ts'
import { readStored } from '../../../packages/text/text.ts'
import { ExecutorError } from '../../core/domain/errors.ts'

export interface RunLock {
  release(): Promise<void>
}

const ownerShape = z.object({
  pid: z.int().positive(),
  host: z.string(),
  /** The system's own notation of when the process started; `null` if unknown. */
  started: z.string().nullable(),
  since: z.string(),
})

type Owner = z.infer<typeof ownerShape>

const heartbeatSeconds = 15
const silentSeconds = 120
const takingSeconds = 10
const tries = 5

/** @throws ExecutorError `another_run` */
export async function acquireLock(directory: string): Promise<RunLock> {
  const path = join(directory, 'lock')
  const text = JSON.stringify({
    pid: process.pid,
    host: hostname(),
    started: (await statusOf(process.pid)).started,
    since: new Date().toISOString(),
  } satisfies Owner)
  for (let attempt = 0; attempt < tries; attempt++) {
    if (await createWhole(path, text)) return hold(path, text)
    await removeDead(path)
  }
  throw new ExecutorError('another_run', path)
}

/** Returns the living process that holds the lock, or `null`. Writes nothing. */
export async function findWorker(
  directory: string,
): Promise<Pick<Owner, 'pid' | 'host' | 'since'> | null> {
  const path = join(directory, 'lock')
  const text = await readOrNull(path)
  const owner = text === null ? null : readStored(ownerShape, text)
  return owner !== null && (await isAlive(path, owner)) ? owner : null
}

/** Creates the file with its text in one step; returns false if it exists. */
async function createWhole(path: string, text: string): Promise<boolean> {
  const temporary = `${path}.${randomUUID()}`
  await writeFile(temporary, text, { flag: 'wx', mode: 0o600 })
  try {
    await link(temporary, path)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  } finally {
    await rm(temporary, { force: true })
  }
}

function hold(path: string, text: string): RunLock {
  const timer = setInterval(() => {
    const now = new Date()
    utimes(path, now, now).catch(() => {})
  }, heartbeatSeconds * 1000)
  timer.unref()
  return {
    async release() {
      clearInterval(timer)
      // A lock that stays names a dead process, so the next run takes it over.
      if ((await readOrNull(path)) === text) await rm(path, { force: true }).catch(() => {})
    },
  }
}

/** Removes a dead owner's lock. One process at a time: the next lock may belong to a living one. */
async function removeDead(path: string): Promise<void> {
  const text = await readOrNull(path)
  if (text === null) return
  const owner = readStored(ownerShape, text)
  if (await isAlive(path, owner)) {
    const who = owner ? `process ${owner.pid} on ${owner.host} since ${owner.since}, ` : ''
    throw new ExecutorError('another_run', `${who}${path}`)
  }
  const turn = `${path}.taking`
  if (!(await createWhole(turn, text))) {
    if ((await ageOf(turn)) > takingSeconds) await rm(turn, { force: true })
    return
  }
  try {
    if ((await readOrNull(path)) === text) await rm(path, { force: true })
  } finally {
    await rm(turn, { force: true })
  }
}

async function isAlive(path: string, owner: Owner | null): Promise<boolean> {
  if (owner === null || owner.host !== hostname()) {
    return (await ageOf(path)) < silentSeconds
  }
  if (!processExists(owner.pid)) return false
  const { state, started } = await statusOf(owner.pid)
  // The process is dead, but its parent has not collected it yet.
  if (state === 'Z' || state === 'X') return false
  // It has ended since the first question.
  if (state === null && !processExists(owner.pid)) return false
  return owner.started === null || started === null || started === owner.started
}

/** Seconds since the file was last written or touched; 0 without a file. */
export async function ageOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => null)
  return found ? (Date.now() - found.mtimeMs) / 1000 : 0
}

/** Reads state and start time from Linux's `/proc/PID/stat`; the latter detects a reused PID. */
async function statusOf(pid: number) {
  const line = (await readOrNull(`/proc/${pid}/stat`)) ?? ''
  const { 0: state = null, 19: started = null } = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return { state, started }
}

const readOrNull = (path: string): Promise<string | null> =>
  readFile(path, 'utf8').catch(() => null)
