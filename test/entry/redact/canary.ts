/** A secret to look for wherever a text leaves the program, in each spelling that is recognised. */
export const canary = 'c4n4ry-p@ss/w0rd"+of this run'

/** A secret of several lines, which is also printed line by line. */
export const longCanary = `-----BEGIN C4N4RY-----
kJ8s0Qn2mX7vB4nL8pR1tW6yZ0cF5hD2
aGe9Uk3J9sQ2mX7vB4nL8pR1tW6yZ0cF
-----END C4N4RY-----`

/** What is recognised by its shape alone. */
export const shapedCanary = 'ghp_k3J9sQ2mX7vB4nL8pR1tW6yZ0cF5hD2aGe9U'

/** The registered ones, as they may be written. */
export const spellings: Readonly<Record<string, string>> = {
  'as it is': canary,
  base64: Buffer.from(canary).toString('base64'),
  'base64, shifted': Buffer.from(`ab${canary}cd`).toString('base64'),
  base64url: Buffer.from(canary).toString('base64url'),
  hex: Buffer.from(canary).toString('hex'),
  'hex, upper case': Buffer.from(canary).toString('hex').toUpperCase(),
  'hex, separated': Buffer.from(canary)
    .toString('hex')
    .replace(/..(?=.)/g, '$&:'),
  'base64 of UTF-16': Buffer.from(canary, 'utf16le').toString('base64'),
  escaped: [...canary].map((letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join(''),
  entities: [...canary].map((letter) => `&#${letter.charCodeAt(0)};`).join(''),
  URL: encodeURIComponent(canary),
  JSON: JSON.stringify(canary).slice(1, -1),
  'split over lines': longCanary
    .split('\n')
    .map((line) => `  | ${line}`)
    .join('\n'),
}

/** All of them in one text. */
export const allSpellings = `before ${Object.values(spellings).join(' | ')} after`

/** What must be in no text that left. */
const needles: readonly string[] = [
  ...Object.values(spellings).filter((text) => !text.includes('\n')),
  // Of the shifted one, what belongs to the secret alone.
  (spellings['base64, shifted'] ?? '').slice(4, -4),
  ...longCanary.split('\n'),
]

/** Those that are in it all the same, also where it is JSON. */
export const findCanaries = (text: string): readonly string[] =>
  [...needles, shapedCanary].filter(
    (needle) => text.includes(needle) || text.includes(JSON.stringify(needle).slice(1, -1)),
  )

/** What was given to somebody, as one text; with what maps and sets hold. */
export const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => {
    if (part instanceof Map || part instanceof Set) return [...part]
    return typeof part === 'function' ? 'function' : part
  }) ?? ''
