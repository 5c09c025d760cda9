import type { JudgePorts } from '../judging.ts'

const syllables = 'ba ce di fo gu ha ke li mo nu pa re si to vu za'.split(' ')

/** A random name that looks like a word: `kedimona`. */
export const word = ({ random }: Pick<JudgePorts, 'random'>): string =>
  [...random.hex(4 + Math.floor(random.fraction() * 3))]
    .map((digit) => syllables[Number.parseInt(digit, 16)])
    .join('')
