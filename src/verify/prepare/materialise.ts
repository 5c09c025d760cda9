import { changesOf } from '../../core/domain/attempt.ts'
import type { Attempt } from '../../core/domain/run-state.ts'
import type { Folder } from '../../core/ports/workspace.ts'
import type { Ports } from '../../core/ports.ts'

export type Materialised =
  | { readonly status: 'written'; readonly folder: Folder }
  | { readonly status: 'refused'; readonly path: string; readonly reason: string }

/** The attempt's folder, made anew: the start commit's files, the change set over them, and the locks made of it. */
export async function materialise(
  attempt: Attempt,
  ports: Pick<Ports, 'workspace'>,
): Promise<Materialised> {
  const folder = await ports.workspace.checkOut(attempt.task.id, attempt.start.sha)
  const written = await ports.workspace.write(folder, changesOf(attempt.draft))
  return written.status === 'written' ? { status: 'written', folder } : written
}
