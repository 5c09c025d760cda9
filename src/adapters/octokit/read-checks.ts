import { plainText } from '../../../packages/diagnosis/diagnosis.ts'
import type { RedCheck } from '../../core/ports/discussion.ts'
import type { Checks } from '../../core/ports/forge.ts'
import type { GitHubRepository, RestAnswer } from './client.ts'
import { hasStatus, reasonOf } from './failure.ts'
import { pageSize, readAll } from './pages.ts'

type CheckRun = RestAnswer<'checks', 'listForRef'>['check_runs'][number]

const mostPages = 10
const good: readonly (string | null)[] = ['success', 'neutral', 'skipped']

/**
 * Combines the statuses and check runs of a commit: red if one failed, pending if one is
 * unfinished. The current workflow's own runs do not count.
 */
export async function readChecks(repository: GitHubRepository, sha: string): Promise<Checks> {
  const verdicts = (await countedRuns(repository, sha)).map(verdictOf)
  const { octokit, target } = repository
  const { data: status } = await octokit.repos.getCombinedStatusForRef({ ...target, ref: sha })
  // Without any status, GitHub reports the combined state as pending.
  if (status.total_count > 0) {
    verdicts.push(
      status.state === 'success' ? 'green' : status.state === 'pending' ? 'pending' : 'red',
    )
  }
  return (['red', 'pending', 'green'] as const).find((one) => verdicts.includes(one)) ?? 'none'
}

function verdictOf({ status, conclusion }: CheckRun): 'green' | 'pending' | 'red' {
  if (status !== 'completed') return 'pending'
  return good.includes(conclusion) ? 'green' : 'red'
}

async function countedRuns(
  repository: GitHubRepository,
  sha: string,
): Promise<readonly CheckRun[]> {
  const { octokit, target } = repository
  const asked = { ...target, ref: sha, filter: 'latest', per_page: pageSize } as const
  const runs = await readAll<CheckRun>(
    mostPages,
    async (page) => (await octokit.checks.listForRef({ ...asked, page })).data.check_runs,
  )
  // The address identifies this run; finding other runs of our workflow needs permission.
  const own = `/actions/runs/${repository.runId ?? ''}/`
  const others = runs.filter((run) => !run.details_url?.includes(own))
  const fromActions = others.some(
    (run) => run.app?.slug === 'github-actions' && verdictOf(run) !== 'green',
  )
  if (repository.workflowPath === null || !fromActions) return others
  const ours = await ownSuites(repository, sha, repository.workflowPath)
  return others.filter(({ check_suite }) => !ours.includes(check_suite?.id ?? 0))
}

/** The check suites of our own workflow on this commit; empty without permission. */
async function ownSuites(
  { octokit, target, log }: GitHubRepository,
  sha: string,
  path: string,
): Promise<readonly number[]> {
  try {
    const workflow_id = path.slice(path.lastIndexOf('/') + 1)
    const asked = { ...target, workflow_id, head_sha: sha, per_page: pageSize }
    const { data } = await octokit.actions.listWorkflowRuns(asked)
    return data.workflow_runs.flatMap(({ check_suite_id }) => check_suite_id ?? [])
  } catch (error) {
    if (!hasStatus(error, 403, 404)) throw error
    log(`Our own checks cannot be distinguished from others (actions: read): ${reasonOf(error)}`)
    return []
  }
}

const mostRed = 3
const mostAnnotations = 10
const longestMessage = 1_000
const longestOutput = 4_000

/** See `Discussion.redChecks`. */
export async function readRedChecks(
  repository: GitHubRepository,
  sha: string,
  base: string,
): Promise<readonly RedCheck[]> {
  const { octokit, target } = repository
  const runs = await countedRuns(repository, sha)
  const { data: status } = await octokit.repos.getCombinedStatusForRef({ ...target, ref: sha })
  const isPending = status.total_count > 0 && status.state === 'pending'
  if (isPending || runs.some((run) => verdictOf(run) === 'pending')) return []
  const [failed, told] = [runs.filter(hasFailed), status.statuses.filter(isRed)]
  if (failed.length + told.length === 0) return []
  const known = await namesOfRed(repository, base)
  const red: RedCheck[] = []
  for (const run of failed.filter(({ name }) => !known.has(name)).slice(0, mostRed)) {
    red.push({ name: run.name, ...(await detailsOf(repository, run)) })
  }
  const others = told
    .filter(({ context }) => !known.has(context))
    .map(({ context: name, description }) => {
      return { name, annotations: [], output: shorten(description ?? '') }
    })
  return [...red, ...others].slice(0, mostRed)
}

/** Cancelled checks say nothing about the code, and others ask for a person. */
const hasFailed = ({ conclusion }: CheckRun): boolean =>
  conclusion === 'failure' || conclusion === 'timed_out'

const isRed = ({ state }: { readonly state: string }): boolean =>
  state === 'failure' || state === 'error'

async function namesOfRed(repository: GitHubRepository, ref: string): Promise<ReadonlySet<string>> {
  const { octokit, target } = repository
  const runs = await countedRuns(repository, ref)
  const { data } = await octokit.repos.getCombinedStatusForRef({ ...target, ref })
  return new Set([
    ...runs.filter(hasFailed).map(({ name }) => name),
    ...data.statuses.filter(isRed).map(({ context }) => context),
  ])
}

async function detailsOf(
  repository: GitHubRepository,
  run: CheckRun,
): Promise<Omit<RedCheck, 'name'>> {
  const { octokit, target } = repository
  const { annotations_count: count = 0, summary = null } = run.output
  const asked = { ...target, check_run_id: run.id, per_page: pageSize }
  const all = count === 0 ? [] : (await octokit.checks.listAnnotations(asked)).data
  const annotations = all
    .filter(({ annotation_level, path }) => annotation_level === 'failure' && path !== '.github')
    .slice(0, mostAnnotations)
    .map(({ path, start_line: line, message }) => {
      return { path, line, text: plainText(message ?? '').slice(0, longestMessage) }
    })
  const log = run.app?.slug === 'github-actions' ? await readJobLog(repository, run.id) : null
  return { annotations, output: shorten(log === null ? (summary ?? '') : failingStep(log)) }
}

/** The end of a job's log; a job has the id of its check run. `null` where it cannot be read. */
async function readJobLog(
  { octokit, target, log }: GitHubRepository,
  job_id: number,
): Promise<string | null> {
  const asked = { ...target, job_id, request: { redirect: 'manual' as const } }
  let place: string
  try {
    place = (await octokit.actions.downloadJobLogsForWorkflowRun(asked)).headers.location ?? ''
  } catch (error) {
    if (!hasStatus(error, 403, 404, 410)) throw error
    log(`The log of a failed check cannot be read (actions: read): ${reasonOf(error)}`)
    return null
  }
  try {
    // Not through the client: the address is another server's, which gets no token.
    const response = await fetch(place, { signal: AbortSignal.timeout(longestDownload) })
    return response.ok && response.body !== null ? await endOf(response.body) : null
  } catch (error) {
    log(`The log of a failed check cannot be downloaded: ${String(error)}`)
    return null
  }
}

/** In milliseconds. */
const longestDownload = 30_000
const longestTail = 20 * longestOutput

/** Reads a text of any length, and keeps its end. */
async function endOf(body: ReadableStream<Uint8Array>): Promise<string> {
  let tail = ''
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    tail = (tail + piece).slice(-longestTail)
  }
  return tail
}

/** The lines of a job's log before the error that ended its failing step, without times and marks of groups. */
function failingStep(log: string): string {
  const lines = plainText(log)
    .split('\n')
    .map((line) => line.replace(/^\ufeff?\d{4}-\d\d-\d\dT[\d:.]+Z ?/, ''))
  const end = lines.findLastIndex((line) =>
    /^##\[error\]Process completed with exit code/.test(line),
  )
  const above = end < 0 ? lines : lines.slice(0, end)
  const start = above.lastIndexOf('##[endgroup]')
  return above
    .slice(start + 1)
    .map((line) => line.replace(/^##\[(?:error|warning|notice)\]/, ''))
    .join('\n')
}

const shorten = (text: string): string => text.trim().slice(-longestOutput)
