import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Row } from '../row.ts'
import { project } from '../workshop.ts'

/** All JavaScript of dist/, for the Action and the CLI together; wasm lies beside it. */
export async function measureBundle(): Promise<readonly Row[]> {
  const directory = join(project, 'dist')
  const scripts = (await readdir(directory)).filter((name) => /\.[cm]js$/.test(name))
  const sizes = await Promise.all(
    scripts.map(async (name) => (await stat(join(directory, name))).size),
  )
  const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6
  return [{ figure: 'bundle, JavaScript', unit: 'MB', measured: megabytes, limit: 5 }]
}
