import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { ExecutorError } from '../../domain/errors.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The event that started this job: its name, and what GitHub says of it. */
export interface JobEvent {
  readonly name: string
  readonly payload: unknown
}

/** Read anew by each job, for a process may serve several. */
export function readJobEvent(environment: Environment = process.env): JobEvent {
  const { GITHUB_EVENT_NAME: name = '', GITHUB_EVENT_PATH: path } = environment
  return { name, payload: path ? JSON.parse(readFileSync(path, 'utf8')) : {} }
}

/** Where this job works. */
export interface JobPlace {
  readonly owner: string
  readonly repo: string
  readonly serverUrl: string
  readonly apiUrl: string
  /** The checkout, and a folder that is gone after the job. */
  readonly workspace: string
  readonly temporary: string
}

/** @throws ExecutorError `bad_usage` outside a job */
export function readJobPlace(environment: Environment = process.env): JobPlace {
  const { GITHUB_REPOSITORY, GITHUB_WORKSPACE, RUNNER_TEMP } = environment
  if (!GITHUB_REPOSITORY || !GITHUB_WORKSPACE || !RUNNER_TEMP) {
    throw new ExecutorError('bad_usage', 'This entry runs as a GitHub Action only.')
  }
  const [owner = '', repo = ''] = GITHUB_REPOSITORY.split('/')
  return {
    owner,
    repo,
    serverUrl: environment.GITHUB_SERVER_URL ?? 'https://github.com',
    apiUrl: environment.GITHUB_API_URL ?? 'https://api.github.com',
    workspace: GITHUB_WORKSPACE,
    temporary: RUNNER_TEMP,
  }
}

const ofRepository = z.object({ repository: z.object({ default_branch: z.string() }) })

/** The default branch, where the event names it. */
export function defaultBranchOf({ payload }: JobEvent): string | null {
  return ofRepository.safeParse(payload).data?.repository.default_branch ?? null
}
