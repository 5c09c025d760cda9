import type { Octokit } from '@octokit/rest'
import { untilListed } from '../../core/perform-effect.ts'
import type { CheckAnnotation, CheckRunDraft } from '../../core/ports/check-runs.ts'
import type { GitHubRepository, RestAnswer } from './client.ts'
import { pageSize } from './pages.ts'

type CheckRun = Pick<
  RestAnswer<'checks', 'listForRef'>['check_runs'][number],
  'id' | 'external_id' | 'status' | 'conclusion' | 'output'
>

/** GitHub takes no more annotations in a request; each request adds to those before. */
const mostAtOnce = 50

/** Which annotations a request adds; the last request also completes the check run. */
interface Part {
  readonly from: number
  readonly to: number
}

/** The check run stays in progress until its last annotation is written, so that a later job can continue it. */
export async function upsertCheckRun(
  repository: GitHubRepository,
  draft: CheckRunDraft,
): Promise<void> {
  const found = await findRun(repository, draft)
  if (found !== null && isSame(found, draft)) return
  const superseded = found?.status === 'completed' ? found.id : null
  const find = async () => {
    const now = await findRun(repository, draft)
    return now?.id === superseded ? null : now
  }
  const { length } = draft.annotations
  let run = superseded === null ? found : null
  let from = run?.output.annotations_count ?? 0
  do {
    const part = { from, to: Math.min(from + mostAtOnce, length) }
    run = await repository.perform<CheckRun | null, CheckRun>({
      ...{ kind: 'check_run', key: `${draft.name} ${draft.externalId} ${draft.sha}` },
      detail: `${draft.title}, ${part.to} of ${length} annotations`,
      snapshot: run,
      read: find,
      alreadyApplied: (now) => (now !== null && holds(now, part, draft) ? now : null),
      apply: (writing, now) => write(writing, repository.target, { run: now, part, draft }),
      readDelays: untilListed,
    })
    from = part.to
  } while (from < length)
}

/** Our newest check run on this commit. */
async function findRun(
  { octokit, target }: GitHubRepository,
  { sha, name, externalId }: CheckRunDraft,
): Promise<CheckRun | null> {
  const asked = {
    ...target,
    ref: sha,
    check_name: name,
    filter: 'all',
    per_page: pageSize,
  } as const
  const { check_runs: runs } = (await octokit.checks.listForRef(asked)).data
  const ours = runs.filter(({ external_id }) => external_id === externalId)
  return ours.toSorted((a, b) => b.id - a.id)[0] ?? null
}

const isSame = (run: CheckRun, draft: CheckRunDraft): boolean =>
  run.output.title === draft.title && holds(run, { from: 0, to: draft.annotations.length }, draft)

const isLast = ({ to }: Part, { annotations }: CheckRunDraft): boolean => to === annotations.length

const holds = ({ conclusion, output }: CheckRun, part: Part, draft: CheckRunDraft): boolean =>
  output.annotations_count >= part.to &&
  conclusion === (isLast(part, draft) ? draft.conclusion : null)

async function write(
  { checks }: Octokit,
  target: GitHubRepository['target'],
  asked: { readonly run: CheckRun | null; readonly part: Part; readonly draft: CheckRunDraft },
): Promise<CheckRun> {
  const { run, part, draft } = asked
  const { name, sha: head_sha, externalId: external_id, conclusion, title, summary } = draft
  const annotations = draft.annotations.slice(part.from, part.to).map(toGitHub)
  const content = {
    ...target,
    ...(isLast(part, draft)
      ? ({ status: 'completed', conclusion } as const)
      : ({ status: 'in_progress' } as const)),
    output: { title, summary, annotations },
  }
  const { data } =
    run === null
      ? await checks.create({ ...content, name, head_sha, external_id })
      : await checks.update({ ...content, check_run_id: run.id })
  return data
}

const toGitHub = ({ path, line, level, title, message }: CheckAnnotation) => ({
  ...{ path, start_line: line, end_line: line, annotation_level: level, title, message },
})
