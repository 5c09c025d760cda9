import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { cacheDirectory, makeOwnDirectory } from '../../src/entry/own-directory.ts'

let parent: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'own-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(parent, { recursive: true })
})

const others =
  process.getuid?.() === 0
    ? [['another user’s', (path: string) => chownSync(make(path), 1, 1)] as const]
    : []

function make(path: string, mode = 0o700): string {
  mkdirSync(path)
  chmodSync(path, mode)
  return path
}

it.each([
  ['new', () => undefined, true],
  ['private', (path: string) => make(path), true],
  ['readable by others', (path: string) => make(path, 0o755), false],
  ['writable by the group', (path: string) => make(path, 0o720), false],
  ['a link to a private one', (path: string) => symlinkSync(make(`${path}-far`), path), false],
  ['a file', (path: string) => writeFileSync(path, '', { mode: 0o600 }), false],
  ...others.map(([name, prepare]) => [name, prepare, false] as const),
] as const)('a directory that is %s', (_, prepare, isOwn) => {
  const path = join(parent, 'own')
  prepare(path)
  expect(makeOwnDirectory(path)).toBe(isOwn)
  if (isOwn) expect(statSync(path).mode & 0o777).toBe(0o700)
})

it('is not made where its parent is missing, or no directory', () => {
  expect(makeOwnDirectory(join(parent, 'missing/own'))).toBe(false)
  expect(makeOwnDirectory('/dev/null/own')).toBe(false)
  expect(makeOwnDirectory('/proc/own')).toBe(false)
})

it.each([
  ['XDG_CACHE_HOME', { XDG_CACHE_HOME: '/caches', HOME: '/home/ann' }, '/caches/roadmap-executor'],
  ['the home', { HOME: '/home/ann' }, '/home/ann/.cache/roadmap-executor'],
  ['an empty XDG_CACHE_HOME', { XDG_CACHE_HOME: '', HOME: '/a' }, '/a/.cache/roadmap-executor'],
  ['a relative one', { XDG_CACHE_HOME: 'src', HOME: '/a' }, '/a/.cache/roadmap-executor'],
])('the cache lies in the directory that the environment names: %s', (_, environment, path) => {
  vi.stubEnv('XDG_CACHE_HOME', undefined)
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  expect(cacheDirectory()).toBe(path)
})

it.each(['', 'relative'])('a user with the home "%s" gets a private cache', (home) => {
  vi.stubEnv('XDG_CACHE_HOME', undefined)
  vi.stubEnv('HOME', home)
  vi.stubEnv('TMPDIR', parent)
  const path = cacheDirectory()
  expect(path).toMatch(/^\/.*\/roadmap-executor-\d+(?:-|$)/)
  expect(cacheDirectory()).toBe(path)
})
