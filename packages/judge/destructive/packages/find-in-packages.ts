import { posix } from 'node:path'
import picomatch from 'picomatch'
import type { ChangeSet, Tree } from '../../../change/change.ts'
import type { Finding } from '../finding.ts'
import { readEntries } from './entries.ts'
import { findInEntries } from './find-in-entries.ts'
import { byRules, findInLines, type LineFormat } from './find-in-lines.ts'
import type { Setting } from './judges.ts'
import { goModules, settingLines } from './line-formats.ts'
import { addressesIn, findInLock, isLock } from './locks.ts'
import { type ManifestKind, manifestKinds } from './manifest-rules.ts'
import { findInRequirements, requirementFiles } from './requirements.ts'
import { gemfile, gemspec } from './ruby-gems.ts'
import { mavenProject, sourcesIn } from './sources.ts'

type Reader = (text: string, setting: Setting) => readonly Finding[]

const entries =
  (kind: ManifestKind): Reader =>
  (text, setting) =>
    findInEntries(kind, text, setting)
const lines =
  (format: LineFormat): Reader =>
  (text, setting) =>
    findInLines(text, format, setting)

const readers: readonly (readonly [files: readonly string[], read: Reader])[] = [
  ...manifestKinds.map((kind) => [kind.files, entries(kind)] as const),
  [requirementFiles, findInRequirements],
  [['**/go.{mod,work}'], (text, setting) => findInLines(text, goModules(), setting)],
  [['**/{gemfile,gems.rb}', '**/*.gemfile'], lines(gemfile)],
  [['**/*.gemspec'], lines(gemspec)],
  ...settingLines.map(([files, ...rules]) => [files, lines({ judge: byRules(...rules) })] as const),
]

const matchers = readers.map(([files, read]) => ({
  read,
  matches: picomatch([...files], { dot: true, nonegate: true }),
}))

/**
 * Finds what in a manifest, a lock file or a package manager's settings needs a person's approval:
 * installing is running, and only its name in a registry identifies an installed package. Names
 * with any version need none.
 *
 * @param known sources that the start commit or the operator named, see `sourcesOf`
 * @param isOurs true for a lock file that an installer has just written for us
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
  return matchers.flatMap(({ matches, read }) => (matches(folded) ? read(text, setting) : []))
}

/** Lists the sources that a lock file, a manifest or a package manager's settings load from. */
export function sourcesOf(path: string, text: string): ReadonlySet<string> {
  const name = posix.basename(path)
  if (isLock(name)) return addressesIn(name, text)
  const projects = name.toLowerCase() === 'pom.xml' ? mavenProjectsIn(text) : []
  return new Set([...sourcesIn(text), ...projects])
}

/** The project of a `pom.xml` and its parent: others may have them as a parent, too. */
function mavenProjectsIn(text: string): readonly string[] {
  const elementAt = (wanted: string) => {
    const found = readEntries('xml', text)?.find(({ keys }) => keys.join('/') === wanted)
    return Object(found?.value) as Readonly<Record<string, unknown>>
  }
  const parent = elementAt('project/parent')
  return [parent, { groupId: parent.groupId, ...elementAt('project') }].map(mavenProject)
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

/** Files that may name the registries of a project. */
const namesSources = (path: string): boolean =>
  isLock(posix.basename(path)) || naming(path.toLowerCase())

/** The sources that the start tree and the settings' registries name, when the change is about packages. */
export async function sourcesBefore(
  { paths, read }: Tree,
  changes: ChangeSet,
  registries: readonly string[],
): Promise<ReadonlySet<string>> {
  if (!changes.some(({ path }) => namesSources(path))) return new Set()
  const texts = await read(paths.filter(namesSources))
  const named = [...texts].flatMap(([path, text]) => [...sourcesOf(path, text)])
  return new Set([...named, ...sourcesIn(registries.join('\n'))])
}
