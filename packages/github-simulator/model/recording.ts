import { z } from 'zod'
import { InvalidScript } from './invalid-script.ts'
import type { ModelScript, RecordedModelRequest, ScriptedReply } from './model-script.ts'
import { requestHash } from './request-hash.ts'
import { reply } from './script-schema.ts'

const record = z.strictObject({ hash: z.string(), reply })

/** One line of JSON for a request and the answer it got. */
export const formatRecord = (request: RecordedModelRequest, given: ScriptedReply): string =>
  JSON.stringify({ hash: requestHash(request), reply: given })

/**
 * Makes a script of recorded lines: the same request gets the same answers, in the same order; any
 * other gets none.
 * @throws InvalidScript naming the first line that is not a record.
 */
export function loadRecording(text: string): ModelScript {
  const byHash = new Map<string, ScriptedReply[]>()
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const read = readRecord(line)
    if (read === null) {
      throw new InvalidScript(`Line ${index + 1} of the recording is not a record.`)
    }
    byHash.set(read.hash, [...(byHash.get(read.hash) ?? []), read.reply])
  }
  return [...byHash].map(([hash, answers]) => ({ when: { hash }, answers }))
}

function readRecord(line: string): z.output<typeof record> | null {
  try {
    return record.parse(JSON.parse(line))
  } catch {
    return null
  }
}
