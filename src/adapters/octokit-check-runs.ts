import type { CheckRuns } from '../core/ports/check-runs.ts'
import type { GitHubRepository } from './octokit/client.ts'
import { answersOf } from './octokit/failure.ts'
import { upsertCheckRun } from './octokit/upsert-check-run.ts'

/** Check runs on GitHub; writing one needs `checks: write`. */
export function createOctokitCheckRuns(repository: GitHubRepository): CheckRuns {
  const { done } = answersOf(repository)
  return { upsert: (draft) => done(upsertCheckRun(repository, draft)) }
}
