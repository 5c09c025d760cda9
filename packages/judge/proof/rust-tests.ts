import { contentAfter, contentBefore, type FileChange } from '../../change/change.ts'
import { closingBracket, maskText } from '../../source/source.ts'

const head =
  /#\[cfg\(test\)\]\s*(?:#\[[^\]\n]{0,200}\]\s*){0,5}(?:pub(?:\(\w+\))?\s+)?mod\s+\w+\s*\{/g

/** The modules of unit tests in a file of Rust: their offsets, from the attribute to the closing bracket. */
export function testModules(text: string): readonly (readonly [start: number, end: number])[] {
  const masked = maskText(text, 'script')
  const found: [number, number][] = []
  for (const { index, 0: opening } of masked.matchAll(head)) {
    if (index < (found.at(-1)?.[1] ?? 0)) continue
    const close = closingBracket(masked, index + opening.length - 1)
    if (close >= 0) found.push([index, close + 1])
  }
  return found
}

/** Where modules of unit tests are in both texts of a change, and whether they differ. */
function testsIn(change: FileChange) {
  const [before, after] = [contentBefore(change), contentAfter(change)]
  if (change.action !== 'modify' || !change.path.endsWith('.rs')) return null
  if (before === undefined || after === undefined) return null
  const read = (text: string) => {
    const own = testModules(text).map(([start, end]) => text.slice(start, end))
    const code = own.reduce((bare, each) => bare.replace(each, () => ''), text)
    return { own, code: code.trimEnd() }
  }
  const [old, now] = [read(before), read(after)]
  const isSame = now.own.join('\n') === old.own.join('\n')
  return isSame ? null : { change, old, now }
}

const joined = (code: string, tests: readonly string[]): string =>
  `${code}\n\n${tests.join('\n\n')}\n`

/** A file of Rust with the unit tests that it had before; the change itself where these are the same, or none. */
export function withTestsOf(change: FileChange): FileChange {
  const found = testsIn(change)
  if (found === null || found.old.own.length === 0) return change
  return { ...found.change, content: joined(found.now.code, found.old.own) }
}

/** A file of Rust with its new unit tests and the code that it had before; `null` where these are the same, or none. */
export function withCodeOf(change: FileChange): FileChange | null {
  const found = testsIn(change)
  if (found === null || found.now.own.length === 0) return null
  return { ...found.change, content: joined(found.old.code, found.now.own) }
}
