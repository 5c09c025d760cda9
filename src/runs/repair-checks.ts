import type { Feedback } from '../core/domain/answer.ts'
import { label, trailer } from '../core/domain/identity.ts'
import type { RunState } from '../core/domain/run-state.ts'
import { taskIdOfBranch } from '../core/domain/task-id.ts'
import type { RedCheck } from '../core/ports/discussion.ts'
import type { PullRequest } from '../core/ports/forge.ts'
import type { RepositoryView } from '../core/ports/workspace.ts'
import {
  checksMarker,
  readHandled,
  writeChecksComment,
} from '../publish/report/write-checks-comment.ts'
import { showText } from '../text/hidden/show-text.ts'
import { askedOn } from './commands/run-task.ts'
import type { AskedRun } from './commands/serve-commands.ts'
import type { Seen, Services } from './pass.ts'

/**
 * Repairs what turned red in the checks of our pull requests, though it is green here and at the base: as often as
 * `limits.ci-repairs` allows for each, never after a person's push, and tells it in one comment. Safe to repeat: a
 * commit whose checks were handled is left alone.
 *
 * @param branches those whose checks ended: to look at all of them would take requests for each
 * @returns the numbers of the pull requests that it worked on
 */
export async function repairChecks(
  branches: readonly string[],
  seen: Seen,
  services: Services,
  run: (asked: AskedRun) => Promise<RunState>,
): Promise<readonly number[]> {
  const { ports } = services
  const wanted = seen.pullRequests.filter(({ head }) => branches.includes(head))
  if (wanted.length === 0 || ports.settings.limits.checkRepairs === 0) return []
  const view = await ports.workspace.view()
  const repaired: number[] = []
  for (const pull of wanted) {
    const red = await findRed(pull, view, seen, services)
    if (red !== null && (await repair(pull, red, seen, services, run))) repaired.push(pull.number)
  }
  return repaired
}

const nameOf = ({ headSha }: PullRequest): string => `checks-${headSha}`

/** The commits of a pull request whose red checks were handled; `null` when that can no longer be read. */
function handledOf({ number, labels }: PullRequest, { remarks }: Pick<Seen, 'remarks'>) {
  if (!labels.includes(label.checksRepaired)) return []
  const own = remarks.findLast(
    ({ on, isOurs, body }) => on === number && isOurs && body.startsWith(checksMarker),
  )
  return own === undefined ? null : readHandled(own.body)
}

/** The red checks of a pull request that may be repaired; `null` for any other pull request. */
async function findRed(
  pull: PullRequest,
  view: RepositoryView,
  seen: Seen,
  { ports: { forge, settings }, discussion }: Services,
): Promise<readonly RedCheck[] | null> {
  if (pull.state !== 'open' || pull.author !== seen.self || taskIdOfBranch(pull.head) === null)
    return null
  // A failed attempt that waits for a person may well be red.
  if (pull.labels.includes(label.needsHuman)) return null
  const tip = view.branches.find(({ name }) => name === pull.head)
  const isOurs = tip?.sha === pull.headSha && tip.trailers[trailer.task] !== undefined
  const handled = handledOf(pull, seen)
  const isDone = handled === null || handled.length >= settings.limits.checkRepairs
  if (!isOurs || isDone || handled.includes(pull.headSha)) return null
  if ((await forge.checks(pull.headSha)) !== 'red') return null
  const below = view.branches.find(({ name }) => name === pull.base)?.sha ?? view.base.sha
  const red = await discussion.redChecks(pull.headSha, below)
  return red.length === 0 ? null : red
}

async function repair(
  pull: PullRequest,
  red: readonly RedCheck[],
  seen: Seen,
  services: Services,
  run: (asked: AskedRun) => Promise<RunState>,
): Promise<boolean> {
  const { leases, forge, store } = services.ports
  const [name, id] = [nameOf(pull), taskIdOfBranch(pull.head) ?? '']
  if ((await leases.take(name)).status === 'held') return false
  const last = await store.load()
  const isBegun = last.status === 'loaded' && last.state.run.remark === name
  const asked = await askedOn(pull, { feedback: feedbackOf(red) }, seen, services.ports)
  const state = isBegun ? last.state : await run({ only: [id], asked, remark: name })
  if (state.progress.stopped !== null) {
    await leases.release(name)
    return true
  }
  const handled = [...(handledOf(pull, seen) ?? []), pull.headSha]
  await forge.label(pull.number, { add: [label.checksRepaired] })
  const words = writeChecksComment(red, handled, id, state)
  await forge.upsertComment(pull.number, checksMarker, words)
  await leases.settle(name)
  return true
}

const shown = (output: string): string => showText('output.txt', output).text

/** What the checks print, without what a reader of it would not see. */
const feedbackOf = (red: readonly RedCheck[]): Feedback => ({
  of: 'checks',
  by: 'the checks',
  text: red
    .map(({ name, output }) => shown(output === '' ? name : `${name}:\n${output}`))
    .join('\n\n'),
  threads: red.flatMap(({ annotations }) =>
    annotations.map(({ path, line, text }) => ({ id: '', path, line, text: shown(text) })),
  ),
})
