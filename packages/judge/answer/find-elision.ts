import { commentText } from './find-path.ts'
import type { Lines } from './text-lines.ts'

/** With one of these words, a comment refers to omitted code. */
const absent =
  /\b(?:rest|remainder|remaining|remains?|stays?|existing|unchanged|omitted|brevity)\b/i

/** After dots, so do these. */
const absentAfterDots = /\b(?:previous|original|same|other|here|code|imports)\b/i

/** `... (rest of the file)`, and a comment of dots and words; not `...rest`, which is code. */
const dotsInCode = /^(?:\/\*\s*)?[[(]?(?:\.{3}|…)\s*(?:\*\/|\s[\w([])/

/** A comment of only these words, with one from above, stands for omitted code. */
const vocabulary = new Set(
  (
    'a above all and are as before below brevity class code component content contents existing file ' +
    'for function functions goes here implementation imports in is keep keeps left logic method methods ' +
    'module of omitted original other out previous remain remainder remaining remains rest same stay ' +
    'stays the this unchanged unmodified untouched your cases columns fields handlers list markup ' +
    'page properties props routes rules section styles table tests body config configuration document ' +
    'html options readme script settings template types view'
  ).split(' '),
)

/** Whole comments that say the same in other words. */
const phrases = new RegExp(
  `^(?:${[
    '(?:same|as|exactly) (?:as )?(?:before|in the original|original|previously)',
    'previous (?:code|implementation|contents?)(?: here)?',
    'no changes?(?: (?:here|below|above|in this part))?',
    'other \\w{1,20} (?:go )?here',
    'todo:? (?:the )?rest of (?:the )?\\w{1,20}',
    'unchanged',
    'omitted',
    'snip(?:ped)?',
    'and so on',
  ].join('|')})$`,
  'i',
)

/** Languages in which a line of three dots is code, or may be text. */
const dotsMayStand =
  /\.(?:pyi?|ya?ml|mdx?|markdown|rst|txt|adoc|tex|snap|csv|log|diff|patch|ipynb)$|(?:^|\/)[^.]*$/i

/** In prose, `#` is a heading, and examples of code may contain `// ...`. */
const prose = /\.(?:mdx?|markdown|rst|txt|adoc)$/i

/**
 * Finds the 1-based line of a whole file where the model omitted code (`// ... rest unchanged`,
 * `# existing code`, `<!-- ... -->`); 0 when there is none. Also refuses real comments that read
 * the same: edits can still change such a file.
 */
export function findElision(path: string, lines: Lines): number {
  const isProse = prose.test(path)
  const dotsStand = dotsMayStand.test(path)
  return lines.findIndex((line) => isElision(line, isProse, dotsStand)) + 1
}

function isElision(line: string, isProse: boolean, dotsStand: boolean): boolean {
  if (line.length > 300) return false
  const text = line.trim()
  if (!dotsStand && /^(?:\.{3}|…)$/.test(text)) return true
  const comment = isProse && !text.startsWith('<!--') ? null : commentText(text)
  if (comment === null) return dotsInCode.test(text) && absent.test(text)
  if (/^[[(]?(?:\.{3}|…)/.test(comment)) return isAfterDots(comment)
  if (phrases.test(comment.replace(/^[\W_]+|[\W_]+$/g, ''))) return true
  if (!absent.test(comment)) return false
  if (/^[[(].*[\])]$|^(?:the )?(?:rest|remaining|existing)\b.{0,40}(?:\.{3}|…)$/i.test(comment)) {
    return true
  }
  if (/[;=]|\w\s*:\s*\w/.test(comment)) return false
  const words = comment.toLowerCase().match(/[a-z']+/g) ?? []
  return words.length > 1 && words.every((word) => vocabulary.has(word))
}

/** `...`, `... anything ...`, or `... rest of the class`. */
const isAfterDots = (comment: string): boolean =>
  /(?:\.{3}|…)[\])]?$/.test(comment) || absent.test(comment) || absentAfterDots.test(comment)
