import { contentAfter, contentBefore, type FileChange } from '../../core/domain/change-set.ts'
import { maskText } from '../../text/source/mask.ts'

const head =
  /#\[cfg\(test\)\]\s*(?:#\[[^\]\n]{0,200}\]\s*){0,5}(?:pub(?:\(\w+\))?\s+)?mod\s+\w+\s*\{/g

/** The modules of unit tests in a file of Rust: their offsets, from the attribute to the closing bracket. */
function modulesIn(text: string): readonly (readonly [start: number, end: number])[] {
  const masked = maskText(text, 'script')
  const found: [number, number][] = []
  for (const { index, 0: opening } of masked.matchAll(head)) {
    if (index < (found.at(-1)?.[1] ?? 0)) continue
    let depth = 1
    let at = index + opening.length
    for (; at < masked.length && depth > 0; at += 1) {
      if (masked[at] === '{') depth += 1
      else if (masked[at] === '}') depth -= 1
    }
    if (depth === 0) found.push([index, at])
  }
  return found
}

/** A file of Rust with the unit tests that it had before; the change itself where these are the same, or none. */
export function withTestsOf(change: FileChange): FileChange {
  const [before, after] = [contentBefore(change), contentAfter(change)]
  if (change.action !== 'modify' || !change.path.endsWith('.rs')) return change
  if (before === undefined || after === undefined) return change
  const [old, own] = [before, after].map((text) =>
    modulesIn(text).map(([start, end]) => text.slice(start, end)),
  )
  if (old === undefined || own === undefined || old.length === 0) return change
  if (own.join('\n') === old.join('\n')) return change
  const bare = own.reduce((text, each) => text.replace(each, () => ''), after)
  return { ...change, content: `${bare.trimEnd()}\n\n${old.join('\n\n')}\n` }
}
