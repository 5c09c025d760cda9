import { blank, closerOf, maskCurly, type SyntaxLanguage } from '../../source/source.ts'

/** Conditions of a preprocessor: only the compiler knows which branch applies. */
const DIRECTIVE = /^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|elseif|else|endif)\b/

/** Opens or closes a linkage block for C++ only: a brace in each of two conditions. */
const LINKAGE =
  /^[ \t]*#[ \t]*if(?:def[ \t]+| +defined *\(? *)__cplusplus[^\n]*\n\s*(?:extern[ \t]+"C"[ \t\n]*\{|\})[^\n]*\n\s*#[ \t]*endif[^\n]*/gm

/** Upper-case words where no value can be: alone, between type and name, before an argument. */
const MACRO =
  /^[ \t]*[A-Z][A-Z0-9_]{2,}(?:\([^()\n]*\))?[ \t]*;?[ \t]*$|(?<=[\w*>&][ \t]{1,4})\b[A-Z][A-Z0-9_]{2,}(?=[ \t]+[\w*&])|(?<=[(,][ \t]*)\b[A-Z][A-Z0-9_]{2,}(?=[ \t]+[a-z_])/gm

/** Whole lines only; the grammar fails on what follows some of them in scripts. */
const IMPORT = /^import[ \t]+[\w.`]+(?:\.\*|[ \t]+as[ \t]+\w+)?[ \t]*;?[ \t]*$/gm

const CONDITIONAL = new Set<SyntaxLanguage>(['c', 'cpp', 'csharp', 'swift'])

/**
 * Lists the texts to try with a parser that rejects real files, until one succeeds: unchanged, with
 * only the first branch of each condition, with only the last, without macros. All have the same
 * lines and columns.
 */
export function readings(language: SyntaxLanguage, text: string): readonly string[] {
  if (language === 'rust') return [...new Set([text, withoutOddRust(text)])]
  if (language === 'kotlin') return [...new Set([text, text.replace(IMPORT, blank)])]
  if (!CONDITIONAL.has(language)) return [text]
  const plain = language === 'swift' ? text : text.replace(LINKAGE, blank)
  const simple = language === 'swift' ? withoutNewSwift(text) : plain
  const first = withBranch(simple, 'first')
  const others = [simple, first, withBranch(simple, 'last')]
  const bare = language === 'c' || language === 'cpp' ? [first.replace(MACRO, blank)] : []
  return [...new Set([plain, ...others, ...bare])]
}

/** Blanks every directive, and all but one branch of each condition, unless one is left open. */
function withBranch(text: string, wanted: 'first' | 'last'): string {
  const lines = text.split('\n')
  const isDirective = lines.map(() => false)
  /** How many more blanked branches are around a line than around the one before. */
  const more = lines.map(() => 0)
  /** For each open condition, where its current branch starts, and whether it is the first. */
  const open: { start: number; isFirst: boolean }[] = []
  for (const [index, line] of lines.entries()) {
    const isContinued = isDirective[index - 1] === true && lines[index - 1]?.endsWith('\\') === true
    const directive = isContinued ? undefined : DIRECTIVE.exec(line)?.[1]
    isDirective[index] = isContinued || directive !== undefined
    if (directive === undefined) continue
    if (directive.startsWith('if')) open.push({ start: index, isFirst: true })
    else {
      const branch = open.pop()
      if (!branch) return text
      const isEnd = directive === 'endif'
      const isWanted = wanted === 'first' ? branch.isFirst : isEnd
      if (!isWanted) {
        more[branch.start] = (more[branch.start] ?? 0) + 1
        more[index] = (more[index] ?? 0) - 1
      }
      if (!isEnd) open.push({ start: index, isFirst: false })
    }
  }
  if (open.length > 0) return text
  let around = 0
  return lines
    .map((line, index) => {
      around += more[index] ?? 0
      return around > 0 || isDirective[index] ? blank(line) : line
    })
    .join('\n')
}

/** Blanks what the grammar does not know: system conditions, macros, words for ownership. */
const withoutNewSwift = (text: string): string =>
  text
    .replace(/#(?:un)?available\([^()\n]*\)/g, (found) => `true${' '.repeat(found.length - 4)}`)
    .replace(/#(?!(?:if|elseif|else|endif)\b)(?=[a-z])/g, ' ')
    .replace(/\bnonisolated\(unsafe\)|\b(?:sending|borrowing|consuming)(?=[ \t]+[@\w([])/g, blank)

/**
 * Blanks what neither grammar knows: tokens of macros, attributes in patterns, bounds of a bare
 * struct, a lifetime as the first bound, `try!`.
 */
function withoutOddRust(text: string): string {
  const masked = maskCurly(text, 'rust')
  const plain = withoutMacroBodies(text, masked)
  const odd =
    /#\[(?:[^[\]]|\[[^[\]]*\])*\]|(?<=\bstruct\s+\w+\s+)where\b[^{};()]*(?=;)|(?<=\b(?:dyn|impl)\s+)'\w+\s*\+|\btry(?=!\s*[({[])/g
  let reading = ''
  let at = 0
  for (const { index, 0: found } of masked.matchAll(odd)) {
    reading += plain.slice(at, index) + (found === 'try' ? 'tri' : blank(found))
    at = index + found.length
  }
  return reading + plain.slice(at)
}

/** A macro may consist of any tokens, as long as their brackets match. */
function withoutMacroBodies(text: string, masked: string): string {
  const head = /\bmacro_rules!\s*\w+\s*(?=[({[])/g
  let reading = ''
  let at = 0
  for (let found = head.exec(masked); found !== null; found = head.exec(masked)) {
    const start = head.lastIndex
    const end = closeOf(masked, start)
    if (end === null) break
    reading += text.slice(at, start + 1) + blank(text.slice(start + 1, end))
    at = end
    head.lastIndex = end
  }
  return reading + text.slice(at)
}

/** Finds where the bracket that is opened at `start` is closed. */
function closeOf(masked: string, start: number): number | null {
  const open: string[] = []
  for (let at = start; at < masked.length; at += 1) {
    const sign = masked[at] ?? ''
    if (closerOf[sign] !== undefined) open.push(closerOf[sign])
    else if (/[)\]}]/.test(sign) && open.pop() !== sign) return null
    if (open.length === 0) return at
  }
  return null
}
