import { readSyntax } from '../../../source/source.ts'
import { findInSyntax } from '../code/find-in-tree.ts'
import { type Finding, type FindNested, shifted } from '../finding.ts'

const opening = /<script\b([^>]{0,500})>/gi

/** Finds destructive calls in the scripts of a component or a page. */
export async function findInMarkup(text: string, look: FindNested): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (let found = opening.exec(text); found !== null; found = opening.exec(text)) {
    const start = opening.lastIndex
    const close = text.toLowerCase().indexOf('</script', start)
    const end = close < 0 ? text.length : close
    const path = /\blang=["']?tsx?\b/.test(found[1] ?? '') ? 'script.tsx' : 'script.jsx'
    if (!/\btype=["'](?!module|text\/javascript)/.test(found[1] ?? '')) {
      const script = text.slice(start, end)
      const syntax = await readSyntax(path, script)
      findings.push(...shifted(findInSyntax('javascript', syntax, script, look), start))
    }
    opening.lastIndex = end
  }
  opening.lastIndex = 0
  return findings
}
