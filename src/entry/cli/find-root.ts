import { findRepository } from '../../adapters/user-checkout.ts'
import { isError } from '../../core/domain/errors.ts'

/** The repository around this folder; `null` where there is none. */
export async function findRoot(directory: string): Promise<string | null> {
  try {
    return (await findRepository(directory)).root
  } catch (error) {
    if (isError(error, 'not_a_repository', 'git_missing')) return null
    throw error
  }
}
