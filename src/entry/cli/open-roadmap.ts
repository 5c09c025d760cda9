import { createSystemClock } from '../../adapters/system-clock.ts'
import { findRepository } from '../../adapters/user-checkout.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import { loadRoadmap } from '../../roadmap/load-roadmap.ts'
import { openWorkspace } from '../compose/local-workspace.ts'
import { loadSettings } from './load-settings.ts'
import type { Terminal } from './terminal.ts'

/**
 * Opens a repository for reading: no lock, no model, no writes.
 *
 * @throws ExecutorError `not_a_repository`, `config_invalid`, `no_roadmap`
 */
export async function openRoadmap(flags: Readonly<Record<string, unknown>>, terminal: Terminal) {
  const { root } = await findRepository(terminal.directory)
  const settings = await loadSettings(root, flags, terminal)
  const workspace = await openWorkspace(root, settings, createSystemClock())
  const view = await workspace.refresh()
  const where = { roadmap: { base: view.base, path: settings.roadmap } }
  const roadmap = await loadRoadmap(where, { workspace, settings })
  if (roadmap === null) throw new ExecutorError('no_roadmap', settings.roadmap)
  return { root, settings, workspace, view, roadmap }
}
