import { posix } from 'node:path'
import { type ChangeSet, contentAfter, contentBefore } from '../../core/domain/change-set.ts'
import { maskText } from '../../text/source/mask.ts'
import { positionAt } from '../../text/source/positions.ts'
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
  readonly passing?: Passing | undefined
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

/** What a change takes away from a file that others of its language may name; `null` for nothing. */
function lossOf(change: ChangeSet[number]) {
  const { path } = change
  const before = contentBefore(change)
  const language = languages.find(({ files }) => files.test(path))
  if (before === undefined || language === undefined) return null
  const text = contentAfter(change)
  const loser = { path, before, isGone: text === undefined }
  const names = language
    .had(loser)
    .filter((name) => text === undefined || !language.gives(loser, name, path, text))
  return names.length === 0 ? null : { language, loser, names }
}

export const mayBeMissed = (change: ChangeSet[number]): boolean => lossOf(change) !== null

/** The same for languages whose statements of import do not tell names: by how a name can be written there. */
export const findLostReferences = (
  changes: ChangeSet,
  texts: ReadonlyMap<string, string>,
): readonly LostReference[] =>
  changes.flatMap((change) => {
    const loss = lossOf(change)
    if (loss === null) return []
    const { language } = loss
    const { path } = loss.loser
    const others = [...texts].filter(([other]) => language.files.test(other))
    const loser = { ...loss.loser, passing: language.passes?.(path, others) }
    const names = loss.names.filter(
      (name) => !others.some(([other, text]) => language.gives(loser, name, other, text)),
    )
    return others.flatMap(([user, text]) => {
      const wanted = user === path ? [] : names.filter((name) => text.includes(name))
      const masked = wanted.length > 0 ? maskText(text, 'script') : ''
      return wanted.flatMap((name) => {
        const place = language.takes(loser, name, { path: user, text, masked })
        if (place < 0) return []
        const { line } = positionAt(text, place + text.slice(place).search(/\S/))
        return [{ path, name, user, line }]
      })
    })
  })
