import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { removeAbandoned, removeFolder, resolveIn } from '../files/files.ts'
import type { Sandbox } from './port.ts'

type DependencyDoors = Pick<Sandbox, 'dependencyCache' | 'completeCache' | 'installed'>

/** Files that an installer leaves in `node_modules` when it finishes, by lock file. */
const finishedMarks: Readonly<Record<string, readonly string[]>> = {
  'package-lock.json': ['.package-lock.json'],
  'npm-shrinkwrap.json': ['.package-lock.json'],
  'package.json': ['.package-lock.json'],
  'pnpm-lock.yaml': ['.modules.yaml'],
  'yarn.lock': ['.yarn-integrity', '.yarn-state.yml'],
  'bun.lock': ['.'],
  'bun.lockb': ['.'],
}

/**
 * A cache entry is filled in a process's own directory and then renamed, so that an installation
 * that was killed or is still running never counts as complete. Names contain the platform and Node
 * version, on which compiled packages depend.
 */
export function dependencyDoors(cacheDirectory: string, checkout: string | null): DependencyDoors {
  const root = join(cacheDirectory, 'dependencies')
  const major = process.versions.node.split('.')[0]
  const finished = (key: string) =>
    join(root, `${key}-${process.platform}-${process.arch}-node${major}`)
  const unfinished = (key: string) => `${finished(key)}.${process.pid}.partial`
  return {
    async dependencyCache(key) {
      if (existsSync(finished(key))) return { path: finished(key), ready: true }
      await removeAbandoned(root, fillerOf)
      await removeFolder(unfinished(key))
      await mkdir(unfinished(key), { recursive: true })
      return { path: unfinished(key), ready: false }
    },
    async completeCache(key, shown) {
      for (const path of shown) {
        const made = join(unfinished(key), path)
        if (!existsSync(made) || (await resolveIn(unfinished(key), path)) !== null) continue
        await removeFolder(unfinished(key))
        return false
      }
      try {
        await rename(unfinished(key), finished(key))
      } catch (error) {
        if (!existsSync(finished(key))) throw error
        await removeFolder(unfinished(key))
      }
      return true
    },
    installed: async (lockPath, lockText) =>
      checkout === null ? null : await installedIn(checkout, lockPath, lockText),
  }
}

/** The process of a partial entry. */
function fillerOf(name: string): number | null {
  const pid = /\.(\d+)\.partial$/.exec(name)?.[1]
  return pid === undefined ? null : Number(pid)
}

/** Finds the `node_modules` next to this lock if it was installed from exactly this lock. */
async function installedIn(
  checkout: string,
  lockPath: string,
  lockText: string,
): Promise<string | null> {
  const lock = join(checkout, lockPath)
  const modules = join(dirname(lock), 'node_modules')
  const marks = finishedMarks[lockPath.slice(lockPath.lastIndexOf('/') + 1)] ?? []
  const mark = marks.map((name) => join(modules, name)).find(existsSync)
  if (mark === undefined) return null
  try {
    if ((await readFile(lock, 'utf8')) !== lockText) return null
    if (mark.endsWith('.package-lock.json') && !lockPath.endsWith('package.json')) {
      return sameVersions(lockText, await readFile(mark, 'utf8')) ? modules : null
    }
    const [read, made] = await Promise.all([stat(lock), stat(mark)])
    return made.mtimeMs >= read.mtimeMs ? modules : null
  } catch {
    return null
  }
}

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), optional: z.boolean().optional() }),
  ),
})

/** npm records what it installed in the lock's format: every package must match the lock. */
function sameVersions(lockText: string, installedText: string): boolean {
  const wanted = lockFile.parse(JSON.parse(lockText)).packages
  const present = lockFile.parse(JSON.parse(installedText)).packages
  return Object.entries(wanted).every(([place, { version, optional }]) => {
    if (!place.includes('node_modules/')) return true
    const found = present[place]
    return found === undefined ? optional === true : found.version === version
  })
}
