import type { TextProblem } from './text-checks.ts'

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

/** Lines that stand for code which is not there. "TODO" and "not implemented" are honest, and stay. */
export function findPlaceholders(text: string): readonly TextProblem[] {
  if (!/(?:\.{3}|…)|your /i.test(text)) return []
  const lines = text.split(/\r?\n/)
  const found = lines.findIndex(
    (line) => line.length <= LONGEST_LINE && (LEFT_OUT.test(line) || TO_BE_FILLED.test(line)),
  )
  if (found < 0) return []
  const message = `\`${lines[found]?.trim()}\` stands for code that is not there: write that code.`
  return [{ type: 'placeholder', message, line: found + 1, column: 1 }]
}
