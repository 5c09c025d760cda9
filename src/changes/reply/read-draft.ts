import type { ChangeSet, Refusal } from '../../core/domain/change-set.ts'
import type { Draft } from '../../core/domain/run-state.ts'
import { showText } from '../../text/hidden/show-text.ts'
import { type Applied, applyReply } from './apply-reply.ts'
import { mergeChangeSets, overlay } from './merge-change-sets.ts'
import { parseReply } from './parse-reply.ts'
import { pathsOf, type Reply } from './reply.ts'

/**
 * A model's answer as a draft: parsed, applied in memory over what was drafted before, and
 * everything that could not be used listed with its reason. What was refused before stays refused
 * until an answer brings that file, or another reason for it.
 *
 * @param input.base what the attempt changed so far; empty for a first answer
 * @param input.refused what was refused of the answer before
 * @param input.expectedPath what a code block without a path must mean, if that is certain
 * @param input.read texts at the attempt's start commit
 */
export async function readDraft(
  answer: string,
  input: {
    readonly base: ChangeSet
    readonly refused?: readonly Refusal[]
    readonly expectedPath: string | undefined
    readonly read: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>
  },
): Promise<Draft> {
  const { base, refused = [], expectedPath } = input
  const reply = parseReply(answer, expectedPath === undefined ? {} : { expectedPath })
  const paths = new Set(reply.proposals.flatMap(pathsOf))
  const texts = await input.read([...paths])
  const start = (path: string) => texts.get(path)
  const applied = applyReply(reply, overlay(start, base), {
    start,
    show: (path, text) => showText(path, text).text,
  })
  const left = reply.claimsDone ? [] : refused.filter((each) => isLeft(each, reply, applied))
  // Where a repair brings nothing new, what was wrong still is, and is the reason that counts.
  const hasReason = left.length > 0 || (input.refused !== undefined && base.length > 0)
  const isHeldBack = applied.isIdle === true && hasReason
  return {
    changes: mergeChangeSets(base, applied.changes),
    refusals: unique([...left, ...reply.refusals, ...(isHeldBack ? [] : applied.refusals)]),
    claimsDone: reply.claimsDone && base.length === 0,
    summary: reply.summary,
    notes: applied.notes,
  }
}

/** Neither mended by this answer nor replaced by what is wrong in it. */
function isLeft({ path }: Refusal, reply: Reply, { changes, refusals, isIdle }: Applied): boolean {
  if (changes.some((change) => path === '' || change.path === path)) return false
  return isIdle === true || ![...reply.refusals, ...refusals].some((each) => each.path === path)
}

const unique = (refusals: readonly Refusal[]): readonly Refusal[] => [
  ...new Map(refusals.map((each) => [`${each.path}\n${each.reason}`, each])).values(),
]
