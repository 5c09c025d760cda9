import { posix } from 'node:path'
import { maskText } from '../../../source/source.ts'
import { once } from '../../../text/text.ts'

/** Texts of files, by path. */
export type FileTexts = ReadonlyMap<string, string>

/** A file that loses something, with its earlier text. */
export interface Loser {
  readonly path: string
  readonly before: string
  readonly isGone?: boolean
  /** Files that re-export all of it, and all modules that these re-export. */
  readonly passing?: Passing | undefined
}

/** A file that may use it; its masked text has no comments and strings. */
export interface User {
  readonly path: string
  readonly text: string
  readonly masked: string
}

interface Passing {
  readonly files: readonly string[]
  readonly modules: readonly string[]
}

/** How many files may pass a name on, one to the next. */
export const longestWay = 4

/** How files refer to each other in a language whose imports do not list names. */
interface Referring {
  readonly files: RegExp
  /** What a file provided; the empty name stands for the file itself. */
  readonly had: (loser: Loser) => readonly string[]
  /** Returns true when a file of the resulting tree provides it. */
  readonly gives: (loser: Loser, name: string, path: string, text: string) => boolean
  /** Where a file uses it, by its masked and its written text; -1 where it does not. */
  readonly takes: (loser: Loser, name: string, user: User) => number
  /** The files that re-export all of a file, where that can be determined. */
  readonly passes?: (path: string, texts: readonly (readonly [string, string])[]) => Passing
  /** True when a file can mean it: it knows the other file and, for a member, its type. */
  readonly means?: (loser: Loser, name: string, user: User) => boolean
}

export const stemOf = (path: string): string => posix.basename(path, posix.extname(path))
const at = (text: string, form: string): number => text.search(new RegExp(form, 'm'))
const has = (text: string, form: string): boolean => at(text, form) >= 0
const found = (text: string, form: RegExp): readonly string[] =>
  [...text.matchAll(form)].map(([, name = '']) => name)
const beside = (path: string, other: string): boolean =>
  posix.dirname(path) === posix.dirname(other)

/** The package that a file of Go or the JVM declares. */
const packageOf = (text: string): string => /^package\s+([\w.]+)/m.exec(text)?.[1] ?? ''

/** What precedes a name in Go: nothing in the same package, else the other package's name. */
function goPrefix({ path, before }: Loser, { path: user, text }: User): string | null {
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

/** A folder is one package: top-level names of one file are known in the others. */
const go: Referring = {
  files: /\.go$/,
  had: ({ before }) => found(maskText(before, 'script'), /^(?:func|type|var|const)\s+(\w+)/gm),
  gives: ({ path }, name, other, text) =>
    beside(path, other) &&
    has(text, `^(?:(?:func|type|var|const)\\s+|\\t)${name}\\b(?!\\()|^func ${name}\\b`),
  takes: (loser, name, user) => {
    const prefix = goPrefix(loser, user)
    if (prefix === null) return -1
    if (prefix !== '') return at(user.masked, `(?<![.\\w])${prefix}${name}\\b`)
    const binds = `\\b${name}\\b[\\w, ]*:=|[(,]\\s*${name}\\s+[\\w*[\\]]|^\\s+${name}\\([^()]*\\)[^(){}]*$`
    return has(user.masked, binds) ? -1 : at(user.masked, `(?<![.\\w]|\\)\\s)${name}[({]`)
  },
  means: (loser, name, user) => {
    const prefix = goPrefix(loser, user)
    if (prefix === null) return false
    const method = `^func\\s+\\(\\s*(?:\\w+\\s+)?\\*?(\\w+)[^)\n]*\\)\\s*${name}\\b`
    const owners = found(loser.before, new RegExp(method, 'gm'))
    return owners.length === 0
      ? has(user.masked, `(?<![.\\w])${prefix}${name}\\b`)
      : owners.some((owner) => user.masked.includes(owner)) && has(user.masked, `\\.${name}\\b`)
  },
}

/** A public type has the name of its file. */
const jvm: Referring = {
  files: /\.(?:java|kt)$/,
  had: ({ path }) => [stemOf(path)].filter((name) => /^\w+$/.test(name)),
  gives: (_, name, __, text) =>
    has(text, `\\b(?:class|interface|enum|record|object)\\s+${name}\\b`),
  takes: ({ before }, name, { text, masked }) => {
    const own = packageOf(before)
    const line = at(text, `^import\\s+(?:static\\s+)?${own.replaceAll('.', '\\.')}\\.${name}\\b`)
    if (line >= 0 || has(text, `^import\\s.*\\.${name}\\b`)) return line
    return has(text, `^package\\s+${own}\\s*;?$`)
      ? at(masked, `(?<![.\\w@])${name}\\b(?=[\\s.(<>,)])`)
      : -1
  },
  means: ({ path, before }, name, { text, masked }) => {
    const own = packageOf(before)
    const isImported = has(text, `^import\\s+(?:static\\s+)?${own.replaceAll('.', '\\.')}\\.`)
    if (packageOf(text) !== own && !isImported) return false
    // In Kotlin, functions can be top-level, too.
    const margin = `^(?:\\w+\\s+)*(?:fun|val|var)\\s+(?:<[^<>]*>\\s*)?${name}\\b`
    return name === stemOf(path) || has(before, margin)
      ? has(masked, `(?<![.\\w])${name}\\b`)
      : masked.includes(stemOf(path)) && has(masked, `(?<!\\w)${name}\\b`)
  },
}

const rustModule = (path: string): string =>
  /^(?:lib|main)$/.test(stemOf(path))
    ? 'crate'
    : stemOf(path) === 'mod'
      ? posix.basename(posix.dirname(path))
      : stemOf(path)

const rustItems =
  /^pub\s+(?:(?:async|unsafe|const|extern)\s+)*(?:fn|struct|enum|trait|const|static|type|mod)\s+(\w+)/gm

const rust: Referring = {
  files: /\.rs$/,
  had: ({ before, isGone }) => (isGone ? [''] : found(before, rustItems)),
  passes: (path, texts) => {
    const stars = texts.map(([file, text]) => ({
      ...{ file, modules: found(text, /^\s*pub\s+use\s+(?:\w+::)*(\w+)::\*/gm) },
    }))
    const files = new Set([path])
    for (let way = 0; way < longestWay; way += 1) {
      const modules = new Set([...files].map(rustModule))
      for (const star of stars)
        if (star.modules.some((each) => modules.has(each))) files.add(star.file)
    }
    files.delete(path)
    const modules = stars.flatMap((star) => (files.has(star.file) ? star.modules : []))
    return { files: [...files], modules }
  },
  gives: ({ path, passing }, name, other, text) => {
    if (name === '') {
      return (
        other === path.replace(/\.rs$/, '/mod.rs') || other === path.replace(/\/mod\.rs$/, '.rs')
      )
    }
    const passes =
      passing?.files.includes(other) || passing?.modules.includes(rustModule(other)) || false
    const isSaid = (other === path || passes) && has(text, `\\b${name}\\b`)
    return isSaid || (other === path && has(text, '^pub use .*\\*'))
  },
  takes: ({ path, passing }, name, { path: user, text, masked }) => {
    const ways = [path, ...(passing?.files ?? [])].map(rustModule).join('|')
    if (name !== '') return at(masked, `\\b(?:${ways})::(?:\\{[^{}]*\\b)?${name}\\b`)
    const parent = posix.dirname(stemOf(path) === 'mod' ? posix.dirname(path) : path)
    const parents = ['', '/mod', '/lib', '/main'].map((each) => `${parent}${each}.rs`)
    return parents.includes(user)
      ? at(text, `^\\s*(?:pub(?:\\([^)]*\\))?\\s+)?mod\\s+${rustModule(path)}\\s*;`)
      : -1
  },
}

/** Languages that name a file by its path in quotes, relative to the folder of the naming file. */
const byPath = (files: RegExp, statement: RegExp, endings: readonly string[]): Referring => ({
  files,
  had: ({ isGone }) => (isGone ? [''] : []),
  gives: () => false,
  takes: ({ path }, _, { path: user, text }) =>
    [...text.matchAll(statement)].find(([, quoted = '']) =>
      endings.some((ending) => posix.join(posix.dirname(user), quoted + ending) === path),
    )?.index ?? -1,
})

const languages = once((): readonly Referring[] => [
  go,
  jvm,
  rust,
  byPath(/\.(?:rb|rake)$|Rakefile$/, /^\s*require_relative\s*\(?\s*["']([^"'\n]+)["']/gm, [
    '',
    '.rb',
  ]),
  byPath(/\.(?:c|cc|cpp|cxx|h|hh|hpp)$/, /^\s*#\s*include\s*"([^"\n]+)"/gm, ['']),
  byPath(
    /\.php$/,
    /\b(?:require|include)(?:_once)?\s*\(?\s*__DIR__\s*\.\s*["']\/?([^"'\n]+)["']/gm,
    [''],
  ),
])

export const referringOf = (path: string): Referring | undefined =>
  languages().find(({ files }) => files.test(path))
