import { getProcessor, LangVariant, ParseError } from 'sh-syntax'
import { endOfText } from '../code/positions.ts'
import type { SyntaxProblem } from '../syntax-checker.ts'
import { compile, instantiate } from './files.ts'
import { columnOfByte } from './positions.ts'

const module = compile('shell')
const process = getProcessor(async (imports) => instantiate(module, imports))

/**
 * Finds shell problems. Any shell may run a script for `sh`, so bash syntax is accepted. Other
 * dialects follow their `#!` line.
 */
export async function parseShell(text: string): Promise<readonly SyntaxProblem[]> {
  let first: readonly SyntaxProblem[] = []
  for (const variant of dialects(text)) {
    let problems = await parseAs(variant, text)
    if (problems[0]?.message.includes('ternary operator')) {
      problems = await parseAs(variant, withPlainKeys(text))
    }
    if (problems.length === 0) return []
    if (first.length === 0) first = problems
  }
  return first
}

function dialects(text: string): readonly LangVariant[] {
  const shell = /^#!.*?\b(sh|dash|ash|bash|mksh|ksh|zsh|bats)\b/.exec(text)?.[1] ?? 'bash'
  if (shell === 'mksh' || shell === 'ksh') return [LangVariant.LangMirBSDKorn, LangVariant.LangBash]
  if (shell === 'zsh') return [LangVariant.LangZsh, LangVariant.LangBash]
  if (shell === 'bats') return [LangVariant.LangBats]
  return shell === 'bash' ? [LangVariant.LangBash] : [LangVariant.LangPOSIX, LangVariant.LangBash]
}

/** The parser reads associative keys as arithmetic, where `[a:b]` lacks its `?`. */
const withPlainKeys = (text: string): string =>
  text.replace(/\[[^\][\n]{1,200}\]/g, (key) => key.replaceAll(':', '_'))

async function parseAs(variant: LangVariant, text: string): Promise<readonly SyntaxProblem[]> {
  try {
    await process(text, { filepath: 'script.sh', variant, keepComments: false })
    return []
  } catch (error) {
    if (error instanceof ParseError && error.Pos) {
      const { Line: line, Col } = error.Pos
      return [{ message: error.Text, line, column: columnOfByte(text, line, Col) }]
    }
    if (!(error instanceof ParseError || error instanceof SyntaxError)) throw error
    return [explain(error.message, text)]
  }
}

/** Parses `script.sh:2:3: arrays are a bash/mksh feature; …`. */
function explain(said: string, text: string): SyntaxProblem {
  const found = /^(?:script\.sh:)?(\d+):(\d+): ([\s\S]*)$/.exec(said)
  if (!found) return { message: said || 'This does not parse.', ...endOfText(text) }
  const line = Number(found[1])
  return { message: found[3] ?? '', line, column: columnOfByte(text, line, Number(found[2])) }
}
