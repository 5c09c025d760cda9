import { positionAt } from '../code/positions.ts'

/** Converts an offset in UTF-8 bytes into a 1-based line and column in UTF-16 units. */
export const placeOfByte = (text: string, offset: number) =>
  positionAt(text, Buffer.from(text).subarray(0, offset).toString().length)

/** Converts an offset in code points. */
export const placeOfCharacter = (text: string, offset: number) =>
  positionAt(text, [...text].slice(0, offset).join('').length)

/** Converts a 1-based column in bytes into a column in UTF-16 units. */
export function columnOfByte(text: string, line: number, column: number): number {
  const content = Buffer.from(text.split('\n', line)[line - 1] ?? '')
  return content.subarray(0, column - 1).toString().length + 1
}
