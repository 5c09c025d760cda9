import type { Finding } from '../finding.ts'
import { elsewhere, isInside, type Setting } from './judges.ts'
import { sourceOf } from './sources.ts'

/** Where each kind of lock says what a package is loaded from: the first group is an address or a path. */
const locks: readonly { readonly file: RegExp; readonly address: RegExp }[] = [
  {
    file: /^(?:package-lock|npm-shrinkwrap)\.json$/,
    address: /^\s*"(?:resolved|version)":\s*"([^"\n]*[:/][^"\n]*)"/gm,
  },
  {
    file: /^yarn\.lock$/,
    address: /^\s*(?:resolved\s+"|resolution:\s*"(?:@[^/"\n]+\/)?[^@"\n]+@)(?!npm:)([^"\n]+)"/gm,
  },
  {
    file: /^pnpm-lock\.yaml$/,
    address: /(?:tarball|repo|directory|registry):\s*['"]?([^\s,'"}]+)/g,
  },
  {
    file: /^bun\.lock$/,
    address: /"(?:[^"@\n]+@)?((?:https?|git[+\w]*|ssh|file|github):[^"\n]+)"/g,
  },
  {
    file: /^(?:poetry|uv|pdm)\.lock$/,
    address: /\b(?:url|git|registry|path|directory)\s*=\s*"([^"\n]+)"/g,
  },
  { file: /^Pipfile\.lock$/, address: /"(?:url|git|path|file)":\s*"([^"\n]+)"/g },
  { file: /^Cargo\.lock$/, address: /^source = "([^"\n]+)"/gm },
  { file: /^(?:Gemfile\.lock|gems\.locked)$/, address: /^ {2}remote: (\S+)$/gm },
  {
    file: /^composer\.lock$/,
    address: /"(?:source|dist)":\s*\{[^{}]{0,300}?"url":\s*"([^"\n]+)"/g,
  },
]

/** Each registry, repository or folder that a lock loads from and nothing named before, once. */
export function findInLock(
  name: string,
  text: string,
  { directory, known }: Setting,
): readonly Finding[] {
  const kind = locks.find(({ file }) => file.test(name))
  if (kind === undefined) return []
  const found = new Map<string, Finding>()
  for (const { index, 0: whole, 1: address = '' } of text.matchAll(kind.address)) {
    const source = sourceOf(address) ?? address
    if (known.has(source) || found.has(source)) continue
    const path = address.replace(/^(?:file|link|portal|workspace|directory):/, '')
    if (sourceOf(address) === null && isInside(path, directory)) continue
    const start = index + whole.length - whole.trimStart().length
    const shown = whole.trim()
    const end = index + whole.length
    found.set(source, {
      start,
      end,
      category: 'packages',
      why: elsewhere,
      meaning: source,
      shown: `from ${source} (${shown})`.slice(0, 300),
    })
  }
  return [...found.values()]
}

/** All that a lock loads from; an address of a package's author is none. */
export function addressesIn(name: string, text: string): ReadonlySet<string> {
  const address = locks.find(({ file }) => file.test(name))?.address
  if (address === undefined) return new Set()
  return new Set([...text.matchAll(address)].map(([, found = '']) => sourceOf(found) ?? found))
}

export const isLock = (name: string): boolean => locks.some(({ file }) => file.test(name))
