import { parseLeniently } from '../../../packages/source/source.ts'
import { type Fields, isFields } from '../../../packages/text/text.ts'

/** The arguments of a call by name; empty for anything but an object. A single text is the first argument. */
export function readToolArguments(input: string, first: string): Fields {
  const said = input.trim()
  // Weak models and some servers drop the last brace.
  const value = parseLeniently(said) ?? (said.startsWith('{') ? parseLeniently(`${said}}`) : null)
  if (isFields(value)) return value
  const plain = typeof value === 'string' ? value : said
  return plain === '' || Array.isArray(value) ? {} : { [first]: plain }
}

/** The first of these arguments that is a text. */
export const textArgument = (given: Fields, ...names: readonly string[]): string => {
  const found = names.map((name) => given[name]).find((value) => typeof value === 'string')
  return typeof found === 'string' ? found : ''
}

/** A line number; `null` for anything else. */
export function lineArgument(value: unknown): number | null {
  const number = typeof value === 'string' ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number > 0 ? number : null
}
