import { createHash } from 'node:crypto'
import type { Message, ModelRequest } from '../../core/ports/model.ts'

/**
 * SHA-256 of the request, in hex; the allowed length of the answer does not count. Sample 0 has the hash that it had
 * before there were samples, so stored answers stay paid.
 */
export function hashRequest(
  request: Pick<ModelRequest, 'purpose' | 'model' | 'messages' | 'json' | 'sample'>,
): string {
  const { purpose, model, messages, json, sample = 0 } = request
  const turns = messages.map(({ role, content }) => [role, content])
  const parts = [purpose, model, turns, json, ...(sample > 0 ? [sample] : [])]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

const digitsOfDigest = 12

/** Equal for two requests that differ only in numbers, which a model at temperature 0 answers alike. */
export function digestRequest(model: string, messages: readonly Message[], sample: number): string {
  const turns = messages.map(({ role, content }) => [role, content.replaceAll(/\d+/g, '#')])
  const hash = createHash('sha256')
    .update(JSON.stringify([model, turns, sample]))
    .digest('hex')
  return hash.slice(0, digitsOfDigest)
}

/** Lines of a message that are compared one by one; later ones count only in the hash. */
const mostLines = 4000

const digits = 4

/**
 * Encodes each message as one short digest per line: some thousand characters that reveal no text but show where
 * another request differs. Ignores numbers, because times and ports differ between test runs.
 */
export const outlineRequest = (messages: readonly Message[]): readonly string[] =>
  messages.map(({ content }) => linesOf(content).map(digest).join(''))

/** Describes in a few words where a request differs from a recorded outline; empty when only numbers differ. */
export function describeDifferences(
  recorded: readonly string[],
  messages: readonly Message[],
): readonly string[] {
  const now = outlineRequest(messages)
  if (now.length !== recorded.length) {
    return [`it has ${now.length} messages, and had ${recorded.length}`]
  }
  return messages.flatMap(({ role, content }, at) => {
    const difference = describeMessage(split(recorded[at] ?? ''), linesOf(content))
    return difference === null ? [] : [`message ${at + 1} (${role}), ${difference}`]
  })
}

/** The lines between the common start and the common end. */
function describeMessage(old: readonly string[], lines: readonly string[]): string | null {
  const now = lines.map(digest)
  const shorter = Math.min(old.length, now.length)
  let start = 0
  while (start < shorter && old[start] === now[start]) start += 1
  if (start === old.length && start === now.length) return null
  let end = 0
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end += 1
  const removed = old.length - start - end
  const added = lines.slice(start, lines.length - end)
  const counts = `from line ${start + 1}: ${removed} lines were ${added.length} others`
  const shown = added.find((line) => line.trim() !== '')
  return shown === undefined ? counts : `${counts}, + ${shown.trim().slice(0, 120)}`
}

const linesOf = (text: string): readonly string[] => text.split('\n', mostLines)

const split = (outline: string): readonly string[] =>
  Array.from({ length: Math.ceil(outline.length / digits) }, (_, at) =>
    outline.slice(at * digits, (at + 1) * digits),
  )

/** FNV-1a, folded to 16 bits. */
function digest(line: string): string {
  let hash = 0x811c9dc5
  for (const character of line.trim().replaceAll(/\d+/g, '#')) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  }
  return ((hash >>> 16) ^ (hash & 0xffff)).toString(16).padStart(digits, '0').slice(-digits)
}
