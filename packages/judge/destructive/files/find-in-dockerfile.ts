import { type Finding, type FindNested, shifted } from '../finding.ts'
import { judgeArguments } from '../shell/find-in-shell.ts'

const instruction =
  /^[ \t]*(?:ONBUILD[ \t]+)?(RUN|CMD|ENTRYPOINT|HEALTHCHECK(?:[ \t]+--\S+)*[ \t]+CMD)[ \t]+/i
const flags = /^(?:--\w[\w-]*(?:=\S*)?(?:[ \t]+|\\\r?\n[ \t]*))+/

/** Finds destructive commands that a Dockerfile runs to build an image or start a container. */
export function findInDockerfile(text: string, look: FindNested): readonly Finding[] {
  const findings: Finding[] = []
  for (let at = 0; at < text.length; ) {
    const head = instruction.exec(text.slice(at, at + 300))?.[0]
    const end = endOfInstruction(text, at, head !== undefined)
    if (head !== undefined) {
      const from = at + head.length
      const start =
        from + (flags.exec(text.slice(from, Math.min(end, from + 500)))?.[0].length ?? 0)
      findings.push(...findInCommand(text, start, end, look))
    }
    at = end
  }
  return findings
}

function findInCommand(
  text: string,
  start: number,
  end: number,
  look: FindNested,
): readonly Finding[] {
  const written = text.slice(start, end)
  if (written.startsWith('[')) {
    const words = listOf(written)
    const place = { start, end: start + written.trimEnd().length, meaning: written }
    if (words !== null) return judgeArguments(words, look).map((each) => ({ ...each, ...place }))
  }
  // `RUN <<EOF` runs the lines up to the mark.
  const here = /^<<-?(["']?)(\w+)\1[ \t]*\r?\n/.exec(written)
  if (here !== null)
    return shifted(
      look('shell', written.slice(here[0].length).replace(/\n[^\n]*\s*$/, '\n')),
      start + here[0].length,
    )
  // The builder removes comments between continued lines.
  const script = written.replace(
    /(\n)([ \t]*#[^\n]*)(?=\n)/g,
    (_, newline: string, comment: string) => `${newline}${' '.repeat(comment.length - 1)}\\`,
  )
  return shifted(look('shell', script), start)
}

function listOf(written: string): readonly string[] | null {
  try {
    const words: unknown = JSON.parse(written)
    return Array.isArray(words) ? words.map(String) : null
  } catch {
    return null
  }
}

/** The end of an instruction with its continued lines, their comments, and here-documents. */
function endOfInstruction(text: string, start: number, isCommand: boolean): number {
  let at = start
  let delimiter: string | null = null
  for (;;) {
    const newline = text.indexOf('\n', at)
    const lineEnd = newline < 0 ? text.length : newline
    const line = text.slice(at, lineEnd).trim()
    at = Math.min(text.length, lineEnd + 1)
    if (newline < 0) return text.length
    if (delimiter !== null) {
      if (line === delimiter) return at
      continue
    }
    if (isCommand) delimiter = /<<-?["']?(\w+)["']?\s*$/.exec(line)?.[1] ?? null
    const isComment = line.startsWith('#') && lineEnd > start && isCommand
    if (delimiter === null && !line.endsWith('\\') && !isComment) return at
  }
}
