import { createHash } from 'node:crypto'

/**
 * SHA-256 hex over a task's words. Ticks, white space, line endings and the kind of bullet are not
 * words: they may change without making it another task.
 */
export function fingerprintOf(title: string, details: string): string {
  return sha256(`${words(title)}\n${words(details.replace(bullet, '- ').replace(box, '[ ]'))}`)
}

/** Seven hex digits that stay while the heading path and the title stay. */
export function shortHash(headings: readonly string[], title: string): string {
  return sha256([...headings, title].map(words).join('\n')).slice(0, 7)
}

/** The same of a task whose title is another's, too: twelve digits, and its details with it. */
export function longHash(headings: readonly string[], title: string, details: string): string {
  return sha256([...headings, fingerprintOf(title, details)].map(words).join('\n')).slice(0, 12)
}

const bullet = /^[ \t]*[*+-][ \t]+/gm
const box = /\[[ \txX~/!-]\](?=\s)/g

function words(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim()
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
