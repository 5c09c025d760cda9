import type { ChangeSet, FileChange } from '../../core/domain/change-set.ts'
import type { Draft } from '../../core/domain/run-state.ts'
import { showText } from '../../text/hidden/show-text.ts'
import { applyReply } from './apply-reply.ts'
import { mergeChangeSets, overlay } from './merge-change-sets.ts'
import { parseReply } from './parse-reply.ts'
import { pathsOf } from './reply.ts'
import { restoreHidden } from './restore-hidden.ts'

/**
 * A model's answer as a draft: parsed, applied in memory over what was drafted before, and
 * everything that could not be used listed with its reason. The answer is about files as they were
 * shown, without what was hidden in them; what it leaves alone is afterwards as it really was.
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
  const read = overlay((path) => texts.get(path), base)
  const applied = applyReply(reply, (path) => shownOf(path, read(path)))
  const changes = applied.changes.map((change) => withReality(change, read(change.path)))
  return {
    changes: mergeChangeSets(base, changes),
    refusals: [...reply.refusals, ...applied.refusals],
    claimsDone: reply.claimsDone && base.length === 0,
    summary: reply.summary,
    notes: applied.notes,
  }
}

const shownOf = (path: string, text: string | undefined): string | undefined =>
  text === undefined ? undefined : showText(path, text).text

function withReality(change: FileChange, real: string | undefined): FileChange {
  if (real === undefined || change.action === 'create') return change
  if (change.action === 'delete') return { ...change, before: real }
  return { ...change, before: real, content: restoreHidden(real, change.before, change.content) }
}
