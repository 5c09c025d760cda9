import type { ChangeSet } from '../domain/change-set.ts'
import type { Draft } from '../domain/run-state.ts'
import { applyReply } from './apply-reply.ts'
import { mergeChangeSets, overlay } from './merge-change-sets.ts'
import { parseReply } from './parse-reply.ts'
import { pathsOf } from './reply.ts'

/**
 * A model's answer as a draft: parsed, applied in memory over what was drafted before, and
 * everything that could not be used listed with its reason.
 *
 * @param input.base what the attempt changed so far; empty for a first answer
 * @param input.expectedPath what a code block without a path must mean, if that is certain
 * @param input.read texts at the attempt's start commit
 */
export async function readDraft(
  answer: string,
  input: {
    readonly base: ChangeSet
    readonly expectedPath: string | undefined
    readonly read: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>
  },
): Promise<Draft> {
  const { base, expectedPath } = input
  const reply = parseReply(answer, expectedPath === undefined ? {} : { expectedPath })
  const paths = new Set(reply.proposals.flatMap(pathsOf))
  const texts = await input.read([...paths])
  const applied = applyReply(
    reply,
    overlay((path) => texts.get(path), base),
  )
  return {
    changes: mergeChangeSets(base, applied.changes),
    refusals: [...reply.refusals, ...applied.refusals],
    claimsDone: reply.claimsDone && base.length === 0,
    summary: reply.summary,
    notes: applied.notes,
  }
}
