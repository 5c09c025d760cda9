import { posix } from 'node:path'

/** A file that loses something, with what it held before. */
export interface Loser {
  readonly path: string
  readonly before: string
}

/** A file that may use it; the masked text has no comments and no strings. */
export interface User {
  readonly path: string
  readonly text: string
  readonly masked: string
}

/** How a file can mean what stands in another, in a language whose imports do not tell names. */
interface Scope {
  readonly files: RegExp
  /** What stands before a name there, as a pattern; `null` where the file knows nothing of the other. */
  readonly prefix: (loser: Loser, user: User) => string | null
  /** Types that have a member of this name; none for what stands at the margin. */
  readonly owners: (loser: Loser, name: string) => readonly string[]
  /** What stands before a member. */
  readonly member: string
}

/** The name of a file without its ending. */
export const stemOf = (path: string): string => posix.basename(path, posix.extname(path))
export const at = (text: string, form: string): number => text.search(new RegExp(form, 'm'))
export const has = (text: string, form: string): boolean => at(text, form) >= 0
export const beside = (path: string, other: string): boolean =>
  posix.dirname(path) === posix.dirname(other)
export const found = (text: string, form: RegExp): readonly string[] =>
  [...text.matchAll(form)].map(([, name = '']) => name)

/** The package that a file of Go or the JVM says it is of. */
export const packageOf = (text: string): string => /^package\s+([\w.]+)/m.exec(text)?.[1] ?? ''

/** In Go: nothing in the same package, else what the other's package is called. */
export const goPrefix: Scope['prefix'] = ({ path, before }, { path: user, text }) => {
  const own = packageOf(before)
  const isBeside = beside(path, user)
  if (isBeside && has(text, `^package ${own}$`)) return ''
  const last = path.includes('/') ? posix.basename(posix.dirname(path)) : own
  const folder = last.replaceAll(/[^\w-]/g, '\\$&')
  const form = `^\\s*(?:import\\s+)?(?:([\\w.]+)\\s+)?"[\\w./-]*/${folder}(?:/v\\d+)?"$`
  const named = new RegExp(form, 'm').exec(text)
  if (named === null) return isBeside ? `${own}\\.` : null
  return named[1] === '.' ? '' : `${named[1] ?? own}\\.`
}

const go: Scope = {
  files: /\.go$/,
  prefix: goPrefix,
  owners: ({ before }, name) =>
    found(
      before,
      new RegExp(`^func\\s+\\(\\s*(?:\\w+\\s+)?\\*?(\\w+)[^)\n]*\\)\\s*${name}\\b`, 'gm'),
    ),
  member: '\\.',
}

const jvm: Scope = {
  files: /\.(?:java|kt)$/,
  prefix: ({ before }, { text }) => {
    const own = packageOf(before)
    const isImported = has(text, `^import\\s+(?:static\\s+)?${own.replaceAll('.', '\\.')}\\.`)
    return packageOf(text) === own || isImported ? '' : null
  },
  // In Kotlin, functions stand at the margin, too.
  owners: ({ path, before }, name) =>
    name === stemOf(path) ||
    has(before, `^(?:\\w+\\s+)*(?:fun|val|var)\\s+(?:<[^<>]*>\\s*)?${name}\\b`)
      ? []
      : [stemOf(path)],
  member: '(?<!\\w)',
}

/**
 * Whether a file can mean by this name what stands in another: it knows the other, and where the name is that
 * of a member, a type that has it. `null` for languages in which imports tell that.
 */
export function mayMean(loser: Loser, name: string, user: User): boolean | null {
  const scope = [go, jvm].find(({ files }) => files.test(loser.path))
  if (scope === undefined) return null
  const prefix = scope.prefix(loser, user)
  const owners = scope.owners(loser, name)
  if (prefix === null) return false
  return owners.length === 0
    ? has(user.masked, `(?<![.\\w])${prefix}${name}\\b`)
    : owners.some((owner) => user.masked.includes(owner)) &&
        has(user.masked, `${scope.member}${name}\\b`)
}
