/** 1-based line and column in UTF-16 units. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** The place of an offset in UTF-8 bytes. */
export function placeOfByte(text: string, offset: number): Place {
  const before = Buffer.from(text).subarray(0, offset).toString()
  const lineStart = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: before.length - lineStart + 1 }
}

/** The place of an offset in characters (code points). */
export function placeOfCharacter(text: string, offset: number): Place {
  let line = 1
  let column = 1
  let count = 0
  for (const char of text) {
    if (count === offset) break
    count += 1
    if (char === '\n') {
      line += 1
      column = 1
    } else column += char.length
  }
  return { line, column }
}

/** A 1-based column in bytes of a line, as a column in UTF-16 units. */
export function columnOfByte(text: string, line: number, column: number): number {
  const content = text.split('\n', line)[line - 1] ?? ''
  return (
    Buffer.from(content)
      .subarray(0, column - 1)
      .toString().length + 1
  )
}

/** Just after the last character that is not white space. */
export function endPlace(text: string): Place {
  const written = text.trimEnd()
  const lineStart = written.lastIndexOf('\n') + 1
  return { line: written.split('\n').length, column: written.length - lineStart + 1 }
}
