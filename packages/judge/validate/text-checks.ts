import type { CodeProblem } from '../../change/change.ts'
import { isProse, positionAt } from '../../source/source.ts'
import { readFences } from '../../text/text.ts'

/**
 * A problem of the checked file. Its type is `syntax`, `encoding`, `stray_fence`, `leading_prose`,
 * `trailing_prose`, `placeholder`, `conflict_marker` or `edit_marker`; hints may also be
 * `unclosed_fence` or `example`.
 */
export type FileProblem = Omit<CodeProblem, 'path'>

const FENCE = /^(?:`{3,}|~{3,})[ \t]*[\w+#.-]*[ \t]*$/
const BARE_FENCE = /^(?:`{3,}|~{3,})[ \t]*$/

/** How answers start that explain a file instead of just writing it. */
const PROSE =
  /^(?:sure|certainly|of course|absolutely|okay|great|here(?:'s|’s| is| are)|below (?:is|are)|this is|the following|i(?:'ve|’ve| have)|let me)\b.*\b(?:file|code|content|contents|implementation|version|update|updated|solution|fix|change|changes|module|script|function|class|test|tests)\b.*[:.!]$/i

/** A line of plain words with an end mark; no command looks like this. */
const SENTENCE = /^[A-Z][\w'’]*(?: [\w'’,-]+){3,40}[:.!]$/

const LONGEST_SENTENCE = 300

const EDIT_MARKER =
  /^(?:<{5,9} ?SEARCH|>{5,9} ?REPLACE|-{5,9} ?SEARCH|\+{5,9} ?REPLACE|\*\*\* (?:Begin|End) Patch)[ \t]*$/

/** The same with signs of code in it, as in prose about code. */
const SENTENCE_ON_CODE = /^[A-Z][\w'’]*(?: [\w'’`()/.:,-]+){3,60}[.!]$/

/** Texts that continue in prose after the code. */
const CONTINUES = /^(?:__END__|__DATA__|=\w+|\\end\{)/m

/** Finds certain mistakes, whatever a parser says: a fenced file can be valid TypeScript. */
export function findReplyRemains(text: string, language: string): readonly FileProblem[] {
  const encoding = findBadCharacter(text)
  if (encoding) return [encoding]
  if (isProse(language)) return []
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const first = lines.findIndex((line) => line.trim() !== '')
  const last = lines.findLastIndex((line) => line.trim() !== '')
  const problems: FileProblem[] = []
  if (FENCE.test(lines[first] ?? '')) problems.push(remains('stray_fence', first))
  if (startsWithProse(text, lines[first] ?? '', language))
    problems.push(remains('leading_prose', first))
  if (last > first && BARE_FENCE.test(lines[last] ?? ''))
    problems.push(remains('stray_fence', last))
  if (problems.length > 0 || language !== 'shell') return problems
  return [...findFences(text, language), ...findTrailingProse(text, language)].slice(0, 1)
}

/**
 * Finds a sentence about the file after its last line, set off by a blank one. Counts when no
 * parser could read the text to its end, and in a shell, which takes it for a command.
 */
export function findTrailingProse(text: string, language: string): readonly FileProblem[] {
  if (isProse(language) || language === 'template' || CONTINUES.test(text)) return []
  const lines = text.split(/\r?\n/)
  const last = lines.findLastIndex((line) => line.trim() !== '')
  const start = lines.slice(0, last).findLastIndex((line) => line.trim() === '') + 1
  // To a shell, any line is a command, and the end of a document in it is one, too.
  const isShell = language === 'shell'
  const paragraph = lines.slice(start, isShell ? last + 1 : start + 1)
  const isSentence = (line: string) =>
    line.length <= LONGEST_SENTENCE && (isShell ? SENTENCE : SENTENCE_ON_CODE).test(line)
  return start > 1 && paragraph.every(isSentence) ? [remains('trailing_prose', start)] : []
}

/**
 * Finds a fence in the middle of a file. Templates, documents in strings and examples in comments
 * have fences, which are wrong only when the text does not parse, or in a shell, where two of them
 * are commands.
 */
export function findFences(text: string, language: string): readonly FileProblem[] {
  if (language === 'shell' && text.includes('<<')) return []
  const found = text.split(/\r?\n/).findIndex((line) => FENCE.test(line))
  return found < 0 ? [] : [remains('stray_fence', found)]
}

/**
 * Finds what looks like the remains of a merge or of an edit block. It may be in a string, so with
 * a parser it counts only when the text does not parse.
 */
export function findMarkers(text: string, language: string): readonly FileProblem[] {
  // A document may show markers in an example.
  const lines = isProse(language) ? readFences(text).outside : text.split(/\r?\n/)
  const edit = lines.findIndex((line) => EDIT_MARKER.test(line))
  if (edit >= 0) {
    const message = `\`${lines[edit]?.trim()}\` is part of an edit, not of the file.`
    return [atLine('edit_marker', message, edit)]
  }
  const start = lines.findIndex((line) => /^<{7}(?: |$)/.test(line))
  const middle = lines.findIndex((line, index) => index > start && /^={7}$/.test(line))
  const end = lines.findIndex((line, index) => index > middle && /^>{7}(?: |$)/.test(line))
  if (start < 0 || middle < 0 || end < 0) return []
  const message = `Merge conflict markers: choose one side, or combine both, and remove lines ${start + 1}, ${middle + 1} and ${end + 1}.`
  return [atLine('conflict_marker', message, start)]
}

function findBadCharacter(text: string): FileProblem | null {
  const at = text.indexOf('\0')
  if (at >= 0) {
    const message = 'A NUL character does not belong in text.'
    return { type: 'encoding', message, ...positionAt(text, at) }
  }
  if (text.isWellFormed()) return null
  const half = text.search(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/)
  const message = 'Half a character (a lone surrogate) cannot be stored as UTF-8.'
  return { type: 'encoding', message, ...positionAt(text, half) }
}

/** Also applies where any text may precede the code (PHP), or any words are a command (shell). */
function startsWithProse(text: string, first: string, language: string): boolean {
  if (first.length <= LONGEST_SENTENCE && PROSE.test(first.trim())) return true
  if (language === 'shell') return SENTENCE.test(first)
  if (language !== 'php') return false
  const before = text.slice(0, text.indexOf('<?php'))
  return (
    text.includes('<?php') &&
    /\S/.test(before.replace(/^#!.*/, '')) &&
    !before.includes('<') &&
    /^<\?php\s+(?:declare\s*\(|namespace\s|\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\/\s*(?:declare\s*\(|namespace\s))/.test(
      text.slice(before.length),
    )
  )
}

const atLine = (type: string, message: string, index: number): FileProblem => ({
  ...{ type, message, line: index + 1, column: 1 },
})

/** A line that belongs to the answer, not to the file. */
const remains = (type: keyof typeof sayings, index: number): FileProblem =>
  atLine(type, sayings[type], index)

const sayings = {
  stray_fence: 'A Markdown code fence is not part of the file: remove this line.',
  leading_prose:
    'A sentence about the file is not part of it: begin with the file’s own first line.',
  trailing_prose: 'A sentence about the file is not part of it: end with the file’s own last line.',
} as const

const COMMENT = String.raw`(?:\/\/+|#+|--|\/\*+|<!--|%|;+)`
const NAMED =
  '(?:code|file|implementation|function|class|methods?|functions?|logic|script|module|component|imports?|tests?|config(?:uration)?)'

/** `// ... rest of the code`, `# … existing methods …` as a line of its own. */
const LEFT_OUT = new RegExp(
  String.raw`^\s*${COMMENT}\s*(?:\.{3}|…)\s*\(?(?:the\s+|your\s+|all\s+)?(?:(?:rest|remainder)\s+of\s+(?:the|your)\s+(?:[\w-]+\s+)?${NAMED}|(?:existing|remaining|previous|unchanged)\s+${NAMED})\b.{0,40}$`,
  'i',
)

/** `<your code here>`, `[insert your implementation]` as a line of its own, in a comment or not. */
const TO_BE_FILLED = new RegExp(
  String.raw`^\s*${COMMENT}?\s*[<[{(]+\s*(?:insert |add |put |write |place )?your (?:[\w-]+ )?(?:code|implementation|logic|solution)(?: (?:goes )?here)?\s*[>\]})]+\s*(?:\*\/|-->)?\s*$`,
  'i',
)

const LONGEST_LINE = 200

/** Finds lines that stand for missing code. "TODO" and "not implemented" are honest and allowed. */
export function findPlaceholders(text: string): readonly FileProblem[] {
  if (!/(?:\.{3}|…)|your /i.test(text)) return []
  const lines = text.split(/\r?\n/)
  const found = lines.findIndex(
    (line) => line.length <= LONGEST_LINE && (LEFT_OUT.test(line) || TO_BE_FILLED.test(line)),
  )
  if (found < 0) return []
  const message = `\`${lines[found]?.trim()}\` stands for missing code: write that code.`
  return [atLine('placeholder', message, found)]
}

const directive =
  /^(?:-?include|sinclude|ifn?eq|ifn?def|else|endif|define|endef|export|unexport|override|private|vpath|undefine|load)\b/

/**
 * Finds the first line that is no rule, variable, directive or recipe: make stops there with
 * "missing separator". Prose that slipped into the file is such a line.
 */
export function lookAtMakefile(text: string): readonly FileProblem[] {
  if (/^\.RECIPEPREFIX\b/m.test(text)) return []
  let isContinued = false
  let isDefinition = false
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const isPart = isContinued || isDefinition
    isContinued = line.endsWith('\\')
    if (/^\s*define\b/.test(line)) isDefinition = true
    if (/^\s*endef\b/.test(line)) isDefinition = false
    if (isPart || line.startsWith('\t') || isSound(line.trim())) continue
    const message = 'This line is not a rule, variable or recipe (a recipe starts with a tab).'
    return [atLine('syntax', message, index)]
  }
  return []
}

const isSound = (line: string): boolean =>
  line === '' || line.startsWith('#') || /[:=]|^\$[({]/.test(line) || directive.test(line)
