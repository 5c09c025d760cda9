/** Reads `state.json` and the previous state, trusting nothing. */

import { copyFile, lstat, mkdir, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { errorCode, replaceFile } from '../../../packages/files/files.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import { type RunState, readableVersions, storedState } from '../../core/domain/run-state.ts'
import { type LogRange, logRangeShape, readResults } from './results-log.ts'

export const newest = 'state.json'
export const previous = 'state.previous.json'
export const resultsLog = 'results.jsonl'

export type StateFile =
  | { readonly status: 'read'; readonly state: RunState; readonly range: LogRange }
  | { readonly status: 'none' }
  /** `unknown`: intact, but with a schema that this version does not read. */
  | { readonly status: 'damaged' | 'unknown'; readonly detail: string }

/** A state that another version wrote: intact, but not to be guessed at. */
class UnknownSchema extends Error {}

/**
 * @param results the schema of the results
 * @throws Error if the state is damaged or its schema number is not readable
 */
export function parseState<Results extends z.ZodType>(json: unknown, results: Results) {
  const version: unknown = Reflect.get(Object(json), 'version')
  if (Number.isInteger(version) && !readableVersions.some((each) => each === version)) {
    const read = readableVersions.join(' and ')
    throw new UnknownSchema(`it has schema ${version}; this version reads schemas ${read}`)
  }
  return storedState(results).parse(json)
}

export async function readState(directory: string, name: string): Promise<StateFile> {
  const path = join(directory, name)
  try {
    const json: unknown = JSON.parse(await readFile(path, 'utf8'))
    const state = parseState(json, logRangeShape)
    const range = state.tasks.results
    const results = await readResults(join(directory, resultsLog), range)
    return { status: 'read', state: { ...state, tasks: { ...state.tasks, results } }, range }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (errorCode(error) === 'ENOENT' && 'path' in error && error.path === path) {
      return { status: 'none' }
    }
    const why = error.message.replace(/\s+/g, ' ').slice(0, 300)
    const status = error instanceof UnknownSchema ? 'unknown' : 'damaged'
    return { status, detail: `${name}: ${why}` }
  }
}

/** Writes this state and keeps the previous one next to it. */
export async function writeState(
  directory: string,
  state: RunState,
  range: LogRange,
): Promise<void> {
  const path = join(directory, newest)
  const copy = join(directory, `${previous}.copy`)
  try {
    await copyFile(path, copy)
    await rename(copy, join(directory, previous))
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
  await replaceFile(path, JSON.stringify({ ...state, tasks: { ...state.tasks, results: range } }))
}

/** Keeps an unreadable state for people to inspect; returns its new name. */
export async function setStateAside(
  directory: string,
  status: 'damaged' | 'unknown',
): Promise<string> {
  const names = new Set(await readdir(directory))
  const aside = `${newest}.${status === 'damaged' ? 'corrupt' : 'unread'}`
  let number = 1
  while (names.has(`${aside}-${number}`)) number++
  const name = `${aside}-${number}`
  await rename(join(directory, newest), join(directory, name))
  return name
}

/** Creates the directory. Refuses a symlink: a repository can contain one that leads anywhere. */
export async function makeDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  if ((await lstat(directory)).isSymbolicLink()) {
    throw new ExecutorError('state_unwritable', `${directory} is a symlink`)
  }
}
