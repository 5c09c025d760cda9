import { positionAt } from '../../text/source/positions.ts'

/** 1-based line and column in UTF-16 units, of an offset in UTF-8 bytes. */
export const placeOfByte = (text: string, offset: number) =>
  positionAt(text, Buffer.from(text).subarray(0, offset).toString().length)

/** The place of an offset in characters (code points). */
export const placeOfCharacter = (text: string, offset: number) =>
  positionAt(text, [...text].slice(0, offset).join('').length)

/** A 1-based column in bytes of a line, as a column in UTF-16 units. */
export function columnOfByte(text: string, line: number, column: number): number {
  const content = Buffer.from(text.split('\n', line)[line - 1] ?? '')
  return content.subarray(0, column - 1).toString().length + 1
}
