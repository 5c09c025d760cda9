import { posix } from 'node:path'
import { type ChangeSet, contentAfter, contentBefore } from '../../core/domain/change-set.ts'
import { maskText } from '../../text/source/mask.ts'
import {
  at,
  beside,
  found,
  goPrefix,
  has,
  type Loser as Losing,
  packageOf,
  stemOf,
  type User,
} from '../reply/loss/may-mean.ts'

/** Something that a file of the tree takes from another, which has it no longer. */
export interface LostReference {
  /** The file that had it. */
  readonly path: string
  /** Empty where the file itself is gone. */
  readonly name: string
  readonly user: string
  /** 1-based. */
  readonly line: number
}

interface Loser extends Losing {
  readonly isGone: boolean
  /** Files that pass all of it on, and all modules that these pass on. */
  readonly passing?: Passing
}

interface Passing {
  readonly files: readonly string[]
  readonly modules: readonly string[]
}

/** So many files may pass a name on, one to the other. */
export const longestWay = 4

/** How the files of a language name each other, or what is in each other. */
interface Referring {
  readonly files: RegExp
  /** What a file had; empty stands for the file itself. */
  readonly had: (loser: Loser) => readonly string[]
  /** Whether the file of the resulting tree gives that. */
  readonly gives: (loser: Loser, name: string, path: string, text: string) => boolean
  /** Where a file takes it, in its masked text and as it is written; -1 where it does not. */
  readonly takes: (loser: Loser, name: string, user: User) => number
  /** Who passes all of a file on, where that can be said. */
  readonly passes?: (path: string, texts: readonly (readonly [string, string])[]) => Passing
}

/** One package in a folder: whatever stands at the margin of one file is known in the others. */
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
}

/** A public type and the file of its name. */
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
}

const rustModule = (path: string): string =>
  /^(?:lib|main)$/.test(stemOf(path))
    ? 'crate'
    : stemOf(path) === 'mod'
      ? posix.basename(posix.dirname(path))
      : stemOf(path)

const passedModules = (text: string) => found(text, /^\s*pub\s+use\s+(?:\w+::)*(\w+)::\*/gm)

const rust: Referring = {
  files: /\.rs$/,
  had: ({ before, isGone }) =>
    isGone
      ? ['']
      : found(
          before,
          /^pub\s+(?:(?:async|unsafe|const|extern)\s+)*(?:fn|struct|enum|trait|const|static|type|mod)\s+(\w+)/gm,
        ),
  passes: (path, texts) => {
    const stars = texts.flatMap(([file, text]) => ({ file, modules: passedModules(text) }))
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
  gives: ({ path, passing }, name, other, text) =>
    name === ''
      ? other === path.replace(/\.rs$/, '/mod.rs') || other === path.replace(/\/mod\.rs$/, '.rs')
      : other === path
        ? has(text, `\\b${name}\\b`) || has(text, '^pub use .*\\*')
        : passing !== undefined &&
          (passing.files.includes(other) || passing.modules.includes(rustModule(other))) &&
          has(text, `\\b${name}\\b`),
  takes: ({ path, passing }, name, { path: user, text, masked }) => {
    const module = rustModule(path)
    const ways = [path, ...(passing?.files ?? [])].map(rustModule).join('|')
    if (name !== '') return at(masked, `\\b(?:${ways})::(?:\\{[^{}]*\\b)?${name}\\b`)
    const parent = posix.dirname(stemOf(path) === 'mod' ? posix.dirname(path) : path)
    const isParent = [
      `${parent}.rs`,
      ...['mod', 'lib', 'main'].map((each) => `${parent}/${each}.rs`),
    ]
    return isParent.includes(user)
      ? at(text, `^\\s*(?:pub(?:\\([^)]*\\))?\\s+)?mod\\s+${module}\\s*;`)
      : -1
  },
}

/** Languages that name a file by its path: what stands between the quotes, from the folder of the file. */
const byPath = (files: RegExp, statement: RegExp, endings: readonly string[]): Referring => ({
  files,
  had: ({ isGone }) => (isGone ? [''] : []),
  gives: () => false,
  takes: ({ path }, _, { path: user, text }) =>
    [...text.matchAll(statement)].find(([, said = '']) =>
      endings.some((ending) => posix.join(posix.dirname(user), said + ending) === path),
    )?.index ?? -1,
})

const languages: readonly Referring[] = [
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
]

/** Whether a change takes something away from a file that others of its language may name. */
export const mayBeMissed = (change: ChangeSet[number]): boolean =>
  languages.some((language) => lostNames(language, change).length > 0)

function loserOf(change: ChangeSet[number]): Loser | null {
  const before = contentBefore(change)
  return before === undefined
    ? null
    : { path: change.path, before, isGone: change.action === 'delete' }
}

function lostNames(language: Referring, change: ChangeSet[number]): readonly string[] {
  const loser = loserOf(change)
  if (loser === null || !language.files.test(loser.path)) return []
  const text = contentAfter(change)
  const { path } = loser
  const isKept = (name: string) => text !== undefined && language.gives(loser, name, path, text)
  return language.had(loser).filter((name) => !isKept(name))
}

/** The same for languages whose statements of import do not tell names: by how a name can be written there. */
export function findLostReferences(
  changes: ChangeSet,
  texts: ReadonlyMap<string, string>,
): readonly LostReference[] {
  return changes.flatMap((change) =>
    languages.flatMap((language) => {
      const lost = lostNames(language, change)
      const own = lost.length > 0 ? loserOf(change) : null
      if (own === null) return []
      const others = [...texts].filter(([path]) => language.files.test(path))
      const passing = language.passes?.(own.path, others)
      const loser = { ...own, ...(passing && { passing }) }
      const names = lost.filter(
        (name) => !others.some(([path, text]) => language.gives(loser, name, path, text)),
      )
      return others.flatMap(([path, text]) => {
        const wanted = names.filter((name) => text.includes(name))
        const user = { path, text, masked: wanted.length > 0 ? maskText(text, 'script') : '' }
        return wanted.flatMap((name) => {
          const place = path === loser.path ? -1 : language.takes(loser, name, user)
          if (place < 0) return []
          const start = place + text.slice(place).search(/\S/)
          const line = text.slice(0, start).split('\n').length
          return [{ path: loser.path, name, user: path, line }]
        })
      })
    }),
  )
}
