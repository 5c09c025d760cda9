/** Bytes of a file; larger ones are never read as text. */
export const textSizeLimit = 1024 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text these bytes are, exactly, or `null`: too large, a NUL in it, or not UTF-8. */
export function textOf(bytes: Buffer): string | null {
  if (bytes.length > textSizeLimit || bytes.includes(0)) return null
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}
