import { normalise } from './outline.ts'

const mostValues = 50

/** The parts of an argument list, split where a comma stands outside brackets and strings. */
export function splitValues(list: string): readonly string[] {
  const values: string[] = []
  let depth = 0
  let quote = ''
  let start = 0
  for (let at = 0; at < list.length && values.length < mostValues; at += 1) {
    const char = list[at] ?? ''
    if (quote !== '') {
      if (char === '\\') at += 1
      else if (char === quote) quote = ''
    } else if (char === '"' || char === '`' || (char === "'" && !/\w/.test(list[at - 1] ?? '')))
      quote = char
    else if ('([{'.includes(char)) depth += 1
    else if (')]}'.includes(char)) depth -= 1
    else if (char === ',' && depth === 0) {
      values.push(list.slice(start, at))
      start = at + 1
    }
  }
  values.push(list.slice(start))
  return values.map(normalise).filter((value) => value !== '')
}
