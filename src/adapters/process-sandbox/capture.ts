/** Keeps the head and the tail of an endless output in a fixed amount of memory. */
export interface Capture {
  push(chunk: Buffer): void
  text(): string
}

/** `limit` in bytes, half for the head and half for the tail; what falls between is named in the text. */
export function createCapture(limit: number): Capture {
  const half = Math.floor(limit / 2)
  const head = Buffer.allocUnsafe(half)
  const ring = Buffer.allocUnsafe(half)
  let headLength = 0
  let passed = 0
  return {
    push(chunk) {
      const taken = chunk.copy(head, headLength)
      headLength += taken
      let rest = chunk.subarray(taken)
      if (rest.length > half) {
        passed += rest.length - half
        rest = rest.subarray(rest.length - half)
      }
      const fitting = rest.copy(ring, passed % half)
      rest.copy(ring, 0, fitting)
      passed += rest.length
    },
    text() {
      const start = head.subarray(0, headLength)
      if (passed <= half) return Buffer.concat([start, ring.subarray(0, passed)]).toString('utf8')
      const cut = passed % half
      const end = Buffer.concat([ring.subarray(cut), ring.subarray(0, cut)])
      return `${start.toString('utf8')}\n… ${passed - half} bytes left out …\n${end.toString('utf8')}`
    },
  }
}
