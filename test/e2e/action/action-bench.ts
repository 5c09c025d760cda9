import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import type { RecordedRequest } from '../../../packages/github-simulator/github/running.ts'
import type { GitHubServerOptions } from '../../../packages/github-simulator/github/server.ts'
import type { RepositoryOptions } from '../../../packages/github-simulator/github/store.ts'
import type { ModelScript } from '../../../packages/github-simulator/model/model-script.ts'
import {
  type ModelServer,
  type ModelServerOptions,
  startModelServer,
} from '../../../packages/github-simulator/model/start-model-server.ts'
import {
  type Bench,
  openBench,
  target,
} from '../../../packages/github-simulator/test/github/bench.ts'
import { reportMarker } from '../../../src/publish/effects/comment-report.ts'
import { checkLeftEvents } from '../cli/check-events.ts'
import { type ActionResult, type ActionRun, runAction } from '../run-action.ts'

/** One workflow run: what the runner saw, and what was left in the checkout's `.executor`. */
export interface WorkflowRun extends ActionResult {
  readonly left: Readonly<Record<string, string>>
  /** What this run asked of GitHub's API, and of the model. */
  readonly apiCalls: readonly RecordedRequest[]
  readonly gitCalls: readonly RecordedRequest[]
  readonly modelCalls: number
}

export interface ActionBench extends Bench {
  readonly model: ModelServer
  /** Runs the bundled Action as a nightly schedule unless told otherwise, in a fresh checkout unless given one. */
  run(more?: Partial<ActionRun>): Promise<WorkflowRun>
  pulls(): Promise<Awaited<ReturnType<Bench['server']['state']>>['pulls']>
  comments(): Promise<Awaited<ReturnType<Bench['server']['state']>>['comments']>
  /** A file's text at a branch of the repository. */
  file(branch: string, path: string): Promise<string>
  /** The paths that a branch changes, one a line. */
  changed(branch: string): Promise<string>
  /** The message of a branch's head commit. */
  message(branch: string): Promise<string>
  /** Merges a pull request as a person does. */
  merge(number: number, method?: 'merge' | 'squash'): Promise<void>
  close(number: number): Promise<void>
  deleteBranch(branch: string): Promise<void>
}

/** What of a run's requests changes something at GitHub. */
export const writesOf = ({ apiCalls, gitCalls }: WorkflowRun): readonly RecordedRequest[] => [
  ...apiCalls.filter(({ writes }) => writes),
  ...gitCalls.filter(({ writes }) => writes),
]

/** Comments besides the report of a run. */
export const withoutReports = <Comment extends { readonly body: string }>(
  comments: readonly Comment[],
): readonly Comment[] => comments.filter(({ body }) => !body.startsWith(reportMarker))

/** A run's writes that send mail to a repository's people: labels and edits do not. */
export const notificationsOf = ({ apiCalls }: WorkflowRun): readonly string[] =>
  apiCalls
    .filter(({ writes }) => writes)
    .map(({ method, path }) => `${method} ${path.replace(/^\/repos\/[^/]+\/[^/]+/, '')}`)
    .filter((call) =>
      /^POST (?:\/pulls|\/issues|.*\/(?:comments|replies|reviews|requested_reviewers|assignees))$/.test(
        call,
      ),
    )

/** What a workflow of ours has in its `with:` and `env:`. */
export const apiKey = 'key-of-the-model-endpoint-4711'

/** A GitHub with one repository, and a scripted model; fails when GitHub was spoken to wrongly. */
export async function openActionBench(
  files: Readonly<Record<string, string>>,
  script: ModelScript,
  repository: Partial<RepositoryOptions> = {},
  github: Partial<GitHubServerOptions> = {},
  quirks: ModelServerOptions['quirks'] = {},
): Promise<ActionBench> {
  const bench = await openBench({ seed: { files }, ...repository }, github)
  const model = await startModelServer({ script, apiKey, quirks })
  const { server, git, octokit } = bench
  const state = () => server.state(target.owner, target.repo)
  const show = async (...args: readonly string[]): Promise<string> => {
    await git('fetch', '--quiet', '--prune', 'origin')
    return git(...args)
  }

  async function run(more: Partial<ActionRun> = {}): Promise<WorkflowRun> {
    const checkout = more.workspace === undefined ? await checkOut(server.url) : null
    const workspace = more.workspace ?? checkout?.workspace ?? ''
    const seen = server.requests.length
    const asked = model.requests.length
    try {
      const result = await runAction({
        event: 'schedule',
        payload: { schedule: '17 3 * * *' },
        workspace,
        serverUrl: server.url,
        apiUrl: server.apiUrl,
        repository: `${target.owner}/${target.repo}`,
        sha: checkout?.sha ?? '0'.repeat(40),
        ref: 'refs/heads/main',
        ...more,
        inputs: {
          model: 'scripted-model',
          'base-url': model.url,
          'api-key': apiKey,
          ...more.inputs,
        },
        // The dashboard is an issue more, whose number the others would have to count with.
        env: { GITHUB_TOKEN: 'actions-token', EXECUTOR_DASHBOARD: 'false', ...more.env },
      })
      const requests = server.requests.slice(seen)
      const left = await readTexts(join(workspace, '.executor'))
      checkLeftEvents(left)
      return {
        ...result,
        left,
        apiCalls: requests.filter(({ kind }) => kind !== 'git'),
        gitCalls: requests.filter(({ kind }) => kind === 'git'),
        modelCalls: model.requests.length - asked,
      }
    } finally {
      if (checkout !== null) await rm(checkout.workspace, { recursive: true, force: true })
    }
  }

  return {
    ...bench,
    model,
    run,
    pulls: async () => (await state()).pulls,
    comments: async () => (await state()).comments,
    file: (branch, path) => show('show', `origin/${branch}:${path}`),
    changed: (branch) => show('diff', '--name-only', 'origin/main', `origin/${branch}`),
    message: (branch) => show('log', '-1', '--format=%B', `origin/${branch}`),
    async merge(number, method = 'merge') {
      await octokit('owner-token').pulls.merge({
        ...target,
        pull_number: number,
        merge_method: method,
      })
    },
    async close(number) {
      await octokit('owner-token').pulls.update({ ...target, pull_number: number, state: 'closed' })
    },
    async deleteBranch(branch) {
      await octokit('owner-token').git.deleteRef({ ...target, ref: `heads/${branch}` })
    },
    async [Symbol.asyncDispose]() {
      await model.close()
      await bench[Symbol.asyncDispose]()
      const [first] = server.contractViolations
      if (first !== undefined) throw new Error(`GitHub was spoken to wrongly: ${first}`)
    },
  }
}

/** The commands of actions/checkout, with the credentials it leaves behind. */
async function checkOut(url: string): Promise<{ workspace: string; sha: string }> {
  const workspace = await mkdtemp(join(tmpdir(), 'checkout-'))
  const git = async (...args: readonly string[]) => {
    const environment = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }
    return (await execa('git', args, { cwd: workspace, env: environment })).stdout
  }
  const basic = Buffer.from('x-access-token:actions-token').toString('base64')
  await git('init', '--quiet', '--initial-branch=main')
  await git('remote', 'add', 'origin', `${url}/${target.owner}/${target.repo}`)
  await git('config', '--local', `http.${url}/.extraheader`, `AUTHORIZATION: basic ${basic}`)
  const refs = '+refs/heads/main:refs/remotes/origin/main'
  await git('fetch', '--quiet', '--no-tags', '--prune', '--depth=1', 'origin', refs)
  await git('checkout', '--quiet', '--force', '-B', 'main', 'refs/remotes/origin/main')
  return { workspace, sha: await git('rev-parse', 'HEAD') }
}

/** Every file below a folder by its path, as text. */
export async function readTexts(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  const texts = files.map(async ({ parentPath, name }): Promise<[string, string]> => {
    const path = join(parentPath, name)
    return [path.slice(folder.length + 1), await readFile(path, 'utf8')]
  })
  return Object.fromEntries(await Promise.all(texts))
}
