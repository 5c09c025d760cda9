import type { Author } from '../../core/ports/discussion.ts'
import { idOf, partOf, payloadText } from './payload.ts'

/** The account there; `null` when it was deleted, or is not one. */
export function readAuthor(value: unknown): Author | null {
  const [id, login] = [idOf(value, 'id'), payloadText(value, 'login')]
  if (id === null || login === null || login === '') return null
  const type = partOf(value, 'type')
  // Organisations and what is still to come are no people either.
  return { id, login, isBot: type !== 'User' || login.endsWith('[bot]') }
}
