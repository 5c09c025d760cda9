export interface Fence {
  readonly indent: number
  readonly sign: string
  readonly length: number
  readonly info: string
}

/** A line that is a fence; back-ticks in the info string make it inline code. */
export function fenceOf(line: string): Fence | null {
  const match = /^([ \t]*)(`{3,}|~{3,})(.*)$/.exec(line)
  if (match === null) return null
  const [, indent = '', signs = '', info = ''] = match
  if (signs.startsWith('`') && info.includes('`')) return null
  return { indent: indent.length, sign: signs.charAt(0), length: signs.length, info: info.trim() }
}
