import type { Discussion } from '../core/ports/discussion.ts'
import type { GitHubRepository } from './octokit/client.ts'
import { answersOf } from './octokit/failure.ts'
import { readOverview } from './octokit/overview.ts'
import { readRedChecks } from './octokit/read-checks.ts'
import { react, readRemark, readThreads, remarksSince } from './octokit/remarks.ts'
import { readLabelling, readPermission, readVariable } from './octokit/repository.ts'
import { answer } from './octokit/upsert-marked.ts'
import { readScheduledRuns } from './octokit/workflows.ts'

/**
 * Discussions on GitHub: REST for lists and single remarks, GraphQL for open work and resolved
 * threads. A failed read is a catalogue error, except a permission, which is then `unknown`.
 */
export function createOctokitDiscussion(repository: GitHubRepository): Discussion {
  const { done, orThrow } = answersOf(repository)
  return {
    self: () => orThrow(repository.login()),
    permissionOf: (person) => readPermission(repository, person),
    overview: () => orThrow(readOverview(repository)),
    remarksSince: (time, kinds) => orThrow(remarksSince(repository, time, kinds)),
    remark: (ref) => orThrow(readRemark(repository, ref)),
    threads: (pullRequest) => orThrow(readThreads(repository, pullRequest)),
    react: (ref, reaction) => done(react(repository, ref, reaction)),
    answer: (ref, marker, body) => done(answer(repository, ref, marker, body)),
    redChecks: (sha, base) => orThrow(readRedChecks(repository, sha, base)),
    labelling: (issue, label) => orThrow(readLabelling(repository, issue, label)),
    variable: (name) => orThrow(readVariable(repository, name)),
    scheduledRuns: () => readScheduledRuns(repository),
  }
}
