import { createHash } from 'node:crypto'
import type { ModelRequest } from '../../core/ports/model.ts'

/** SHA-256 of what is asked, in hex; how long the answer may be does not make it another question. */
export function hashRequest({
  purpose,
  model,
  messages,
  json,
}: Pick<ModelRequest, 'purpose' | 'model' | 'messages' | 'json'>): string {
  const turns = messages.map(({ role, content }) => [role, content])
  return createHash('sha256')
    .update(JSON.stringify([purpose, model, turns, json]))
    .digest('hex')
}
