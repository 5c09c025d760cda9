import type { IncomingMessage } from 'node:http'

/** GitHub sends no more. */
const mostBytes = 25_000_000

/** Most webhooks are smaller. So much of each connection is kept without asking. */
const smallBytes = 128_000

/** Larger bodies in memory at once, however many come; the others wait in their sockets. */
const mostLarge = 2

/** So long a large body waits for its turn. GitHub gives up after ten seconds. */
const longestMilliseconds = 5_000

export type Body =
  | { readonly status: 'read'; readonly parts: readonly Buffer[] }
  | { readonly status: 'too_large' | 'busy' }

/** Reads bodies in bounded memory. `heard` is given each part as it comes. */
export function createBodyReader() {
  const gate = createGate(mostLarge)
  return async (request: IncomingMessage, heard: (part: Buffer) => void): Promise<Body> => {
    const parts: Buffer[] = []
    let size = 0
    let leave: (() => void) | null = null
    try {
      for await (const part of request as AsyncIterable<Buffer>) {
        size += part.length
        if (size > mostBytes) return { status: 'too_large' }
        if (size > smallBytes && leave === null) {
          leave = await gate(longestMilliseconds)
          if (leave === null) return { status: 'busy' }
        }
        heard(part)
        parts.push(part)
      }
      return { status: 'read', parts }
    } finally {
      leave?.()
    }
  }
}

/** Lets so many in at once, in the order they came; what is returned leaves again. `null`: not in time. */
function createGate(most: number): (milliseconds: number) => Promise<(() => void) | null> {
  let inside = 0
  const waiting = new Set<() => void>()
  const leave = () => {
    inside -= 1
    const [next] = waiting
    next?.()
  }
  return (milliseconds) =>
    new Promise((resolve) => {
      const enter = () => {
        clearTimeout(timer)
        waiting.delete(enter)
        inside += 1
        resolve(leave)
      }
      const timer = setTimeout(() => {
        waiting.delete(enter)
        resolve(null)
      }, milliseconds)
      if (inside < most) enter()
      else waiting.add(enter)
    })
}
