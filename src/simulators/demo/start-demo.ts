import { type GitHubServer, startGitHubServer } from '../github/server.ts'
import { type ModelServer, startModelServer } from '../model/start-model-server.ts'
import { sampleAnswers } from './sample-answers.ts'
import { sampleFiles } from './sample-repository.ts'

export const demoRepository = { owner: 'corner', repo: 'shop' } as const
export const demoToken = 'demo-token-of-the-bot'

export interface Demo {
  readonly github: GitHubServer
  readonly model: ModelServer
  close(): Promise<void>
}

/** The demo's two servers on loopback: a GitHub with the sample repository, and its model. */
export async function startDemo(root: string): Promise<Demo> {
  const { owner, repo: name } = demoRepository
  const github = await startGitHubServer({
    root,
    repositories: [{ owner, name, seed: { files: sampleFiles } }],
    tokens: { [demoToken]: { login: 'executor[bot]', id: 101, type: 'Bot' } },
  })
  const model = await startModelServer({ script: sampleAnswers })
  return {
    github,
    model,
    async close() {
      await Promise.all([github.close(), model.close()])
    },
  }
}
