import { posix } from 'node:path'
import { importStatements } from '../../../text/imports/import-statements.ts'
import { localImports, resolveImport } from '../../../text/imports/imports.ts'
import { providedNames } from '../../../text/imports/provided-names.ts'
import { maskText } from '../../../text/source/mask.ts'
import { maskCurly } from '../../../text/source/mask-curly.ts'
import { type Loser, mayMean } from './may-mean.ts'

const script = /\.(?:[mc]?[jt]sx?|vue|svelte)$/i
const python = /\.pyi?$/i
const cFamily = /\.(?:c|cc|cpp|cxx|h|hh|hpp)$/i
const curly = /\.(?:go|rs|java|kts?|scala|cs|swift|c|cc|cpp|cxx|h|hh|hpp)$/i
const jvm = /\.(?:java|kt)$/i
/** Names of files that stand for their folder. */
const folderNames = /^(?:index|__init__|mod|lib|main)$/

/** A file that uses a name of another one, for each of these names that a file uses. */
export function findUsers(
  loser: Loser,
  names: readonly string[],
  texts: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const { path } = loser
  const given = script.test(path) ? providedNames(path, loser.before) : null
  const users = new Map<string, string>()
  for (const [other, text] of texts) {
    const wanted = names.filter((name) => !users.has(name) && text.includes(name))
    if (wanted.length === 0 || other === path || !sameLanguage(path, other)) continue
    const user = { path: other, text, masked: masked(other, text) }
    const isKnown = knows(other, text, path, texts)
    const words = new Set(isKnown ? user.masked.match(word) : [])
    const members = new Set(isKnown ? user.masked.match(memberName) : [])
    for (const name of wanted) {
      // What is not exported is a member, or nobody's.
      const isSaid = given?.has(name) === false ? members.has(`.${name}`) : words.has(name)
      if (mayMean(loser, name, user) ?? isSaid) users.set(name, other)
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
  const lines = plain.split('\n').filter((line) => brings.test(line))
  const brought = new Set(lines.flatMap((line) => line.match(word) ?? []))
  return names.filter((name) => called.has(name) && !brought.has(name))
}

const word = /[\w$]+/g
const memberName = /\.[\w$]+/g
const brings =
  /\b(?:function|class|def|func|fn|const|let|var|import|from|use|using|require|include)\b/

export const sameLanguage = (path: string, other: string): boolean =>
  [script, python, cFamily, jvm].some((form) => form.test(path) && form.test(other)) ||
  posix.extname(path) === posix.extname(other)

function masked(path: string, text: string): string {
  if (script.test(path)) return maskText(text, 'script')
  if (python.test(path)) return maskText(text, 'python')
  return curly.test(path) ? maskCurly(text, '') : text
}

/** Whether a file has to do with another: it imports it, stands beside it, or speaks of it. */
function knows(
  other: string,
  text: string,
  path: string,
  texts: ReadonlyMap<string, string>,
): boolean {
  const stem = posix.basename(path).replace(/(?:\.d)?\.\w+$/, '')
  const folder = posix.basename(posix.dirname(path))
  const spoken = folderNames.test(stem) ? folder : stem
  if (!script.test(other) && !python.test(other)) {
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
