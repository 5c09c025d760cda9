import { posix } from 'node:path'
import { pythonFile } from '../../../text/imports/import-statements.ts'
import { maskText } from '../../../text/source/mask.ts'
import { parseExactly } from '../json/mend-json.ts'
import { script } from './find-users.ts'

/** What a document is looked up by; a name that goes is missed by readers or programs. */
export interface DefinedNames {
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

const none: ReadonlySet<string> = new Set()

/** Also of lines in comments and strings, in languages that are not masked: both texts are read alike. */
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

/** What stands for a definition where it is given a value: a field for an accessor, an export in a block. */
const otherBindings: readonly RegExp[] = [
  /\b(?:this|self|cls|exports|prototype)\.([\w$]+)\s*(?::[^=\n]{1,80})?=(?!=)/g,
  // Members of a class that have no keyword, and those with one.
  /^(?: {2}| {4}|\t)([\w$]+)[?!]?[ \t]*(?:;|=(?!=)|:[ \t]*\w)/gm,
  /\b(?:public|private|protected|readonly|static|val|var)\s+([\w$]+)\s*[:;,=)]/g,
  // A method with a type and no keyword.
  /^\s+(?!(?:return|new|else|throw|case|await|yield)\b)(?:[\w<>[\],.?@&*:]+\s+)+[*&]*(\w+)\s*\([^;\n]{0,300}\)[^;(){}\n]{0,200}\{/gm,
  /^\s*attr_(?:reader|writer|accessor)\b(.*)$/gm,
  /\brecord\s+\w+(?:<[^>\n]*>)?\s*\(([^()]*)\)/g,
  /\b(\w+)\s*(?:=>|\{\s*get\b)/g,
]

/** Names that a text gives a value in any way, and more. */
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

/** Keys of the first two levels; none of a text that is no JSON. */
const jsonKeys = (text: string): ReadonlySet<string> =>
  new Set(
    entriesOf(parseExactly(text)).flatMap(([key, inner]) => [
      key,
      ...entriesOf(inner).map(([below]) => `${key}.${below}`),
    ]),
  )

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
