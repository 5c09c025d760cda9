import { asksForRemoval } from './address.ts'
import { fenceLanguageOf, pathOfInfo, pathOfMention } from './find-path.ts'
import type { AnswerBlock } from './scan-blocks.ts'

const shells =
  /^(?:sh|bash|shell|shell-session|shellsession|zsh|fish|console|terminal|powershell|ps1|pwsh|cmd|bat)$/
const plain = /^(?:text|txt|plaintext|plain|output|log|http|mermaid|tree|none)$/
const shellFiles =
  /(?:^|\/)[^./]+$|(?:^|\/)\.[^/]+$|\.(?:sh|bash|zsh|fish|ps1|bat|cmd|bats|command)$/i

/** A line one types, not a line of a program. */
const commandLine =
  /^\s*(?:\$ |> |#|(?:npm|npx|node|pnpm|yarn|bun|deno|git|pip3?|pipx|python3?|pytest|uv|poetry|cargo|go|make|mvn|gradle|docker|curl|cd|mkdir|rm|mv|cp|ls|cat|export|sudo|ruby|bundle|php|composer|dotnet)(?:\s|$)|\.\/\w)/
const treeLine = /[├└│]/

/**
 * True for what an answer shows and does not mean as a file: commands to run, their output, a
 * tree of folders. A path in the info string always means a file.
 */
export function isExample(block: AnswerBlock, path: string | null): boolean {
  if (!block.fenced || pathOfInfo(block.info) !== null) return false
  const language = fenceLanguageOf(block.info)
  if (shells.test(language)) return path === null || !shellFiles.test(path)
  if (path !== null) return false
  const lines = block.lines.filter((line) => line.trim() !== '')
  if (lines.length === 1 && lines[0]?.trim() === 'NOTHING_TO_DO') return true
  if (plain.test(language)) return true
  if (language !== '') return false
  return lines.every((line) => commandLine.test(line)) || lines.some((line) => treeLine.test(line))
}

/** Words above a block that shows how to use a file, or what it answers. */
const sample =
  /\b(?:e\.?g\.?|examples?|for instance|output|prints?|run|snippets?|try|usage|uses?|call(?:s|ed|ing)?|requests?|responses?|responds?|returns?|results?|answers?|looks? like|how to|demo|verify|check)\b/i

/** True for code without a path that prose calls an example, or data, where no file is named. */
export function isSample({ before, info }: AnswerBlock): boolean {
  const said = before.filter((line) => line.trim() !== '').slice(-3)
  const isNamed = (line: string) => pathOfMention(line) !== null && asksForRemoval(line) === null
  if (said.some(isNamed)) return false
  return /^jsonc?$/.test(fenceLanguageOf(info)) || said.some((line) => sample.test(line))
}
