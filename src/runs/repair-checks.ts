import type { Feedback } from '../core/domain/answer.ts'
import { ExecutorError } from '../core/domain/errors.ts'
import { readProposalMarker } from '../core/domain/hidden-lines.ts'
import { label } from '../core/domain/identity.ts'
import type { RunState } from '../core/domain/run-state.ts'
import { taskIdOfBranch } from '../core/domain/task-id.ts'
import type { RedCheck } from '../core/ports/discussion.ts'
import type { PullRequest } from '../core/ports/forge.ts'
import {
  checksMarker,
  type Handled,
  readHandled,
  writeChecksComment,
} from '../publish/report/write-checks-comment.ts'
import { showText } from '../text/hidden/show-text.ts'
import { askedOn } from './commands/run-task.ts'
import type { AskedRun } from './commands/serve-commands.ts'
import { nothingAsked } from './new-run.ts'
import type { Seen, Services } from './pass.ts'

type Run = (asked: AskedRun) => Promise<RunState>

/** A pass reads the checks of this many pull requests, the newest first. */
const mostLookedAt = 10

/**
 * Repairs failed checks of our pull requests that pass at the base, and reports the result in one comment on each: as
 * often as `limits.ci-repairs` allows, and only at the commit that our proposal names. The comment says so before the
 * model is asked; so a killed repair is finished and not paid twice. Reports a broken set-up, which breaks nothing else.
 *
 * @returns the numbers of the pull requests that it worked on
 */
export async function repairChecks(
  seen: Seen,
  services: Services,
  run: Run,
  say: (sentence: string) => void,
): Promise<readonly number[]> {
  if (services.ports.settings.limits.checkRepairs === 0) return []
  const own = seen.pullRequests.filter((pull) => mayBeRepaired(pull, seen)).slice(0, mostLookedAt)
  const repaired: number[] = []
  for (const pull of own) {
    try {
      if (await repair(pull, seen, services, run)) repaired.push(pull.number)
    } catch (error) {
      if (!(error instanceof ExecutorError)) throw error
      say(`The checks of #${pull.number} are not repaired: ${error.message}`)
      break
    }
  }
  return repaired
}

/** A failed attempt that waits for a person may well be red. */
const mayBeRepaired = ({ state, author, head, labels }: PullRequest, { self }: Seen): boolean =>
  state === 'open' &&
  author === self &&
  taskIdOfBranch(head) !== null &&
  !labels.includes(label.needsHuman)

/** What our comment says; `null` when it can no longer be read. */
function handledOf({ number, labels }: PullRequest, { remarks }: Seen): Handled | null {
  const own = remarks.findLast(
    ({ on, isOurs, body }) => on === number && isOurs && body.startsWith(checksMarker),
  )
  if (own !== undefined) return readHandled(own.body)
  return labels.includes(label.checksRepaired) ? null : { shas: [], isUnderWay: false }
}

async function repair(
  pull: PullRequest,
  seen: Seen,
  services: Services,
  run: Run,
): Promise<boolean> {
  const { leases, forge, store } = services.ports
  const handled = handledOf(pull, seen)
  if (handled === null) return false
  const isNew = !handled.isUnderWay
  const red = isNew ? await findRed(pull, handled, services) : []
  if (red === null) return false
  const shas = isNew ? [...handled.shas, pull.headSha] : handled.shas
  const [id, remark] = [taskIdOfBranch(pull.head) ?? '', `checks-${shas.at(-1)}`]
  if ((await leases.take(remark)).status === 'held') return false
  const tell = (state: RunState | null) =>
    forge.upsertComment(pull.number, checksMarker, writeChecksComment({ red, shas, id, state }))
  if (isNew) {
    const marked = await forge.label(pull.number, { add: [label.checksRepaired] })
    // What cannot be recorded would be repaired again and again.
    if (marked.status === 'refused' || (await tell(null)).status === 'refused') {
      await leases.release(remark)
      return false
    }
  } else {
    const last = await store.load()
    const isBegun = last.status === 'loaded' && last.state.run.remark === remark
    if (!isBegun) {
      await leases.release(remark)
      return false
    }
  }
  const feedback = isNew ? feedbackOf(red) : undefined
  const asked =
    feedback === undefined ? nothingAsked : await askedOn(pull, { feedback }, seen, services.ports)
  const state = await run({ only: [id], asked, remark })
  const isLater = state.progress.stopped === 'cancelled' || state.progress.stopped === 'unavailable'
  if (!isLater) await tell(state)
  await (isLater ? leases.release(remark) : leases.settle(remark))
  return true
}

/** The checks to repair; `null` for none. After a person's push, the proposal names another commit. */
async function findRed(
  pull: PullRequest,
  { shas }: Handled,
  { ports: { forge, settings, workspace }, discussion }: Services,
): Promise<readonly RedCheck[] | null> {
  const isProposed = readProposalMarker(pull.body)?.sha === pull.headSha
  if (!isProposed || shas.includes(pull.headSha) || shas.length >= settings.limits.checkRepairs)
    return null
  if ((await forge.checks(pull.headSha)) !== 'red') return null
  const { base, branches } = await workspace.view()
  const below = branches.find(({ name }) => name === pull.base)?.sha ?? base.sha
  const red = await discussion.redChecks(pull.headSha, below)
  return red.length === 0 ? null : red
}

/** As a reader of the log sees it, on as many lines. */
const shown = (output: string): string => showText('output.txt', output).text
const shownLine = (text: string): string => shown(text).replaceAll(/\s+/g, ' ')

/** Characters of each check's output that the model sees: its end says what failed. */
const longestOutput = 2_000

const feedbackOf = (red: readonly RedCheck[]): Feedback => ({
  of: 'checks',
  by: 'the checks',
  text: red
    .map(({ name, output }) => `${shownLine(name)}:\n${shown(output.slice(-longestOutput))}`.trim())
    .join('\n\n'),
  threads: red.flatMap(({ annotations }) =>
    annotations.map(({ path, line, text }) => ({
      ...{ id: '', path: shownLine(path), line, text: shown(text) },
    })),
  ),
})
