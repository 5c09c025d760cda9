import { join } from 'node:path'
import type { Plugin } from 'vite'
import { type Bug, plant } from '../plant-bugs.ts'

const root = join(import.meta.dirname, '../..')

/** The environment's variable with a bug as JSON: `planted-findings` sets it for a run of its own. */
export const variable = 'EXECUTOR_PLANTED_BUG'

/** Has vitest load one source with the bug that the environment names. */
export function plantedBug(): Plugin[] {
  const given = process.env[variable]
  if (given === undefined) return []
  const bug = JSON.parse(given) as Bug
  const file = join(root, bug.file)
  return [
    {
      name: 'planted-bug',
      enforce: 'pre',
      transform: (code, id) => (id.replace(/\?.*$/, '') === file ? plant(bug, code) : null),
    },
  ]
}
