import { posix } from 'node:path'
import { importStatements, pythonFile } from '../../../text/imports/import-statements.ts'
import { localImports, resolveImport } from '../../../text/imports/imports.ts'
import { providedNames } from '../../../text/imports/provided-names.ts'
import { maskText } from '../../../text/source/mask.ts'
import { maskCurly } from '../../../text/source/mask-curly.ts'
import { type FileTexts, type Loser, referringOf, type User } from './references.ts'

export const script = /\.(?:[mc]?[jt]sx?|vue|svelte)$/i
const cFamily = /\.(?:c|cc|cpp|cxx|h|hh|hpp)$/i
const curly = /\.(?:go|rs|java|kts?|scala|cs|swift|c|cc|cpp|cxx|h|hh|hpp)$/i
const jvm = /\.(?:java|kt)$/i
/** Names of files that stand for their folder. */
const folderNames = /^(?:index|__init__|mod|lib|main)$/

/** A file that uses a name of another one, for each of these names that a file uses. */
export function findUsers(
  loser: Loser,
  names: readonly string[],
  texts: FileTexts,
): ReadonlyMap<string, string> {
  const { path } = loser
  const given = script.test(path) ? providedNames(path, loser.before) : null
  const means = referringOf(path)?.means
  const users = new Map<string, string>()
  for (const [other, text] of texts) {
    const wanted = names.filter((name) => !users.has(name) && text.includes(name))
    if (wanted.length === 0 || other === path || !sameLanguage(path, other)) continue
    const user = { path: other, text, masked: masked(other, text) }
    const isKnown = knows(other, text, path, texts)
    const words = new Set(isKnown ? user.masked.match(word) : [])
    const members = new Set(isKnown ? user.masked.match(memberName) : [])
    const own = isKnown ? ownNames(user) : none
    for (const name of wanted) {
      // What is not exported, or is the other file's own, can only be meant as a member.
      const isMember = given?.has(name) === false || own.has(name)
      const isSaid = isMember ? members.has(`.${name}`) : words.has(name)
      if (means?.(loser, name, user) ?? isSaid) users.set(name, other)
    }
  }
  return users
}

/** Names that a text calls and neither defines nor imports. */
export function findUndefined(
  path: string,
  names: readonly string[],
  text: string,
): readonly string[] {
  const plain = masked(path, text)
  const called = new Set([...plain.matchAll(/(?<![.\w$])([\w$]+)\s*\(/g)].map(([, name]) => name))
  const known = new Set(brought(plain))
  return names.filter((name) => called.has(name) && !known.has(name))
}

/** Words of lines that bring names in. */
const brought = (plain: string): readonly string[] =>
  plain.split('\n').flatMap((line) => (brings.test(line) ? (line.match(word) ?? []) : []))

const none: ReadonlySet<string> = new Set()

/** What a file calls something itself, where imports tell names: none of what it takes by its name. */
function ownNames({ path, text, masked }: User): ReadonlySet<string> {
  if (!script.test(path) && !pythonFile.test(path)) return none
  const taken = new Set(importStatements(path, text).flatMap(({ names }) => names))
  return new Set(brought(masked).filter((name) => !taken.has(name)))
}

const word = /[\w$]+/g
/** Not one that is given a value. */
const memberName = /\.[\w$]+(?![\w$])(?!\s*=(?!=))/g
const brings =
  /\b(?:function|class|def|func|fn|const|let|var|import|from|use|using|require|include)\b/

export const sameLanguage = (path: string, other: string): boolean =>
  [script, pythonFile, cFamily, jvm].some((form) => form.test(path) && form.test(other)) ||
  posix.extname(path) === posix.extname(other)

function masked(path: string, text: string): string {
  if (script.test(path)) return maskText(text, 'script')
  if (pythonFile.test(path)) return maskText(text, 'python')
  return curly.test(path) ? maskCurly(text, '') : text
}

/** Whether a file has to do with another: it imports it, stands beside it, or speaks of it. */
function knows(other: string, text: string, path: string, texts: FileTexts): boolean {
  const stem = posix.basename(path).replace(/(?:\.d)?\.\w+$/, '')
  const folder = posix.basename(posix.dirname(path))
  const spoken = folderNames.test(stem) ? folder : stem
  if (!script.test(other) && !pythonFile.test(other)) {
    return (
      posix.dirname(other) === posix.dirname(path) || text.includes(spoken) || text.includes(folder)
    )
  }
  const exists = (each: string) => each === path || texts.has(each)
  const isMeant = (specifier: string) => resolveImport(other, specifier, exists) === path
  const isNamed = ({ specifier }: { readonly specifier: string }) =>
    !specifier.startsWith('.') && specifier.split(/[/.]/).includes(spoken)
  return localImports(other, text).some(isMeant) || importStatements(other, text).some(isNamed)
}
