import type { IndexPlace } from '../../adapters/sqlite-index.ts'
import { createSystemClock } from '../../adapters/system.ts'
import { findRepository } from '../../adapters/user-checkout.ts'
import { loadRoadmap } from '../../tasks/load-roadmap.ts'
import { missingRoadmap } from '../../tasks/missing-roadmap.ts'
import { openWorkspace } from '../compose/compose-local.ts'
import { loadSettings } from './load-settings.ts'
import type { Terminal } from './terminal.ts'

/**
 * Opens a repository for reading: no lock, no model, no writes but those of an index.
 *
 * @param indexIn where an index of the code is kept, by the repository's folder; without it there is none
 * @throws ExecutorError `not_a_repository`, `config_invalid`, `no_roadmap`
 */
export async function openRoadmap(
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
  indexIn?: (root: string) => IndexPlace,
) {
  const { root } = await findRepository(terminal.directory)
  const settings = await loadSettings(root, flags, terminal)
  const workspace = await openWorkspace(root, settings, createSystemClock(), {
    index: indexIn?.(root),
  })
  const view = await workspace.refresh()
  const where = { roadmap: { base: view.base, path: settings.roadmap } }
  const roadmap = await loadRoadmap(where, { workspace, settings })
  if (roadmap === null) throw await missingRoadmap(view.base.sha, { workspace, settings })
  return { root, settings, workspace, view, roadmap }
}
