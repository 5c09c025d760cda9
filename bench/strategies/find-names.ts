/**
 * Which lines of a repository a change depends on: the definitions of the names that its new lines use. It reads
 * lines with patterns and shares nothing with `src/`, so that it can judge what `src/` shows to a model.
 */
import { isProduct, type Language } from './sources.ts'
import { isStandard } from './standard-names.ts'

/** A name that the change uses; any of these lines says what it is. */
export interface NeededName {
  readonly name: string
  readonly lines: readonly string[]
}

const script = [
  /^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s*\*?\s*(\w+)\s*\(/,
  /^\s*(?:export\s+)?(?:default\s+)?(?:abstract\s+)?class\s+(\w+)/,
  /^(?:export\s+)?(?:const|let|var)\s+(\w+)\s*=/,
  /^(?:module\.)?exports\.(\w+)\s*=/,
  /^\w+(?:\.prototype)?\.(\w+)\s*=\s*(?:async\s+)?(?:function\b|\(|\w+\s*=>)/,
  /^ {2,4}(?:static\s+|async\s+|get\s+|set\s+)*(\w+)\s*\([^)]*\)\s*\{$/,
  /^ {2,4}(\w+):\s*(?:async\s+)?function\b/,
]
const patterns: Readonly<Record<Language, readonly RegExp[]>> = {
  javascript: script,
  python: [/^\s*(?:async\s+)?def\s+(\w+)/, /^\s*class\s+(\w+)/, /^(\w+)\s*(?::[^=]+)?=(?!=)/],
  go: [/^func\s+(?:\([^)]*\)\s*)?(\w+)\s*[([]/, /^type\s+(\w+)\s/, /^(?:var|const)\s+(\w+)\b/],
  rust: [
    /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:const\s+|async\s+|unsafe\s+)*fn\s+(\w+)/,
    /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:struct|enum|trait|type|static)\s+(\w+)/,
    /^\s*(?:pub(?:\([^)]*\))?\s+)?const\s+(\w+)\s*:/,
  ],
}

const keywords =
  /^(?:if|for|while|switch|catch|function|return|with|else|constructor|super|init|main|new|self|this)$/

/** Every name that the text defines, with the lines that define it. */
function definitionsIn(language: Language, text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const name = patterns[language]
      .map((pattern) => pattern.exec(line)?.[1])
      .find((candidate) => candidate !== undefined)
    if (name === undefined || name.length < 3 || keywords.test(name)) continue
    found.set(name, [...(found.get(name) ?? []), line.trim()])
  }
  return found
}

const quoted = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g
const remark: Readonly<Record<Language, RegExp>> = {
  javascript: /^\s*(?:\*|\/\/|\/\*).*$|\/\/ .*$/gm,
  python: /#.*$/gm,
  go: /\/\/.*$/gm,
  rust: /\/\/.*$/gm,
}

/** Names that stand in the text, strings and comments left out. */
export function namesIn(language: Language, text: string): ReadonlySet<string> {
  const bare = text.replaceAll(quoted, '""').replaceAll(remark[language], '')
  return new Set(bare.match(/\b[A-Za-z_]\w{2,}/g) ?? [])
}

/** Parameters and local variables, wherever they are declared. */
const locals: Readonly<Record<Language, RegExp>> = {
  javascript:
    /\b(?:const|let|var)\s+(\w+)|\bfunction\b[^(\n]*\(([^()\n]*)\)|\(([^()\n]*)\)\s*(?:=>|\{)/g,
  python: /^\s+(\w+)\s*=(?!=)|\bdef\s+\w+\(([^()]*)\)|\bfor\s+(\w+(?:,\s*\w+)*)\s+in\b/gm,
  go: /\b(\w+(?:,\s*\w+)*)\s*:=|\bfunc\b[^(\n]*\(([^()\n]*)\)/g,
  rust: /\blet\s+(?:mut\s+)?(\w+)|\bfn\s+\w+[^(\n]*\(([^()\n]*)\)|\|([^|\n]*)\|/g,
}

const localsIn = (language: Language, text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(locals[language])].flatMap((match) =>
      match.slice(1).flatMap((group) => group?.match(/[A-Za-z_]\w*/g) ?? []),
    ),
  )

/** `http.HandlerFunc` in Go: a name of another package, of which the repository's own one says nothing. */
const ofPackages = (language: Language): RegExp =>
  language === 'go'
    ? /\b(?:http|url|strings|strconv|fmt|bytes|errors|context|sort|math|os|io|time|regexp|path|sync|net|unicode|utf8)\.\w+/g
    : /(?!)/g

/** A name that more places define says nothing about which of them is meant. */
const mostPlaces = 2

/**
 * The names of the repository that the new lines use.
 *
 * @param path the file that the lines are added to
 * @param added the new lines; what they define themselves is not needed
 * @param before its text before, or an empty one
 */
export function neededNames(
  language: Language,
  files: ReadonlyMap<string, string>,
  {
    path,
    added,
    before,
  }: { readonly path: string; readonly added: string; readonly before: string },
): readonly NeededName[] {
  const own = definitionsIn(language, added)
  const here = definitionsIn(language, before)
  const local = localsIn(language, `${before}\n${added}`)
  const used = [...namesIn(language, added.replaceAll(ofPackages(language), ''))].filter(
    (name) => !own.has(name) && (here.has(name) || !local.has(name)),
  )
  const elsewhere = new Map<string, string[]>()
  for (const [other, text] of files) {
    if (other === path || !isProduct(language, other)) continue
    for (const [name, lines] of definitionsIn(language, text)) {
      elsewhere.set(name, [...(elsewhere.get(name) ?? []), ...lines])
    }
  }
  return used.flatMap((name) => {
    const isKnown = isStandard(language, name)
    const lines = here.get(name) ?? (isKnown ? undefined : elsewhere.get(name)) ?? []
    return lines.length > 0 && lines.length <= mostPlaces ? [{ name, lines }] : []
  })
}

/** Numbers, marks and places that are written before a line to show it. */
const before = /^(?:[>\s]*\d+ \| ?|[+-] |[\w./-]+:\d+: )/

let known: { readonly text: string; readonly lines: ReadonlySet<string> } | null = null

/** The lines of a conversation, without what was written before them to show them. */
export function linesShown(conversation: string): ReadonlySet<string> {
  if (known?.text !== conversation) {
    const lines = conversation
      .split('\n')
      .flatMap((line) => [line.trim(), line.replace(before, '').trim()])
    known = { text: conversation, lines: new Set(lines) }
  }
  return known.lines
}

/** A line as short as this says nothing where it stands in another line. */
const telling = 12

/** True where the conversation has this line, or begins one with it. */
export function isShown(conversation: string, line: string): boolean {
  const bare = line.trim()
  if (bare === '' || linesShown(conversation).has(bare)) return true
  const head = bare.replace(/\s*[{:]$/, '')
  return head.length >= telling && conversation.includes(head)
}

/** True where a path stands in the conversation, in full or in a list by folder: `lib/: a.js b.js`. */
export function isPathShown(conversation: string, path: string): boolean {
  if (conversation.includes(path)) return true
  const at = path.lastIndexOf('/')
  const [folder, name] = at < 0 ? ['./', path] : [path.slice(0, at + 1), path.slice(at + 1)]
  return conversation
    .split('\n')
    .some((line) => line.startsWith(`${folder}: `) && line.split(/[:\s]+/).includes(name))
}
