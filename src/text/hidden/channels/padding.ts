import { type Cut, cutsOf } from './cuts.ts'

/** Columns of blank within a line after which the rest is outside every window. */
const farAway = 200

const padding = new RegExp(
  `(?<![ \\t\\u00A0\\u3000])[ \\t\\u00A0\\u3000]{${farAway},}(?=[^\\s]).*`,
  'gu',
)

/** Words pushed out of view by a row of blanks. */
export const paddedText = (text: string): readonly Cut[] =>
  cutsOf(text, padding, 'text pushed out of view')
