import { posix } from 'node:path'
import {
  importedFiles,
  importStatements,
  maskCurly,
  maskText,
  providedNames,
  pythonFile,
} from '../../../source/source.ts'
import { jsonFields, parseExactly } from '../../../text/text.ts'
import { type FileTexts, type Loser, referringOf, type User } from './references.ts'

const script = /\.(?:[mc]?[jt]sx?|vue|svelte)$/i
const cFamily = /\.(?:c|cc|cpp|cxx|h|hh|hpp)$/i
const curly = /\.(?:go|rs|java|kts?|scala|cs|swift|c|cc|cpp|cxx|h|hh|hpp)$/i
const jvm = /\.(?:java|kt)$/i
/** Names of files that stand for their folder. */
const folderNames = /^(?:index|__init__|mod|lib|main)$/

/** Finds a file that uses a name of another one, for each name that is used. */
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
      // An unexported name, or one that the other file defines, can only be meant as a member.
      const isMember = given?.has(name) === false || own.has(name)
      const isUsed = isMember ? members.has(`.${name}`) : words.has(name)
      if (means?.(loser, name, user) ?? isUsed) users.set(name, other)
    }
  }
  return users
}

/** Names that a text calls without defining or importing them. */
export function findUndefined(
  path: string,
  names: readonly string[],
  text: string,
): readonly string[] {
  const plain = masked(path, text)
  const called = new Set([...plain.matchAll(/(?<![.\w$])([\w$]+)\s*\(/g)].map(([, name]) => name))
  const known = new Set(introduced(plain))
  return names.filter((name) => called.has(name) && !known.has(name))
}

/** Words of lines that define or import names. */
const introduced = (plain: string): readonly string[] =>
  plain.split('\n').flatMap((line) => (brings.test(line) ? (line.match(word) ?? []) : []))

const none: ReadonlySet<string> = new Set()

/** Names that a file defines itself, if imports list names: excludes those that it imports. */
function ownNames({ path, text, masked }: User): ReadonlySet<string> {
  if (!script.test(path) && !pythonFile.test(path)) return none
  const imported = new Set(importStatements(path, text).flatMap(({ names }) => names))
  return new Set(introduced(masked).filter((name) => !imported.has(name)))
}

const word = /[\w$]+/g
/** Skips members that are assigned. */
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

/** True when a file imports another one, is in the same folder, or mentions it. */
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
  const isNamed = ({ specifier }: { readonly specifier: string }) =>
    !specifier.startsWith('.') && specifier.split(/[/.]/).includes(spoken)
  return (
    importedFiles(other, text, exists).includes(path) || importStatements(other, text).some(isNamed)
  )
}

/** The parts of a file that readers and programs refer to. */
interface DefinedNames {
  /** Functions, classes, members, constants and exports of code. */
  readonly names: ReadonlySet<string>
  /** Headings of prose, keys of data. */
  readonly entries: ReadonlySet<string>
}

const control = /^(?:if|for|while|switch|catch|return|function|else|do|try|with|super|new|await)$/

const scriptForms: readonly RegExp[] = [
  /^(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:async\s+|abstract\s+)*(?:function\s*\*?|class|const|let|var|interface|type|enum|namespace)\s+([\w$]+)/gm,
  /^(?:[\w$]+\.)*(?:exports|prototype|[\w$]+)\.([\w$]+)\s*=(?!=)/gm,
  /^\s+(?:(?:public|private|protected|static|async|get|set|override)\s+)*\*?([\w$]+)\s*(?:<[^>\n]{0,80}>)?\([^;\n]{0,300}\{\s*$/gm,
]
/** Lists of names: `export { a, b as c }`, `module.exports = { a, b }`. */
const scriptLists = /^(?:export\s*(?:type\s*)?|module\.exports\s*=\s*)\{([^{}]{0,5000})\}/gm

const pythonForms: readonly RegExp[] = [
  /^\s*(?:async\s+)?(?:def|class)\s+(\w+)/gm,
  /^([A-Za-z]\w*)\s*(?::[^=\n]{1,200})?=(?!=)/gm,
]
const otherForms: readonly RegExp[] = [
  /^\s*(?:(?:pub(?:\([^)\n]*\))?|public|private|protected|internal|export|static|final|abstract|sealed|open|data|async|unsafe|const|override|inline)\s+)*(?:func|fn|fun|function|def|class|struct|enum|trait|interface|module|mod|type|record|object|macro_rules!)\s+(?:\([^)\n]{0,200}\)\s*|self\.)?(\w+)/gm,
  /^\s*(?:(?:public|protected|private|static|final|abstract|synchronized|internal|override|virtual|default)\s+)+[\w<>[\],.? ]{1,200}?\s(\w+)\s*\(/gm,
  /^(?:var|const|static|pub\s+const|pub\s+static)\s+(\w+)/gm,
  /^(?:[A-Za-z_][\w:<>*&]*\s+[*&]*)+(\w+)\s*\([^;\n]{0,300}$/gm,
  /^#define\s+(\w+)/gm,
]

export function definedNames(path: string, text: string): DefinedNames {
  const name = posix.basename(path)
  if (/\.(?:md|mdx|markdown)$/i.test(name)) return { names: none, entries: headings(text) }
  if (/\.jsonc?$/i.test(name)) return { names: none, entries: jsonKeys(text) }
  if (/\.(?:ya?ml|toml|ini|cfg|properties)$|^\.env/i.test(name)) {
    return { names: none, entries: found(text, keyForms) }
  }
  if (/\.(?:rst|txt|adoc|css|s[ac]ss|less|html?|svg|csv|sql|lock)$/i.test(name)) {
    return { names: none, entries: none }
  }
  return { names: codeNames(path, text), entries: none }
}

/** In unmasked languages, includes lines in comments and strings: both texts are read alike. */
function codeNames(path: string, text: string): ReadonlySet<string> {
  if (pythonFile.test(path)) return found(maskText(text, 'python'), pythonForms)
  if (!script.test(path)) return found(text, otherForms)
  const masked = maskText(text, 'script')
  const listed = [...masked.matchAll(scriptLists)].flatMap(([, list = '']) =>
    list.split(',').map((each) => /([\w$]+)\s*(?::.*)?$/.exec(each.trim())?.[1] ?? ''),
  )
  const names = [...found(masked, scriptForms), ...listed]
  return new Set(names.filter((name) => name !== '' && !control.test(name)))
}

/** Assignments that replace a definition: a field for an accessor, an export in a block. */
const otherBindings: readonly RegExp[] = [
  /\b(?:this|self|cls|exports|prototype)\.([\w$]+)\s*(?::[^=\n]{1,80})?=(?!=)/g,
  // Members of a class without a keyword, and those with one.
  /^(?: {2}| {4}|\t)([\w$]+)[?!]?[ \t]*(?:;|=(?!=)|:[ \t]*\w)/gm,
  /\b(?:public|private|protected|readonly|static|val|var)\s+([\w$]+)\s*[:;,=)]/g,
  // A method with a type and no keyword.
  /^\s+(?!(?:return|new|else|throw|case|await|yield)\b)(?:[\w<>[\],.?@&*:]+\s+)+[*&]*(\w+)\s*\([^;\n]{0,300}\)[^;(){}\n]{0,200}\{/gm,
  /^\s*attr_(?:reader|writer|accessor)\b(.*)$/gm,
  /\brecord\s+\w+(?:<[^>\n]*>)?\s*\(([^()]*)\)/g,
  /\b(\w+)\s*(?:=>|\{\s*get\b)/g,
]

/** Names to which a text assigns a value in any way, and more. */
export const boundNames = (text: string): ReadonlySet<string> =>
  new Set([...found(text, otherBindings)].flatMap((names) => names.match(/[\w$]+/g) ?? []))

const keyForms: readonly RegExp[] = [
  /^ {0,2}"?([\w./@-]+)"?\s*[:=]/gm,
  /^\s*\[{1,2}\s*([^\]\n]{1,200}?)\s*\]/gm,
]

const found = (text: string, forms: readonly RegExp[]): ReadonlySet<string> =>
  new Set(forms.flatMap((form) => [...text.matchAll(form)].map((match) => match[1] ?? '')))

function headings(text: string): ReadonlySet<string> {
  const plain = text.replace(/^([`~]{3,})[\s\S]*?^\1/gm, '')
  return new Set([...plain.matchAll(/^#{1,6}[ \t]+(.+?)[ \t#]*$/gm)].map(([, said = '']) => said))
}

/** Keys of the first two levels; no keys for a text that is not JSON. */
const jsonKeys = (text: string): ReadonlySet<string> =>
  new Set(
    Object.entries(jsonFields(parseExactly(text))).flatMap(([key, inner]) => [
      key,
      ...Object.entries(jsonFields(inner)).map(([below]) => `${key}.${below}`),
    ]),
  )
