import type { IncomingMessage } from 'node:http'
import type { Answer } from './answer.ts'
import { tellOfPushes } from './changes/push.ts'
import { followGit } from './follow-git.ts'
import { answerAsGit, readGitUrl } from './git-http.ts'
import { mayAt, maySee } from './permissions.ts'
import { identify, type Recording, type Running } from './running.ts'
import { findRepository } from './store.ts'

/** One request of git's smart HTTP: open to read, with a writer's token to push. */
export async function answerGit(
  running: Running,
  request: IncomingMessage,
  record: Recording,
  url: URL,
): Promise<Answer> {
  const git = readGitUrl(url)
  if (git === null) return refuse(404, 'Not Found')
  const token = identify(running.store, request.headers.authorization)
  const viewer = token === null ? null : token?.person
  record.login = viewer?.login ?? null
  if (viewer === undefined || (git.writes && viewer === null)) {
    return refuse(401, 'Authentication failed', { 'www-authenticate': 'Basic realm="GitHub"' })
  }
  const repository = findRepository(running.store, git.owner, git.name)
  if (repository === undefined || !maySee(repository, viewer))
    return refuse(404, 'Repository not found.')
  const isOutside = token?.repositories?.has(repository.id) === false
  if (git.writes && viewer !== null && (isOutside || !mayAt('write', repository, viewer))) {
    return refuse(403, `Permission to ${git.owner}/${git.name}.git denied to ${viewer.login}.`)
  }
  const before = git.writes ? await repository.git.refs() : null
  const answer = await answerAsGit(request, url, git, repository, viewer, running.hooks)
  if (before !== null && viewer !== null) {
    const scene = { store: running.store, repository, viewer }
    await running.inTurn(async () => {
      await tellOfPushes(scene, before)
      await followGit(scene)
    })
  }
  return answer
}

const refuse = (status: number, body: string, headers = {}): Answer => ({
  status,
  headers: { 'content-type': 'text/plain', ...headers },
  body,
})
