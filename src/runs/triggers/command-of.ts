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
  if (remark.kind !== 'review' || (written !== null && written.name !== 'unknown')) return written
  if (remark.verdict === 'approved') return { name: 'approve', sha: null }
  if (remark.verdict === 'changes_requested') return { name: 'revise', text: remark.body.trim() }
  return written
}
