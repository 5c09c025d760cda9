import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { composeGitHub } from '../compose/compose-github.ts'
import { cacheDirectory } from '../own-directory.ts'
import { jobLog } from './app-log.ts'
import type { LocalPlace, OpenSession } from './open-place.ts'

/** The folder of a repository's jobs. */
export const appFolderOf = ({ owner, repo }: Pick<LocalPlace, 'owner' | 'repo'>): string =>
  join(cacheDirectory(), 'app', owner.toLowerCase(), repo.toLowerCase())

/** Where `openAppSession` keeps the reports. */
export const workspaceIn = (folder: string): string => join(folder, 'work')

export const openAppSession: OpenSession = async (place, folder, request) => {
  const { owner, repo, settings, token, login, writes, log } = place
  const { defaultBranch, serverUrl, apiUrl } = place
  const workspace = workspaceIn(folder)
  await mkdir(workspace, { recursive: true, mode: 0o700 })
  return composeGitHub({
    place: {
      ...{ owner, repo, serverUrl, apiUrl, workspace, temporary: folder },
      base: defaultBranch,
      checkedOut: false,
    },
    ...request,
    ...{ settings, token, login, writes, log, lines: jobLog(log) },
    // It stays open as long as the App.
    telemetry: { ...place.telemetry, close: async () => {} },
  })
}
