import { posix } from 'node:path'
import { once } from '../../text/text.ts'
import { isLock, namedInLock } from '../destructive/packages/locks.ts'
import type { JudgePorts } from '../judging.ts'

const url = String.raw`["'(]?(?:(?:sparse|git)\+)?(https?:\/\/[^\s"'<>\\,)]+)`

/** Where manifests and settings name a registry or a file fetched from one, but no home page. */
const places = once(() =>
  (
    [
      [/^\.npmrc$/, '^\\s*(?:@[^:=]+:)?registry\\s*=\\s*'],
      [/^\.yarnrc$/, '^"?(?:@[^:]+:)?registry"?\\s+'],
      [/^\.yarnrc\.yml$/, '\\bnpmRegistryServer:\\s*'],
      [/^bunfig\.toml$/, '\\b(?:registry|url)\\s*=\\s*'],
      [
        /^[^/]*(?:requirements|constraints)[^/]*\.(?:txt|in)$/,
        '^\\s*(?:--(?:extra-)?index-url|--find-links|-i|-f)[\\s=]+',
        '^\\s*',
        '^[^#\\n]{1,200}@\\s*',
      ],
      [
        /^(?:pyproject|uv)\.toml$/,
        '^\\[\\[(?:tool\\.uv\\.|tool\\.poetry\\.)?(?:index|source)\\]\\][^[]{0,500}?\\burl\\s*=\\s*',
        '^(?:extra-)?index-url\\s*=\\s*\\[?\\s*',
      ],
      [/^Cargo\.toml$/, '\\b(?:git|registry-index)\\s*=\\s*'],
      [/^config(?:\.toml)?$/, '^\\s*(?:index|registry)\\s*=\\s*'],
      [/^pom\.xml$/, '<(?:pluginR|r)epository>[^]{0,500}?<url>\\s*'],
      [/^Gemfile$/, '^\\s*source\\s*\\(?\\s*'],
      [/^composer\.json$/, '"type":\\s*"composer",\\s*"url":\\s*'],
    ] as const
  ).map(([file, ...before]) => ({
    file,
    named: before.map((each) => new RegExp(each + url, 'gim')),
  })),
)

const patternsOf = (path: string): readonly RegExp[] => {
  const isCargos = posix.basename(posix.dirname(path)) === '.cargo'
  const name = posix.basename(path)
  return places().flatMap(({ file, named }) =>
    file.test(name) && (isCargos || !name.startsWith('config')) ? named : [],
  )
}

export const mayNameRegistries = (path: string): boolean =>
  isLock(posix.basename(path)) || patternsOf(path).length > 0

/** Skips the `registry+…` address in Cargo locks, from which Cargo does not fetch. */
const fetched = /^(?:(?:sparse|git)\+)?(https?:.*)/

const namedIn = (path: string, text: string): readonly string[] => [
  ...namedInLock(posix.basename(path), text).flatMap((each) => fetched.exec(each)?.[1] ?? []),
  ...patternsOf(path).flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, named = '']) => named),
  ),
]

/**
 * Lists the origins of packages (`https://host:port`) that manifests, locks and settings name.
 *
 * @param texts by path, from a trusted commit
 */
export function namedRegistries(texts: ReadonlyMap<string, string>): readonly string[] {
  const found = [...texts].flatMap(([path, text]) => namedIn(path, text))
  return [...new Set(found.flatMap((each) => (URL.canParse(each) ? new URL(each).origin : [])))]
}

/** Lists the registries that a commit and the settings name; a change cannot add any. */
export async function registriesOf(
  sha: string,
  paths: readonly string[],
  { workspace, settings }: Pick<JudgePorts, 'workspace' | 'settings'>,
): Promise<readonly string[]> {
  const texts = await workspace.readFiles(sha, paths.filter(mayNameRegistries))
  return [...settings.verify.registries, ...namedRegistries(texts)]
}
