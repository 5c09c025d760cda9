import type { Table } from 'mdast'
import type { Cut } from './cuts.ts'

const channel = 'table cell beyond the columns'

/** GitHub draws as many cells of a row as the header has. */
export function cellsBeyond({ align, children }: Table): readonly Cut[] {
  const columns = align?.length ?? 0
  return children.flatMap((row) => {
    const start = row.children[columns]?.position?.start.offset
    const end = row.position?.end.offset
    return start === undefined || end === undefined ? [] : [{ start, end, instead: '|', channel }]
  })
}

/** The line below a header: `|---|:-:|`. */
const rule = /^[ \t>]*\|?(?:[ \t]*:?-+:?[ \t]*\|)*[ \t]*:?-+:?[ \t]*\|?[ \t]*$/

/** The same without a parse, wherever a table may stand. */
export function cellsBeyondRoughly(text: string): readonly Cut[] {
  const cuts: Cut[] = []
  let [at, columns] = [0, 0]
  for (const line of text.split('\n')) {
    const bars = [...line.matchAll(/(?<!\\)\|/g)].map(({ index }) => index)
    const edge = /^[ \t>]*\|/.test(line) ? 0 : 1
    if (line.trim() === '') columns = 0
    else if (bars.length > 0 && rule.test(line)) columns = line.match(/-+/g)?.length ?? 0
    const bar = columns === 0 ? undefined : bars[columns - edge]
    if (bar !== undefined && line.slice(bar + 1).trim() !== '')
      cuts.push({ start: at + bar, end: at + line.length, instead: '|', channel })
    at += line.length + 1
  }
  return cuts
}
