import type { Remark } from '../../core/ports/discussion.ts'
import { type CommentCommand, parseCommand } from './parse-command.ts'

/**
 * What a remark asks for, or `null`. A review without a command in its words says one by its
 * verdict: "Approve" is `/approve`, "Request changes" is `/revise` with its words.
 */
export function commandOf(
  remark: Pick<Remark, 'kind' | 'body' | 'verdict'>,
): CommentCommand | null {
  const written = parseCommand(remark.body)
  if (remark.kind !== 'review' || isSpelt(remark)) return written
  if (remark.verdict === 'approved') return { name: 'approve', sha: null }
  if (remark.verdict === 'changes_requested') return { name: 'revise', text: remark.body.trim() }
  return written
}

/** False for a review's bare verdict: it may not have been meant for us, and gets no refusal. */
export const isSpelt = ({ body }: Pick<Remark, 'body'>): boolean => {
  const written = parseCommand(body)
  return written !== null && written.name !== 'unknown'
}
