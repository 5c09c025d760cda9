import type { SyntaxLanguage } from '../ports.ts'

/** Conditions of a preprocessor: which of the branches holds is for the compiler to say. */
const DIRECTIVE = /^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|elseif|else|endif)\b/

/** What opens and closes a linkage block for C++ only: a brace in each of two conditions. */
const LINKAGE =
  /^[ \t]*#[ \t]*if(?:def[ \t]+| +defined *\(? *)__cplusplus[^\n]*\n\s*(?:extern[ \t]+"C"[ \t\n]*\{|\})[^\n]*\n\s*#[ \t]*endif[^\n]*/gm

const CONDITIONAL = new Set<SyntaxLanguage>(['c', 'cpp', 'csharp', 'swift'])

/**
 * The texts a doubtful parser is asked to read, one after the other until it can: as it stands, with
 * only the first branch of each condition, with only the last. All have the same lines and columns.
 */
export function readings(language: SyntaxLanguage, text: string): readonly string[] {
  if (!CONDITIONAL.has(language)) return [text]
  const plain = language === 'swift' ? text : text.replace(LINKAGE, blank)
  const simple = language === 'swift' ? withoutNewSwift(text) : plain
  const others = [simple, withBranch(simple, 'first'), withBranch(simple, 'last')]
  return [...new Set([plain, ...others])]
}

/** Blanks every directive, and all but one branch of each condition; not where one is left open. */
function withBranch(text: string, wanted: 'first' | 'last'): string {
  const lines = text.split('\n')
  const kept = lines.map(() => true)
  /** Of each open condition, where its present branch begins, and whether it is the first. */
  const open: { start: number; isFirst: boolean }[] = []
  for (const [index, line] of lines.entries()) {
    const directive = DIRECTIVE.exec(line)?.[1]
    if (directive === undefined) continue
    kept[index] = false
    if (directive.startsWith('if')) open.push({ start: index, isFirst: true })
    else {
      const branch = open.pop()
      if (!branch) return text
      const isEnd = directive === 'endif'
      const isWanted = wanted === 'first' ? branch.isFirst : isEnd
      if (!isWanted) kept.fill(false, branch.start, index)
      if (!isEnd) open.push({ start: index, isFirst: false })
    }
  }
  if (open.length > 0) return text
  return lines.map((line, index) => (kept[index] ? line : blank(line))).join('\n')
}

/** What the grammar does not know: conditions on the system, macros, words for ownership. */
function withoutNewSwift(text: string): string {
  return text
    .replace(/#(?:un)?available\([^()\n]*\)/g, (found) => `true${' '.repeat(found.length - 4)}`)
    .replace(/#(?!(?:if|elseif|else|endif)\b)(?=[a-z])/g, ' ')
    .replace(/\bnonisolated\(unsafe\)|\b(?:sending|borrowing|consuming)(?=[ \t]+[@\w([])/g, blank)
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}
