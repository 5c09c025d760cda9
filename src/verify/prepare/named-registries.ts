import { posix } from 'node:path'
import { isLock, namedInLock } from '../../changes/destructive/packages/locks.ts'
import type { Ports } from '../../core/ports.ts'

const url = String.raw`["'(]?(?:(?:sparse|git)\+)?(https?:\/\/[^\s"'<>\\,)]+)`

const after = (before: string): RegExp => new RegExp(`${before}${url}`, 'gim')

/** Where manifests and settings name a registry, or a file that is fetched from one, and not a home page. */
const places: readonly { readonly file: RegExp; readonly named: readonly RegExp[] }[] = [
  { file: /^\.npmrc$/, named: [after('^\\s*(?:@[^:=]+:)?registry\\s*=\\s*')] },
  { file: /^\.yarnrc$/, named: [after('^"?(?:@[^:]+:)?registry"?\\s+')] },
  { file: /^\.yarnrc\.yml$/, named: [after('\\bnpmRegistryServer:\\s*')] },
  { file: /^bunfig\.toml$/, named: [after('\\b(?:registry|url)\\s*=\\s*')] },
  {
    file: /^[^/]*(?:requirements|constraints)[^/]*\.(?:txt|in)$/,
    named: [
      after('^\\s*(?:--(?:extra-)?index-url|--find-links|-i|-f)[\\s=]+'),
      after('^\\s*'),
      after('^[^#\\n]{1,200}@\\s*'),
    ],
  },
  {
    file: /^(?:pyproject|uv)\.toml$/,
    named: [
      after(
        '^\\[\\[(?:tool\\.uv\\.|tool\\.poetry\\.)?(?:index|source)\\]\\][^[]{0,500}?\\burl\\s*=\\s*',
      ),
      after('^(?:extra-)?index-url\\s*=\\s*\\[?\\s*'),
    ],
  },
  { file: /^Cargo\.toml$/, named: [after('\\b(?:git|registry-index)\\s*=\\s*')] },
  { file: /^config(?:\.toml)?$/, named: [after('^\\s*(?:index|registry)\\s*=\\s*')] },
  { file: /^pom\.xml$/, named: [after('<(?:pluginR|r)epository>[^]{0,500}?<url>\\s*')] },
  { file: /^Gemfile$/, named: [after('^\\s*source\\s*\\(?\\s*')] },
  { file: /^composer\.json$/, named: [after('"type":\\s*"composer",\\s*"url":\\s*')] },
]

const patternsOf = (path: string): readonly RegExp[] => {
  const isCargos = posix.basename(posix.dirname(path)) === '.cargo'
  const name = posix.basename(path)
  return places.flatMap(({ file, named }) =>
    file.test(name) && (isCargos || !name.startsWith('config')) ? named : [],
  )
}

export const mayNameRegistries = (path: string): boolean =>
  isLock(posix.basename(path)) || patternsOf(path).length > 0

/** A lock of cargo's names its usual registry by an address that it does not go to: `registry+…`. */
const fetched = /^(?:(?:sparse|git)\+)?(https?:.*)/

const namedIn = (path: string, text: string): readonly string[] => [
  ...namedInLock(posix.basename(path), text).flatMap((each) => fetched.exec(each)?.[1] ?? []),
  ...patternsOf(path).flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, named = '']) => named),
  ),
]

/**
 * Where the manifests, locks and settings of a commit say that packages come from: `https://host:port`, each once.
 *
 * @param texts by path, of a commit that is trusted
 */
export function namedRegistries(texts: ReadonlyMap<string, string>): readonly string[] {
  const found = [...texts].flatMap(([path, text]) => namedIn(path, text))
  return [...new Set(found.flatMap((each) => (URL.canParse(each) ? new URL(each).origin : [])))]
}

/** As a commit and the settings name them: a change names none. */
export async function registriesOf(
  sha: string,
  paths: readonly string[],
  { workspace, settings }: Pick<Ports, 'workspace' | 'settings'>,
): Promise<readonly string[]> {
  const texts = await workspace.readFiles(sha, paths.filter(mayNameRegistries))
  return [...settings.verify.registries, ...namedRegistries(texts)]
}
