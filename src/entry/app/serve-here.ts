import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { serveTrigger } from '../../runs/serve-trigger.ts'
import { logProgress } from '../action/log-progress.ts'
import { cacheDirectory } from '../cache-directory.ts'
import { composeGitHub } from '../compose/compose-github.ts'
import { findApiKey } from '../compose/compose-local.ts'
import { combineObservers } from '../observe/combine-observers.ts'
import { jobLog } from './app-log.ts'
import type { ServeRepository } from './serve-job.ts'

/**
 * `runner: local`: the pass that the Action makes, on this machine. What a repository's last job left
 * here (state, our clone, installed dependencies) is the next one's: a job that was killed goes on.
 */
export const serveHere: ServeRepository = async (trigger, place, signal) => {
  const { owner, repo, settings, token, login, log, defaultBranch, serverUrl, apiUrl } = place
  const temporary = join(cacheDirectory(), 'app', owner.toLowerCase(), repo.toLowerCase())
  const workspace = join(temporary, 'work')
  await mkdir(workspace, { recursive: true, mode: 0o700 })
  const session = await composeGitHub({
    place: {
      ...{ owner, repo, serverUrl, apiUrl, workspace, temporary },
      base: defaultBranch,
      checkedOut: false,
    },
    ...{ settings, token, login, signal, log, lines: jobLog(log) },
    // It lives as long as the App.
    telemetry: { ...place.telemetry, close: async () => {} },
    apiKey: findApiKey(settings, process.env),
  })
  const say = (line: string) => log(session.redact(line))
  const observer = combineObservers(logProgress(say, settings), session.observer)
  try {
    const request = { trigger, dryRun: false, signal, say, observer }
    await serveTrigger(request, session)
    if (signal.aborted) return { status: 'again', reason: 'the App stops' }
    return { status: 'done' }
  } finally {
    await session.close()
  }
}
