import { posix } from 'node:path'
import type { Tree } from '../../change/change.ts'
import { isOwn } from '../../source/source.ts'
import { jsonFields, parseJson } from '../../text/text.ts'

const mostManifests = 20

/** Where manifests name packages; the first group is the name. A pattern may also find other words. */
const namesIn: readonly (readonly [manifest: RegExp, ...names: readonly RegExp[]])[] = [
  [/(?:requirements[^/]*\.(?:txt|in)|^(?:setup\.cfg|tox\.ini))$/, /^[ \t]*([A-Za-z0-9][\w.-]*)/gm],
  [
    /^(?:pyproject\.toml|Pipfile|setup\.py)$/,
    /["']([A-Za-z0-9][\w.-]*)[ \t]*(?:\[[^\]\n]*\][ \t]*)?(?:["'<>=!~;@])/g,
    /^["']?([A-Za-z0-9][\w.-]*)["']?[ \t]*=[ \t]*["'{]/gm,
  ],
  [
    /^Cargo\.toml$/,
    /^([A-Za-z0-9][\w-]*)[ \t]*(?:\.[\w-]+[ \t]*)?=/gm,
    /^\[[\w.-]*dependencies\.([\w-]+)\]/gm,
  ],
  [/^go\.mod$/, /^[ \t]*(?:require[ \t]+)?([\w.-]+\.[a-z]+\/[^\s"]+)[ \t]+v/gm],
  [/^(?:Gemfile|[^/]*\.gemspec)$/, /\b(?:gem|dependency)[ \t(]+["']([\w.-]+)/g],
  [/\.(?:cs|fs|vb)proj$/, /<PackageReference[^>]{0,200}\bInclude="([\w.-]+)"/g],
]

/** Names of packages that a manifest declares, and possibly other words of it. */
export function declaredPackages(path: string, text: string): readonly string[] {
  const name = posix.basename(path)
  if (name === 'package.json' || name === 'composer.json') return inJson(text)
  const rows = namesIn.filter(([manifest]) => manifest.test(name))
  return rows.flatMap(([, ...patterns]) =>
    patterns.flatMap((pattern) => [...text.matchAll(pattern)].flatMap(([, found]) => found ?? [])),
  )
}

const inJson = (text: string): readonly string[] =>
  Object.entries(jsonFields(parseJson(text))).flatMap(([key, value]) =>
    /^(?:\w*[dD]ependencies|require(?:-dev)?)$/.test(key) ? Object.keys(jsonFields(value)) : [],
  )

/** The packages that the manifests of a tree declare, each once. */
export async function readDeclaredPackages({
  paths,
  read,
}: Pick<Tree, 'paths' | 'read'>): Promise<readonly string[]> {
  const texts = await read(paths.filter((path) => isManifest(path)).slice(0, mostManifests))
  return [...new Set([...texts].flatMap(([path, text]) => declaredPackages(path, text)))]
}

const isManifest = (path: string): boolean => {
  const name = posix.basename(path)
  const isKnown = name === 'package.json' || name === 'composer.json'
  return isOwn(path) && (isKnown || namesIn.some(([manifest]) => manifest.test(name)))
}
