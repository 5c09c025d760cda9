import { randomUUID } from 'node:crypto'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsdown'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')

/** Builds `dist/` when something it is made of is newer; vitest calls it before the bundle's tests. */
export default async function buildOnce(): Promise<void> {
  const built = await modifiedAt(join(dist, 'action.cjs'))
  if (built >= (await newestSource())) return
  const fresh = join(root, 'node_modules', `.dist-new-${randomUUID()}`)
  const old = join(root, 'node_modules', `.dist-old-${randomUUID()}`)
  try {
    await build({ cwd: root, outDir: fresh, logLevel: 'warn' })
    // Put in place by renaming, so that two runs at once never see half a bundle.
    await rename(dist, old).catch(() => {})
    await rename(fresh, dist)
  } finally {
    await rm(fresh, { recursive: true, force: true })
    await rm(old, { recursive: true, force: true })
  }
}

async function newestSource(): Promise<number> {
  const inside = await readdir(join(root, 'src'), { recursive: true })
  const sources = [
    ...inside.map((path) => join('src', path)),
    'tsdown.config.ts',
    'package-lock.json',
  ]
  return Math.max(...(await Promise.all(sources.map((path) => modifiedAt(join(root, path))))))
}

/** Milliseconds; 0 for what is not there. */
async function modifiedAt(path: string): Promise<number> {
  const found = await stat(path).catch(() => null)
  return found === null ? 0 : found.mtimeMs
}
