import { isMap, isScalar, isSeq, parseDocument } from 'yaml'
import { type Finding, type FindNested, within } from '../finding.ts'

/** Where the scripts of a JSON manifest stand: package.json and composer.json, deno.json, devcontainer.json. */
const groups = new Set(['scripts', 'tasks'])
const single =
  /^(?:postCreateCommand|onCreateCommand|updateContentCommand|postStartCommand|postAttachCommand|initializeCommand|buildCommand|installCommand)$/

export const isScriptManifest = (path: string): boolean =>
  /(?:^|\/)(?:package|composer|deno|devcontainer|vercel|lerna|project)\.jsonc?$/.test(path)

/** Destructive commands among the scripts of a manifest. JSON is read as the YAML it is. */
export function findInManifest(text: string, look: FindNested): readonly Finding[] {
  const { contents } = parseDocument(
    text.replace(/^[ \t]*\/\/[^\n]*/gm, (comment) => ' '.repeat(comment.length)),
    { logLevel: 'silent', uniqueKeys: false },
  )
  if (!isMap(contents)) return []
  const findings: Finding[] = []
  for (const { key, value } of contents.items) {
    const name = isScalar(key) ? String(key.value) : ''
    if (groups.has(name) && isMap(value)) for (const { value: script } of value.items) add(script)
    else if (single.test(name)) add(value)
  }
  return findings

  function add(script: unknown): void {
    if (isSeq(script)) for (const item of script.items) add(item)
    else if (isMap(script)) {
      for (const { key, value } of script.items)
        if (isScalar(key) && key.value === 'command') add(value)
    } else if (isScalar(script) && typeof script.value === 'string') {
      const [start = 0, end = 0] = script.range ?? []
      findings.push(...within(look('shell', script.value), { start, end }))
    }
  }
}
