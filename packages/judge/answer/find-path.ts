import { type Certainty, looksLikePath } from '../../text/text.ts'

/** Paths of the tree that an answer is about: these are paths, whatever they look like. */
export type KnownPaths = ReadonlySet<string>
export const noPaths: KnownPaths = new Set()

const isPath = (word: string, certainty: Certainty, known: KnownPaths): boolean =>
  known.has(word) || looksLikePath(word, certainty)

const longestLine = 1_400

/** Words that may accompany a path without making the line a sentence about something else. */
const fillers = new Set(
  (
    'a all an and as changed code complete component config configuration content contents create created ' +
    'creating file filename final finally first following follows for full here heres i implementation is it ' +
    'lets modified modify module name new next now of overwrite path replace replaced rewrite ' +
    'rewritten save script second should source step test tests the then third this update updated updating ' +
    'version whole with write your'
  ).split(' '),
)

/** The path in a fence's info string: `js src/a.js`, `src/a.js`, `js:src/a.js`, `js title="src/a.js"`. */
export function pathOfInfo(info: string, known = noPaths): string | null {
  if (info.length > longestLine) return null
  const behind = info.replace(/^\S+\s+/, '')
  if (behind !== info && known.has(behind)) return behind
  const keyed =
    /(?:^|[\s{,])(?:title|file|filename|filepath|path|name)\s*[=:]\s*(?:"([^"]*)"|'([^']*)'|([^\s"'{}]+))/i.exec(
      info,
    )
  const value = keyed?.[1] ?? keyed?.[2] ?? keyed?.[3]
  if (value !== undefined) {
    return isPath(value, 'labelled', known) ? value : null
  }
  for (const [index, word] of info.split(/\s+/).entries()) {
    const bare = isGroup.test(word) ? word : word.replace(/^[`("'[{]+|[`)"'\]},:]+$/g, '')
    const colon = bare.search(/:(?!\/\/)/)
    const afterColon = colon > 0 ? bare.slice(colon + 1) : ''
    if (/^[a-z+#-]+:/i.test(bare) && looksLikePath(afterColon, 'labelled')) return afterColon
    if (known.has(bare) && !isPlainWord.test(bare)) return bare
    if (index === 0 && !/[/.\\]/.test(bare)) continue
    if (looksLikePath(bare, 'marked')) return bare
  }
  return null
}

const fileLabel = /^(?:file(?:\s?name|\s?path)?|path)\s*:\s*(.+)$/i

/** Brackets that are part of the name: `[id].tsx`, `(shop)/page.tsx`. */
const isGroup = /^(?:\[[^\]]*\][^(\]]|\([^)]*\)[^):,.])/
/** A name that could also be a language, or a word. */
const isPlainWord = /^[a-z]+$/

/** The language in a fence's info string, in lower case; empty when there is none. */
export function fenceLanguageOf(info: string): string {
  const word = /^[{.]*([\w+#-]+)/.exec(info)?.[1] ?? ''
  return word.toLowerCase()
}

/**
 * The path in a line that only names one: a heading, a list item, bold, in backticks, `File: …`, or
 * the path alone; `null` for every other line.
 */
export function pathOfHeader(line: string, known = noPaths): string | null {
  if (line.length > longestLine) return null
  if (known.has(line.trim())) return line.trim()
  const tagged = pathOfTag(line, known)
  if (tagged !== null) return tagged
  const heading = /^\s*(?:>\s*)?#{1,6}\s/.test(line)
  const text = line
    .replace(/^\s*(?:>\s*)?(?:#{1,6}\s+)?(?:(?:\d{1,3}[.)]|[-*+•])\s+)?/, '')
    .replace(/^[-=]{2,}\s*|\s*[-=]{2,}$/g, '')
    .replaceAll('*', '')
    .trim()
    .replace(/:$/, '')
  if (known.has(text) && !isPlainWord.test(text)) return text
  const alone = heading ? 'word' : 'marked'
  if (looksLikePath(text, alone)) return text
  const named = fileLabel.exec(text)?.[1]?.replace(/^`+|`+$/g, '')
  if (named !== undefined && isPath(named, 'labelled', known)) return named
  return pathAmong(text, (word) => fillers.has(word) || /^\d*$/.test(word), known)
}

/** The path between the tags of a tool's call: `<path>src/a.js</path>`. */
export function pathOfTag(line: string, known = noPaths): string | null {
  const path = /^\s*<((?:target_?)?(?:file_?)?(?:path|name|file))>([^<>]+)<\/\1>\s*$/i
    .exec(line)?.[2]
    ?.trim()
  return path !== undefined && isPath(path, 'labelled', known) ? path : null
}

/** The only path that a line mentions, whatever else it says; `null` for none or several. */
export const pathOfMention = (line: string, known = noPaths): string | null =>
  line.length > longestLine ? null : pathAmong(line.replaceAll('*', ''), () => true, known)

/** The path that a comment line consists of: `// src/a.js`, `# File: a.py`, `<!-- x.html -->`. */
export function pathOfComment(line: string): string | null {
  if (line.length > longestLine) return null
  const text = commentText(line)
  if (text === null) return null
  const plain = text.replace(/^[-=*#~]{2,}\s*|\s*[-=*#~]{2,}$/g, '')
  const label = fileLabel.exec(plain.replace(/^@file(?:\s?name)?\s/i, 'file: '))
  const word = (label?.[1] ?? plain).replace(/^[`"']+|[`"']+$/g, '')
  return looksLikePath(word, label ? 'labelled' : 'word') ? word : null
}

const commentForms: readonly RegExp[] = [
  /^\{\/\*(.*)\*\/\}$/,
  /^\/\*+(.*)\*\/$/,
  /^<!--(.*)-->$/,
  /^(?:\/\/+|#+(?!!)|--|;+|%+)(?=\s|\.{3})(.*)$/,
]

/** The text of a line that is only a comment; `null` for any other line. */
export function commentText(line: string): string | null {
  const text = line.trim()
  for (const form of commentForms) {
    const inside = form.exec(text)?.[1]
    if (inside !== undefined) return inside.trim()
  }
  return null
}

function pathAmong(
  text: string,
  isFiller: (word: string) => boolean,
  known: KnownPaths,
): string | null {
  let found: string | null = null
  for (const word of text.match(/`[^`]+`\S*|\S+/g) ?? ['']) {
    const quoted = /^\W*`([^`]+)`\W*$/.exec(word)?.[1] ?? linked(word)
    const certainty: Certainty = quoted === null ? 'word' : 'marked'
    const isBare = quoted !== null || isGroup.test(word)
    const path = isBare ? (quoted ?? word) : word.replace(/^["'([]+|["')\],:.;]+$/g, '')
    if ((quoted !== null && known.has(quoted)) || looksLikePath(path, certainty)) {
      if (found !== null && found !== path) return null
      found = path
    } else if (!isFiller(word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''))) return null
  }
  return found
}

/** `[src/a.js](src/a.js)` → `src/a.js`. */
const linked = (word: string): string | null =>
  /^\[`?([^\]`]+)`?\]\([^)]*\):?$/.exec(word)?.[1] ?? null
