import type { GrepLine } from '../../core/ports/workspace.ts'

const longestLine = 300

/** In bytes: names may have 4,096, and a character of a line has at most four. */
const kept = [8_192, 32, 4 * (longestLine + 1)] as const

/** What ends each part of a record: the name, the number of the line, the line. */
const ends = [0, 0, 10] as const

/**
 * Reads the output of `git grep -n -z` on a commit, split anywhere. Names may contain line breaks,
 * lines may contain NULs, and a line may be longer than memory: only its start is kept.
 */
export function createLineReader(
  sha: string,
  found: (line: GrepLine) => void,
): (bytes: Buffer) => void {
  let parts: Buffer[] = [Buffer.alloc(0)]
  const addTo = (part: number, bytes: Buffer) => {
    const before = parts[part] ?? Buffer.alloc(0)
    const room = (kept[part] ?? 0) - before.length
    if (room > 0) parts[part] = Buffer.concat([before, bytes.subarray(0, room)])
  }
  return (bytes) => {
    let rest = bytes
    while (rest.length > 0) {
      const part = parts.length - 1
      const end = rest.indexOf(ends[part] ?? 0)
      addTo(part, end < 0 ? rest : rest.subarray(0, end))
      if (end < 0) return
      rest = rest.subarray(end + 1)
      if (part < 2) parts.push(Buffer.alloc(0))
      else {
        const line = lineOf(sha, parts)
        if (line !== null) found(line)
        parts = [Buffer.alloc(0)]
      }
    }
  }
}

/** A name that is not UTF-8 can be neither shown nor written: `null`. */
function lineOf(sha: string, parts: readonly Buffer[]): GrepLine | null {
  const [name = '', line = '', text = ''] = parts.map((part) => part.toString('utf8'))
  if (name.includes('\uFFFD')) return null
  return { path: name.slice(sha.length + 1), line: Number(line), text: shorten(text) }
}

function shorten(text: string): string {
  const line = text.replace(/\r$/, '')
  const characters = [...line]
  return characters.length > longestLine ? `${characters.slice(0, longestLine).join('')}…` : line
}
