import { ExecutorError } from '../../core/domain/errors.ts'
import {
  laterMarker,
  nameRemark,
  outsiderMarker,
  replyMarker,
} from '../../core/domain/reply-marker.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { Remark } from '../../core/ports/discussion.ts'
import { writeBreak, writeOutcome, writeThreadAnswer } from '../../publish/report/write-replies.ts'
import { nothingAsked } from '../new-run.ts'
import { type CommandContext, loginText, type Ordered, type Services } from '../pass.ts'
import { admitCommand, carryOut } from './answer-command.ts'

export interface AskedRun
  extends Pick<Extract<Ordered, { readonly status: 'run' }>, 'only' | 'asked'> {
  readonly remark: string
}

export interface Served {
  /** Number of commands that got an answer. */
  readonly answered: number
  /** A merge or a close has made earlier reads stale. */
  readonly changed: boolean
}

/**
 * Answers commands one after the other: 👀, the effect or the run, one reply, and 👍, 👎 or 😕. Leaves what cannot be
 * answered. Safe to repeat: a command with a reply is not carried out again. Reports a broken run where it was asked
 * for, and throws its error once the other commands have their answers.
 *
 * @param remarks of `findUnanswered`
 * @param run carries out a command that asks for work
 */
export async function serveCommands(
  remarks: readonly Remark[],
  context: CommandContext,
  services: Services,
  run: (asked: AskedRun) => Promise<RunState>,
): Promise<Served> {
  const { leases } = services.ports
  let [answered, changed] = [0, false]
  let broken: ExecutorError | null = null
  for (const remark of remarks) {
    const taken = await leases.take(nameRemark(remark))
    // Another run is carrying it out, or has done so.
    if (taken.status === 'held') continue
    const ordered = await obey(remark, context, services)
    if (ordered.status === 'ignored') {
      await leases.release(nameRemark(remark))
      continue
    }
    if (ordered.status === 'run') {
      const { only, asked, threads } = ordered
      const state = await run({ only, asked, remark: nameRemark(remark) }).catch(brokenSetUp)
      if (state instanceof ExecutorError) {
        const words = writeBreak(state, loginText(remark.author))
        await reply(remark, { status: 'later', reply: words }, services)
        await leases.release(nameRemark(remark))
        broken ??= state
        continue
      }
      if (state.progress.stopped === 'cancelled' || state.progress.stopped === 'unavailable') {
        await reply(remark, { status: 'later', reply: ordered.reply(state) }, services)
        await leases.release(nameRemark(remark))
        if (state.progress.stopped === 'cancelled') break
        continue
      }
      for (const thread of threads) {
        const marker = `<!-- executor:revised ${thread.id} ${remark.kind}-${remark.id} -->`
        await services.discussion.answer(thread, marker, writeThreadAnswer(state, only?.[0] ?? ''))
      }
      await reply(remark, { status: 'done', reply: ordered.reply(state), changed: true }, services)
      changed = true
    } else {
      await reply(remark, ordered, services)
      changed ||= ordered.status === 'done' && ordered.changed
    }
    await leases.settle(nameRemark(remark))
    answered += 1
  }
  if (broken !== null) throw broken
  return { answered, changed }
}

async function obey(remark: Remark, context: CommandContext, services: Services): Promise<Ordered> {
  const admitted = await admitCommand(remark, context, services)
  if ('status' in admitted) return admitted
  await services.discussion.react(remark, 'eyes')
  const ordered = await carryOut(admitted, context, services)
  return ordered.status === 'run' ? ordered : ((await begunFor(remark, services)) ?? ordered)
}

/** An error of the catalogue as a value; throws any other again. */
export function brokenSetUp(error: unknown): ExecutorError {
  if (error instanceof ExecutorError) return error
  throw error
}

/** A killed run of this remark whose first effects leave nothing to ask for. */
async function begunFor(
  remark: Remark,
  { ports: { store } }: Services,
): Promise<Extract<Ordered, { readonly status: 'run' }> | null> {
  const last = await store.load()
  if (last.status !== 'loaded' || last.state.run.remark !== nameRemark(remark)) return null
  const { only } = last.state.run
  return {
    ...{ status: 'run', only, asked: nothingAsked, threads: [] },
    reply: (state) => writeOutcome(state, only ?? [], loginText(remark.author)),
  }
}

/** Posts one reply for each remark, identified by its first line. */
async function reply(
  remark: Remark,
  ordered: Exclude<Ordered, { readonly status: 'ignored' | 'run' }>,
  { discussion }: Services,
): Promise<void> {
  const marker = replyMarker(remark)
  const hidden = [marker]
  if (ordered.status === 'later') hidden.push(laterMarker(remark, ordered.approved))
  if (ordered.status === 'refused' && ordered.outsider) hidden.push(outsiderMarker(remark.author))
  const said = await discussion.answer(remark, marker, `${hidden.join('\n')}\n${ordered.reply}`)
  if (said.status !== 'ok' || ordered.status === 'later') return
  await discussion.react(remark, reactionTo(ordered))
}

const reactionTo = (ordered: Extract<Ordered, { readonly status: 'done' | 'refused' }>) => {
  if (ordered.status === 'done') return '+1'
  return ordered.puzzled === true ? 'confused' : '-1'
}
