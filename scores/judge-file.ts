import { validateFile } from '../packages/judge/validate/validate-file.ts'
import type { Ports } from '../src/core/ports.ts'
import type { Result } from './score.ts'

/** The corpora are of languages that are parsed in this process; a text that would leave it is refused. */
const noChild: Pick<Ports, 'syntax'> = {
  syntax: { check: async () => ({ status: 'unavailable', reason: 'there is no other process' }) },
}

/**
 * The validator's verdict on one text against the known one; `null` where either will do. A problem
 * without a message or outside the text is wrong, whatever it is about.
 */
export async function judgeFile(
  path: string,
  text: string,
  isValid: boolean | null,
): Promise<Result> {
  const { checked, valid, problems } = await validateFile({ path, text }, noChild)
  if (!checked && problems.length === 0) return 'refused'
  const lines = text.split('\n').length
  const wellSaid = problems.every(({ message, line }) => message !== '' && line <= lines)
  return wellSaid && (isValid === null || valid === isValid) ? 'right' : 'wrong'
}
