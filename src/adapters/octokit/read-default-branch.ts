import type { GitHubRepository } from './client.ts'
import { hasStatus } from './failure.ts'

export interface DefaultBranch {
  readonly name: string
  /** The file's text there; `null` when there is none. */
  readonly text: string | null
  /** GitHub's time when it was asked, ISO 8601 in whole seconds: ours may be wrong. */
  readonly at: string
}

/** A small file as the default branch has it: what a pull request says does not count. */
export async function readDefaultBranch(
  { octokit, target, clock }: GitHubRepository,
  path: string,
): Promise<DefaultBranch> {
  const { data, headers } = await octokit.repos.get(target)
  const at = new Date(headers.date ?? clock.now()).toISOString().replace(/\.\d+Z$/, 'Z')
  const name = data.default_branch
  try {
    const { data: file } = await octokit.repos.getContent({ ...target, path, ref: name })
    const isFile = !Array.isArray(file) && file.type === 'file' && 'content' in file
    return { name, text: isFile ? Buffer.from(file.content, 'base64').toString() : null, at }
  } catch (error) {
    if (hasStatus(error, 404)) return { name, text: null, at }
    throw error
  }
}
