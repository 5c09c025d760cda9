import type { Scene } from '../exchange.ts'
import { followGit } from '../follow-git.ts'
import type { Check } from '../records.ts'

/** Reports a check's state; an auto-merge that waited for it continues. */
export async function noteCheck(
  scene: Scene,
  check: Omit<Check, 'id' | 'at'> & { readonly id?: number },
): Promise<Check> {
  const { store, repository } = scene
  const noted: Check = { ...check, id: check.id ?? store.nextId(), at: store.now() }
  const known = repository.checks.findIndex(({ id }) => id === noted.id)
  if (known === -1) repository.checks.push(noted)
  else repository.checks[known] = noted
  await followGit(scene)
  return noted
}
