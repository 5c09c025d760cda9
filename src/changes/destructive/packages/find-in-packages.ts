import { posix } from 'node:path'
import picomatch from 'picomatch'
import type { Finding } from '../finding.ts'
import { findInEntries } from './find-in-entries.ts'
import { findInSettings } from './find-in-settings.ts'
import { findInGoModules } from './go-modules.ts'
import type { Setting } from './judges.ts'
import { addressesIn, findInLock, isLock } from './locks.ts'
import { manifestKinds } from './manifest-rules.ts'
import { findInProjectXml } from './maven.ts'
import { findInRequirements, requirementFiles } from './requirements.ts'
import { findInGemfile, findInGemspec } from './ruby-gems.ts'
import { sourcesIn } from './sources.ts'

type Reader = (text: string, setting: Setting) => readonly Finding[]

const readers: readonly (readonly [files: readonly string[], read: Reader])[] = [
  ...manifestKinds.map(
    (kind) =>
      [kind.files, (text: string, setting: Setting) => findInEntries(kind, text, setting)] as const,
  ),
  [requirementFiles, findInRequirements],
  [['**/go.{mod,work}'], findInGoModules],
  [['**/{gemfile,gems.rb}', '**/*.gemfile'], findInGemfile],
  [['**/*.gemspec'], findInGemspec],
  [['**/pom.xml', '**/*.{csproj,fsproj,vbproj,props,targets}'], findInProjectXml],
]

const matchers = readers.map(([files, read]) => ({
  read,
  matches: picomatch([...files], { dot: true, nonegate: true }),
}))

/**
 * What of a manifest, a lock or a package manager's settings needs a person's word: installing is running, and what
 * is installed is only known by its name in a registry. Names with any version are none of these.
 *
 * @param known sources that the start commit or the operator named, see `sourcesOf`
 * @param isOurs a lock that an installer has just made for us
 */
export function findInPackages(
  path: string,
  text: string,
  known: ReadonlySet<string>,
  isOurs = false,
): readonly Finding[] {
  const setting = { directory: posix.dirname(path), known }
  const name = posix.basename(path)
  if (isLock(name)) return findInLock(name, text, setting, isOurs)
  const folded = path.toLowerCase()
  return [
    ...matchers.flatMap(({ matches, read }) => (matches(folded) ? read(text, setting) : [])),
    ...findInSettings(path, text, setting),
  ]
}

/** The sources that a lock, a manifest or a package manager's settings load from. */
export function sourcesOf(path: string, text: string): ReadonlySet<string> {
  const name = posix.basename(path)
  return isLock(name) ? addressesIn(name, text) : sourcesIn(text)
}

const naming = picomatch(
  [
    '**/{.npmrc,.yarnrc,.yarnrc.yml,bunfig.toml,pip.conf,pip.ini,uv.toml,poetry.toml,pyproject.toml,pipfile}',
    '**/{nuget.config,pom.xml,composer.json,gemfile,gems.rb,*.gradle,*.gradle.kts,pnpm-workspace.yaml}',
    '**/.cargo/{config,config.toml}',
    '**/.mvn/**',
    ...requirementFiles,
  ],
  { dot: true },
)

/** Files that may say which registries a project uses. */
export const namesSources = (path: string): boolean =>
  isLock(posix.basename(path)) || naming(path.toLowerCase())
