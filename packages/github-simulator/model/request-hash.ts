import { createHash } from 'node:crypto'
import type { RecordedModelRequest } from './model-script.ts'

/** SHA-256 hex of what makes a request itself: its model and its messages. */
export function requestHash({
  model,
  messages,
}: Pick<RecordedModelRequest, 'model' | 'messages'>): string {
  const said = messages.map(({ role, content }) => [role, content])
  return createHash('sha256')
    .update(JSON.stringify([model, said]))
    .digest('hex')
}
