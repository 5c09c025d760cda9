import { ExecutorError } from '../../core/domain/errors.ts'
import type { ForgeRefusal, ForgeResult } from '../../core/ports/forge.ts'
import type { GitHubRepository } from './client.ts'
import { toRefusal } from './failure.ts'

/** What becomes of a request that fails, in the words of the ports. */
export interface Answers {
  orRefusal<T>(work: Promise<T>): Promise<T | ForgeRefusal>
  asResult<T>(work: Promise<T>): Promise<ForgeResult<T>>
  done(work: Promise<unknown>): Promise<ForgeResult<null>>
  /** For what there is no going on without. @throws ExecutorError */
  orThrow<T>(work: Promise<T>): Promise<T>
}

export function answersOf({ target }: GitHubRepository): Answers {
  const orRefusal = <T>(work: Promise<T>): Promise<T | ForgeRefusal> =>
    work.catch((error: unknown) => toRefusal(error, `${target.owner}/${target.repo}`))
  const asResult = <T>(work: Promise<T>): Promise<ForgeResult<T>> =>
    orRefusal(work.then((value) => ({ status: 'ok', value }) as const))
  return {
    orRefusal,
    asResult,
    done: (work) => asResult(work.then(() => null)),
    async orThrow(work) {
      const result = await asResult(work)
      if (result.status === 'ok') return result.value
      throw new ExecutorError(result.code, result.detail)
    },
  }
}
