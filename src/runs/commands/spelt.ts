import type { Remark } from '../../core/ports/discussion.ts'
import { parseCommand } from '../triggers/parse-command.ts'

/** False for a review's bare verdict: it may not have been meant for us, and gets no refusal. */
export const isSpelt = ({ body }: Pick<Remark, 'body'>): boolean => {
  const written = parseCommand(body)
  return written !== null && written.name !== 'unknown'
}
