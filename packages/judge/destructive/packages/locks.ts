import type { Finding } from '../finding.ts'
import { elsewhere, isInsideRepository, type Setting } from './judges.ts'
import { sourceOf } from './sources.ts'

interface LockKind {
  readonly file: RegExp
  /** Matches where a package is loaded from: the first group is an address or a path. */
  readonly address: RegExp
  /**
   * Matches those that are no registry's, whatever their host: a registry in a lock file that an
   * installer has just written is from its settings or a manifest, which are judged themselves.
   * `null`: there can be none.
   */
  readonly foreign: RegExp | null
}

const npmAddress = /^[ \t]*"(?:resolved|version)":[ \t]*"([^"\n]*)"/gm
const git = String.raw`(?:git(?:\+\w+)?|ssh|github|gitlab|bitbucket|file):`

const locks: readonly LockKind[] = [
  {
    file: /^(?:package-lock|npm-shrinkwrap)\.json$/,
    address: npmAddress,
    // Requirements other than names are among a package's dependencies.
    foreign: new RegExp(
      String.raw`^[ \t]*"(?:[^"\n]{1,300}":[ \t]*"(${git}[^"\n]*)|(?!(?:resolved|url|funding|deprecated|license)")[^"\n]{1,300}":[ \t]*"(https?:[^"\n]*))"`,
      'gm',
    ),
  },
  {
    file: /^yarn\.lock$/,
    address:
      /^[ \t]*(?:resolved[ \t]+"|resolution:[ \t]*"(?:@[^/"\n]+\/)?[^@"\n]+@)(?!npm:)([^"\n]+)"/gm,
    foreign: new RegExp(
      String.raw`^"?(?:@[^/"\n]+/)?[^@"\n\s]+@((?:${git}|https?:|patch:|exec:)[^",\n]*)`,
      'gm',
    ),
  },
  {
    file: /^pnpm-lock\.yaml$/,
    address: /(?:tarball|repo|directory|registry):[ \t]*['"]?([^\s,'"}]+)/g,
    foreign: /(?:tarball|repo):[ \t]*['"]?([^\s,'"}]+)/g,
  },
  {
    file: /^bun\.lock$/,
    address: /"(?:[^"@\n]+@)?((?:https?|git[+\w]*|ssh|file|github):[^"\n]+)"/g,
    foreign: /"[^"@\n]+@((?:https?|git[+\w]*|ssh|file|github):[^"\n]+)"/g,
  },
  {
    file: /^(?:poetry|uv|pdm)\.lock$/,
    address: /\b(?:url|git|registry|path|directory)[ \t]*=[ \t]*"([^"\n]+)"/g,
    foreign:
      /\bsource = \{ (?:git|url|path) = "([^"\n]+)"|^type = "(?:git|url|file|directory)"\nurl = "([^"\n]+)"/gm,
  },
  {
    file: /^Pipfile\.lock$/,
    address: /"(?:url|git|path|file)":[ \t]*"([^"\n]+)"/g,
    foreign: /"(?:git|path|file)":[ \t]*"([^"\n]+)"/g,
  },
  {
    file: /^Cargo\.lock$/,
    address: /^source = "([^"\n]+)"/gm,
    foreign: /^source = "(git\+[^"\n]+)"/gm,
  },
  {
    file: /^(?:Gemfile\.lock|gems\.locked)$/,
    address: /^ {2}remote: (\S+)$/gm,
    foreign: /^GIT\n {2}remote: (\S+)$/gm,
  },
  {
    file: /^composer\.lock$/,
    address: /"(?:source|dist)":\s*\{[^{}]{0,300}?"url":\s*"([^"\n]+)"/g,
    // Repositories that a package names count only in the root manifest.
    foreign: null,
  },
]

/**
 * Finds each registry, repository or folder that a lock file loads from and that was not named
 * before.
 *
 * @param isOurs true when an installer has just written it from judged manifests
 */
export function findInLock(
  name: string,
  text: string,
  { directory, known }: Setting,
  isOurs: boolean,
): readonly Finding[] {
  const kind = locks.find(({ file }) => file.test(name))
  const address = isOurs ? kind?.foreign : kind?.address
  if (address === undefined || address === null) return []
  const found = new Map<string, Finding>()
  for (const { index, 0: whole, 1: first, 2: second } of text.matchAll(address)) {
    const named = first ?? second ?? ''
    const source = sourceOf(named) ?? named
    if (known.has(source) || found.has(source)) continue
    const path = named.replace(/^(?:file|link|portal|workspace|directory):/, '')
    const isPath = sourceOf(named) === null && !/^(?!npm:)[a-z][\w+.-]+:/i.test(path)
    if (isPath && isInsideRepository(path, directory)) continue
    const start = index + whole.length - whole.trimStart().length
    const end = index + whole.length
    const shown = `from ${source} (${whole.trim()})`.slice(0, 300)
    const what = { category: 'packages', why: elsewhere, meaning: source, shown } as const
    found.set(source, { start, end, ...what })
  }
  return [...found.values()]
}

/** Lists everything that a lock file loads from, without the home pages of authors. */
export const addressesIn = (name: string, text: string): ReadonlySet<string> =>
  new Set(namedInLock(name, text).map((found) => sourceOf(found) ?? found))

export function namedInLock(name: string, text: string): readonly string[] {
  const address = locks.find(({ file }) => file.test(name))?.address
  return address === undefined ? [] : [...text.matchAll(address)].map(([, found = '']) => found)
}

export const isLock = (name: string): boolean => locks.some(({ file }) => file.test(name))
