import { type Harm, isKnown } from '../finding.ts'

/** A program's call, with options apart from operands. Unknown parts are marked. */
export interface Call {
  readonly program: string
  readonly words: readonly string[]
  /** Words that do not start with a dash, or that follow `--`. */
  readonly operands: readonly string[]
  /** True for any of these options: `-f` also inside `-rf`, `--size` also as `--size=0`. */
  has(...options: readonly string[]): boolean
  /** The value of an option: `-c value`, `-cvalue` or `--command=value`. */
  value(...options: readonly string[]): string | null
}

export function callOf([program = '', ...words]: readonly string[]): Call {
  const dashes = words.indexOf('--')
  const options = (dashes < 0 ? words : words.slice(0, dashes)).filter((word) => /^-./.test(word))
  const short = new Set(
    options.filter((word) => /^-[A-Za-z]+$/.test(word)).flatMap((word) => [...word.slice(1)]),
  )
  const behind = dashes < 0 ? [] : words.slice(dashes + 1)
  const before = (dashes < 0 ? words : words.slice(0, dashes)).filter((word) => !/^-./.test(word))
  return {
    program,
    words,
    operands: [...before, ...behind],
    has: (...wanted) =>
      wanted.some((option) =>
        option.startsWith('--') || option.length > 2
          ? options.some((word) => word === option || word.startsWith(`${option}=`))
          : short.has(option.slice(1)),
      ),
    value(...wanted) {
      for (const [index, word] of words.entries()) {
        for (const option of wanted) {
          if (word === option) return words[index + 1] ?? null
          if (option.startsWith('--') && word.startsWith(`${option}=`))
            return word.slice(option.length + 1)
          const joined = !option.startsWith('--') && word.startsWith(option) && word.length > 2
          if (joined && option.length === 2 && !isCluster(word)) return word.slice(2)
        }
      }
      return null
    },
  }
}

/** `-ec` consists of options; `-cDROP` does not. */
const isCluster = (word: string): boolean => /^-[a-z]{2,4}$/.test(word)

export function afterOptions(
  words: readonly string[],
  valued: readonly string[],
): readonly string[] {
  let at = 0
  while (at < words.length) {
    const word = words[at] ?? ''
    if (word === '--') return words.slice(at + 1)
    if (!/^-./.test(word)) break
    at += valued.includes(word) ? 2 : 1
  }
  return words.slice(at)
}

export const harmless: readonly Harm[] = []

/**
 * A file of the project by its literal name, or one under `/tmp`: the loss is plain to see, and
 * version control has it. Patterns, variables, home and system paths do not qualify.
 */
export function isPlainFile(path: string): boolean {
  if (path.endsWith('\uFFFA') && !path.slice(0, -1).includes('\uFFFA')) return true
  if (!isKnown(path) || path === '' || /[*?[\]{}%$]/.test(path)) return false
  if (/^\/(?:var\/)?tmp\/[^/]/.test(path)) return !path.includes('..')
  return !/^(?:[/~]|[A-Za-z]:[\\/])|^\.{1,2}\/?$|(?:^|\/)\.\.(?:\/|$)/.test(path)
}
