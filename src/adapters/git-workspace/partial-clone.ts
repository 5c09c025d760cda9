/** Partial clones (`git clone --filter`): objects that only the server has are fetched in one request. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { countOf } from '../../../packages/text/text.ts'
import { ExecutorError } from '../../core/domain/errors.ts'
import type { Clone, SourceRepository } from './clone.ts'
import { checkSha, type GitCall, gitText, runGit } from './git.ts'

/** As git itself fetches a missing object. */
const fetching = [
  ...['-c', 'fetch.negotiationAlgorithm=noop', 'fetch', '--quiet', '--no-tags'],
  ...['--no-write-fetch-head', '--recurse-submodules=no', '--filter=blob:none', '--stdin'],
]

/**
 * Fetches into the user's repository what a commit needs and a partial clone lacks. Does nothing in any other
 * repository.
 *
 * @throws ExecutorError `git_failed`
 */
export async function fetchMissing(
  { gitDir }: Clone,
  source: SourceRepository,
  sha: string,
): Promise<void> {
  const packs = await readdir(join(source.commonDir, 'objects/pack')).catch(() => [])
  if (!packs.some((name) => name.endsWith('.promisor'))) return
  const asUser = { directory: source.commonDir, configuration: 'users' } as const
  // A tree that was missing may need more.
  for (let missing = await list(gitDir, sha); missing.length > 0; ) {
    const remote = await remoteOf(asUser)
    const run = await runGit([...fetching, '--', remote], { ...asUser, input: missing.join('\n') })
    const left = run.code === 0 ? await list(gitDir, sha) : missing
    if (left.some((each) => missing.includes(each)))
      throw new ExecutorError(
        'git_failed',
        `this is a partial clone, and ${countOf(missing.length, 'object')} of ${sha.slice(0, 7)} cannot be fetched from ${remote}: ${run.stderr} Fetch everything: git fetch --refetch --no-filter`,
      )
    missing = left
  }
}

/** The objects of a commit that are not here. */
async function list(gitDir: string, sha: string): Promise<readonly string[]> {
  const listing = ['rev-list', '--objects', '--missing=print', '--max-count=1', checkSha(sha)]
  return (await gitText(listing, { gitDir })).match(/(?<=^\?)[0-9a-f]+$/gm) ?? []
}

/** The remote that promised to have them. */
async function remoteOf(call: GitCall): Promise<string> {
  const asked = ['config', '--name-only', '--get-regexp', '^remote\\..*\\.promisor$']
  const names = (await runGit(asked, call)).text.split('\n')
  const found = names.flatMap((name) => /^remote\.(.+)\.promisor$/.exec(name)?.[1] ?? [])
  return found[0] ?? 'origin'
}
