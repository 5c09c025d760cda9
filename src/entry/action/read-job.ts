import * as github from '@actions/github'
import { z } from 'zod'
import { ExecutorError } from '../../core/domain/errors.ts'

/** The event that started this job: its name, and what GitHub says of it. */
export interface JobEvent {
  readonly name: string
  readonly payload: unknown
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

type Context = typeof github.context

/** The package reads what the runner says once, when it is loaded; a process may serve several jobs. */
const readContext = (): Context => new (github.context.constructor as new () => Context)()

export function readJobEvent(): JobEvent {
  const { eventName, payload } = readContext()
  return { name: eventName ?? '', payload }
}

/** @throws ExecutorError `bad_usage` outside a job */
export function readJobPlace(): JobPlace {
  const { GITHUB_REPOSITORY, GITHUB_WORKSPACE, RUNNER_TEMP } = process.env
  if (!GITHUB_REPOSITORY || !GITHUB_WORKSPACE || !RUNNER_TEMP) {
    throw new ExecutorError('bad_usage', 'This entry runs as a GitHub Action only.')
  }
  const { serverUrl, apiUrl, repo } = readContext()
  return { ...repo, serverUrl, apiUrl, workspace: GITHUB_WORKSPACE, temporary: RUNNER_TEMP }
}

const ofRepository = z.object({ repository: z.object({ default_branch: z.string() }) })

/** The default branch, where the event names it. */
export function defaultBranchOf({ payload }: JobEvent): string | null {
  return ofRepository.safeParse(payload).data?.repository.default_branch ?? null
}
