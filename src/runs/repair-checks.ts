import { showText } from '../../packages/text/text.ts'
import type { Feedback } from '../core/domain/answer.ts'
import { taskIdOfBranch } from '../core/domain/branches.ts'
import { ExecutorError } from '../core/domain/errors.ts'
import { readProposalMarker } from '../core/domain/hidden-lines.ts'
import { label } from '../core/domain/identity.ts'
import type { RunState } from '../core/domain/run-state.ts'
import type { RedCheck } from '../core/ports/discussion.ts'
import type { PullRequest } from '../core/ports/forge.ts'
import {
  type ChecksComment,
  checksMarker,
  type Handled,
  readHandled,
  writeChecksComment,
} from '../publish/report/write-checks-comment.ts'
import { askedOn } from './commands/run-task.ts'
import type { AskedRun } from './commands/serve-commands.ts'
import { nothingAsked } from './new-run.ts'
import type { Seen, Services } from './pass.ts'

type Run = (asked: AskedRun) => Promise<RunState>

/** A pass reads the checks of this many pull requests, the newest first. */
const mostRead = 10

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
  const most = services.ports.settings.limits.checkRepairs
  if (most === 0) return []
  const own = seen.pullRequests.flatMap((pull) => {
    const handled = handledOf(pull, seen)
    return handled !== null && mayBeRepaired(pull, handled, seen, most) ? [{ pull, handled }] : []
  })
  const repaired: number[] = []
  for (const { pull, handled } of own.slice(0, mostRead)) {
    const repair = handled.isUnderWay ? finishRepair : startRepair
    try {
      if (await repair(pull, handled, { seen, services, run })) repaired.push(pull.number)
    } catch (error) {
      if (!(error instanceof ExecutorError)) throw error
      say(`The checks of #${pull.number} are not repaired: ${error.message}`)
      break
    }
  }
  return repaired
}

/** What our comment says; `null` when it can no longer be read. */
function handledOf({ number, labels }: PullRequest, { remarks }: Seen): Handled | null {
  const own = remarks.findLast(
    ({ on, isOurs, body }) => on === number && isOurs && body.startsWith(checksMarker),
  )
  if (own !== undefined) return readHandled(own.body)
  return labels.includes(label.checksRepaired) ? null : { shas: [], isUnderWay: false }
}

function mayBeRepaired(
  { state, author, head, headSha, labels, body }: PullRequest,
  { shas, isUnderWay }: Handled,
  { self }: Seen,
  most: number,
): boolean {
  const isOurs = author === self && taskIdOfBranch(head) !== null
  // A failed attempt that waits for a person may well be red.
  if (state !== 'open' || !isOurs || labels.includes(label.needsHuman)) return false
  // After a person's push, the proposal names another commit.
  const isProposed = readProposalMarker(body)?.sha === headSha
  return isUnderWay || (isProposed && shas.length < most && !shas.includes(headSha))
}

interface Scene {
  readonly seen: Seen
  readonly services: Services
  readonly run: Run
}

async function startRepair(pull: PullRequest, handled: Handled, scene: Scene): Promise<boolean> {
  const { services, seen } = scene
  const { forge, leases, workspace } = services.ports
  const { base, branches } = await workspace.view()
  const below = branches.find(({ name }) => name === pull.base)?.sha ?? base.sha
  const red = await services.discussion.redChecks(pull.headSha, below)
  if (red.length === 0) return false
  const shas = [...handled.shas, pull.headSha]
  const lease = leaseOf(shas)
  if ((await leases.take(lease)).status === 'held') return false
  // What cannot be recorded would be repaired again and again.
  const marked = await forge.label(pull.number, { add: [label.checksRepaired] })
  const told = marked.status === 'ok' ? await tell(pull, { red, shas, end: null }, scene) : marked
  if (told.status === 'refused') {
    await leases.release(lease)
    return false
  }
  const asked = await askedOn(pull, { feedback: feedbackOf(red) }, seen, services.ports)
  return carryOut(pull, { red, shas }, asked, scene)
}

/** Finishes a repair whose process was killed. */
async function finishRepair(pull: PullRequest, { shas }: Handled, scene: Scene): Promise<boolean> {
  const { leases, store } = scene.services.ports
  const lease = leaseOf(shas)
  if ((await leases.take(lease)).status === 'held') return false
  const last = await store.load()
  const isKnown = last.status === 'loaded' && last.state.run.remark === lease
  if (isKnown) return carryOut(pull, { red: [], shas }, nothingAsked, scene)
  await tell(pull, { red: [], shas, end: 'lost' }, scene)
  await leases.settle(lease)
  return false
}

/** Starts the run, or resumes the one that this lease names, and reports how it ends. */
async function carryOut(
  pull: PullRequest,
  about: Pick<ChecksComment, 'red' | 'shas'>,
  asked: AskedRun['asked'],
  scene: Scene,
): Promise<boolean> {
  const { leases } = scene.services.ports
  const lease = leaseOf(about.shas)
  const end = await scene
    .run({ only: [idOf(pull)], asked, remark: lease })
    .catch(async (error: unknown) => {
      await leases.release(lease)
      throw error
    })
  if (end.progress.stopped === 'cancelled' || end.progress.stopped === 'unavailable') {
    await leases.release(lease)
  } else {
    await tell(pull, { ...about, end }, scene)
    await leases.settle(lease)
  }
  return true
}

const leaseOf = (shas: readonly string[]): string => `checks-${shas.at(-1)}`
const idOf = ({ head }: PullRequest): string => taskIdOfBranch(head) ?? ''

const tell = (pull: PullRequest, about: Omit<ChecksComment, 'id'>, { services }: Scene) =>
  services.ports.forge.upsertComment(
    pull.number,
    checksMarker,
    writeChecksComment({ ...about, id: idOf(pull) }),
  )

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
