import { createSystemClock } from '../../adapters/system-clock.ts'
import { findRepository } from '../../adapters/user-checkout.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { Settings } from '../../core/domain/settings.ts'
import type { Roadmap } from '../../core/domain/task.ts'
import type { RepositoryView, Workspace } from '../../core/ports/workspace.ts'
import { loadRoadmap } from '../../roadmap/load-roadmap.ts'
import { openWorkspace } from '../compose/local-workspace.ts'
import { loadSettings } from './load-settings.ts'
import type { Terminal } from './terminal.ts'

/** A repository to look at: no lock, no model, nothing written into it. */
export interface OpenRepository {
  readonly root: string
  readonly settings: Settings
  readonly workspace: Workspace
  readonly view: RepositoryView
  readonly roadmap: Roadmap
}

/** @throws ExecutorError `not_a_repository`, `config_invalid`, `no_roadmap` */
export async function openRepository(
  flags: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): Promise<OpenRepository> {
  const { root } = await findRepository(terminal.directory)
  const settings = await loadSettings(root, flags, terminal)
  const workspace = await openWorkspace(root, settings, createSystemClock())
  const view = await workspace.refresh()
  const where = { roadmap: { base: view.base, path: settings.roadmap } }
  const roadmap = await loadRoadmap(where, { workspace, settings })
  if (roadmap === null) throw new ExecutorError('no_roadmap', settings.roadmap)
  return { root, settings, workspace, view, roadmap }
}
