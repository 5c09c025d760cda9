import { type GitHubServer, startGitHubServer } from '../github/server.ts'
import { type ModelServer, startModelServer } from '../model/start-model-server.ts'
import { sampleAnswers } from './sample-answers.ts'
import { sampleFiles } from './sample-repository.ts'

export interface Demo {
  readonly github: GitHubServer
  readonly model: ModelServer
  readonly repository: { readonly owner: string; readonly repo: string }
  /** The bot's, for the GitHub server. */
  readonly token: string
  close(): Promise<void>
}

/** The demo's two servers on loopback: a GitHub with the sample repository, and its model. */
export async function startDemo(root: string): Promise<Demo> {
  const repository = { owner: 'corner', repo: 'shop' }
  const token = 'demo-token-of-the-bot'
  const github = await startGitHubServer({
    root,
    repositories: [
      { owner: repository.owner, name: repository.repo, seed: { files: sampleFiles } },
    ],
    tokens: { [token]: { login: 'executor[bot]', id: 101, type: 'Bot' } },
  })
  const model = await startModelServer({ script: sampleAnswers })
  return {
    github,
    model,
    repository,
    token,
    async close() {
      await Promise.all([github.close(), model.close()])
    },
  }
}
