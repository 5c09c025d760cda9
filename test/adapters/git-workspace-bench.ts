import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Folder } from '../../packages/change/trees.ts'
import { createGitWorkspace, type GitWorkspaceOptions } from '../../src/adapters/git-workspace.ts'
import type { Workspace } from '../../src/core/ports/workspace.ts'
import type { WorkspaceBench } from '../contracts/workspace.ts'
import { createFakeClock } from '../fakes/fake-clock.ts'
import type { GitRepository } from './git-repository.ts'

/** A workspace on the user's repository itself, as the CLI has it. */
export function openWorkspace(
  { path, home }: Pick<GitRepository, 'path' | 'home'>,
  changed: Partial<GitWorkspaceOptions> = {},
): Promise<Workspace> {
  return createGitWorkspace({
    source: path,
    remote: path,
    token: null,
    base: null,
    home,
    identity: { name: 'Bot', email: 'bot@example.org' },
    clock: createFakeClock(),
    ...changed,
  })
}

/** The contract's bench on real folders, where others commit in `repository` itself. */
export function benchOf(workspace: Workspace, repository: GitRepository): WorkspaceBench {
  return {
    workspace,
    async push(branch, files) {
      repository.git('switch', '--quiet', '-c', branch)
      for (const [path, text] of Object.entries(files)) repository.put(path, text)
      const sha = repository.commit()
      repository.git('switch', '--quiet', 'main')
      return sha
    },
    async keepPullRequest(number, sha) {
      repository.git('update-ref', `refs/pull/${number}/head`, sha)
      const holding = repository.git('branch', '--format=%(refname:short)', '--points-at', sha)
      for (const branch of holding.split('\n')) repository.git('branch', '-D', branch)
    },
    disturb,
  }
}

export async function disturb(folder: Folder, path: string, text: string | null): Promise<void> {
  const full = join(folder.path, path)
  if (text === null) return rm(full)
  await mkdir(dirname(full), { recursive: true })
  await writeFile(full, text)
}
