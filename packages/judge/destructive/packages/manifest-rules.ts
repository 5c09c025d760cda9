import type { EntryFormat } from './entries.ts'
import {
  accept,
  ask,
  elsewhere,
  inside,
  manager,
  npmSpec,
  pep508,
  program,
  range,
  runsAsScript,
  settings,
  source,
  type ValueRule,
} from './judges.ts'
import { mavenProject } from './sources.ts'

/** Judges values by a glob over their keys, which `/` joins; the first match decides. */
export type ManifestRules = readonly (readonly [keys: string, judge: ValueRule])[]

export interface ManifestKind {
  /** Globs of paths, in lower case. */
  readonly files: readonly string[]
  readonly format: EntryFormat
  readonly rules: ManifestRules
}

const npm: ManifestRules = [
  ['{d,devD,optionalD,peerD}ependencies/*', npmSpec],
  ['{overrides,resolutions,catalog,catalogs}/**', npmSpec],
  ['{workspaces/,}{catalog,catalogs}/**', npmSpec],
  ['pnpm/overrides/**', npmSpec],
  ['workspaces{,/packages}', inside],
  ['{packageManager,devEngines/packageManager/**}', ask(manager)],
  // pnpm downloads the runtime for this value.
  ['devEngines/runtime/onFail', (value) => (value === 'download' ? manager : null)],
  ['scripts/{pre,post,}{install,prepare}', ask(runsAsScript)],
  ['scripts/{prepublish,dependencies,pnpm:devPreinstall}', ask(runsAsScript)],
  [
    '{pnpm,trustedDependencies,patchedDependencies,dependenciesMeta,packageExtensions,allowScripts,lavamoat,installConfig}{,/**}',
    ask(settings),
  ],
]

const pnpmWorkspace: ManifestRules = [
  ['packages', inside],
  ['{catalog,catalogs,overrides}/**', npmSpec],
  ['**', ask(settings)],
]

/** Settings of uv that neither name a source nor run code. */
const uvHarmless =
  '{package,managed,required-version,default-groups,environments,required-environments,conflicts/**,exclude-newer,resolution,prerelease,cache-keys/**,cache-keys,dev-dependencies}'

/** Entries whose key is no name of a package. */
const noNames = (at: string): ManifestRules[number] => [
  `${at}/*[^a-zA-Z0-9._-]*{,/**}`,
  ask(elsewhere),
]

/** The table of a dependency: keys that are not about its version mean another source. */
const poetryTable = (at: string): ManifestRules => [
  noNames(at),
  [`${at}/*/version`, range],
  [`${at}/*/{extras,optional,python,platform,markers,allow-prereleases}`, accept],
  [`${at}/*/{path,develop}`, inside],
  [`${at}/*/*`, ask(elsewhere)],
  [`${at}/*`, range],
]

const pyproject: ManifestRules = [
  ['project/dependencies', pep508],
  ['{project/optional-dependencies,dependency-groups}/*', pep508],
  ['dependency-groups/*/*', accept],
  ['build-system/requires', pep508],
  ['build-system/backend-path', ask(program)],
  ['tool/uv/{,constraint-,override-,build-constraint-,dev-}dependencies', pep508],
  ['tool/uv/sources/*/{workspace,editable,package,marker,extra,group}', accept],
  ['tool/uv/sources/*/path', inside],
  ['tool/uv/sources/**', ask(elsewhere)],
  ['tool/uv/workspace/{members,exclude}', inside],
  [`tool/uv/${uvHarmless}`, accept],
  ['tool/uv/build-backend/**', accept],
  ['tool/uv/**', ask(settings)],
  ...poetryTable('tool/poetry/{dependencies,dev-dependencies}'),
  ...poetryTable('tool/poetry/group/*/dependencies'),
  ['tool/poetry/{source,requires-plugins,build}{,/**}', ask(settings)],
  ['tool/pdm/dev-dependencies/*', pep508],
  ['tool/pdm/{source,plugins,resolution}{,/**}', ask(settings)],
]

const pipfile: ManifestRules = [
  ['source/**', ask(settings)],
  ...poetryTable('{packages,dev-packages}'),
  ['pipenv/**', ask(settings)],
]

const cargoDependencies = '{dependencies,{dev,build}{-,_}dependencies}'

const cargoTable = (at: string): ManifestRules => [
  noNames(at),
  [`${at}/*/version`, range],
  [`${at}/*/{features,optional,default-features,default_features,package,public}`, accept],
  [`${at}/*/workspace`, accept],
  [`${at}/*/path`, inside],
  [`${at}/*/*`, ask(elsewhere)],
  [`${at}/*`, range],
]

const cargo: ManifestRules = [
  ...cargoTable(cargoDependencies),
  ...cargoTable(`target/*/${cargoDependencies}`),
  ...cargoTable('workspace/dependencies'),
  ['{patch,replace,source,registries,paths}{,/**}', ask(elsewhere)],
  ['{workspace/{members,exclude,default-members},package/workspace}', inside],
]

const composer: ManifestRules = [
  ['repositories{,/**}', ask(settings)],
  ['scripts/{pre,post}-*', ask(runsAsScript)],
  [
    'config/{sort-packages,optimize-autoloader,classmap-authoritative,apcu-autoloader,platform-check,process-timeout,platform/*}',
    accept,
  ],
  ['config/**', ask(settings)],
]

/** Keys that do not change what a plugin of Maven's own does. */
const plain = new Set(['groupId', 'artifactId', 'version', 'inherited'])

const projectXml: ManifestRules = [
  ['DOCTYPE', ask(program)],
  [
    '**/{repositories/repository,pluginRepositories/pluginRepository}',
    (value, setting) => source(Object(value).url ?? '', setting),
  ],
  ['**/{modules/module,parent/relativePath}', inside],
  // A parent brings plugins, which run when packages are fetched.
  ['project/parent', (value, { known }) => (known.has(mavenProject(value)) ? null : program)],
  ['**/systemPath', ask(elsewhere)],
  [
    '**/plugins/plugin',
    (value) => {
      const { groupId = 'org.apache.maven.plugins' } = Object(value)
      const isMavens = groupId === 'org.apache.maven.plugins'
      return isMavens && Object.keys(Object(value)).every((name) => plain.has(name))
        ? null
        : program
    },
  ],
  ['**/extensions/extension', ask(program)],
  ['**/Restore{Sources,AdditionalProjectSources,ConfigFile}', ask(settings)],
]

const deno: ManifestRules = [['imports/*', source]]

/** Manifests of keys and values, and how their values are judged. */
export const manifestKinds: readonly ManifestKind[] = [
  { files: ['**/package.json'], format: 'json', rules: npm },
  { files: ['**/package.{json5,yaml}'], format: 'yaml', rules: npm },
  { files: ['**/pnpm-workspace.{yaml,yml}'], format: 'yaml', rules: pnpmWorkspace },
  { files: ['**/deno.{json,jsonc}'], format: 'json', rules: deno },
  { files: ['**/pyproject.toml'], format: 'toml', rules: pyproject },
  { files: ['**/pipfile'], format: 'toml', rules: pipfile },
  {
    files: ['**/{uv,poetry,pdm,.pdm,rust-toolchain}.toml'],
    format: 'toml',
    rules: [['**', ask(settings)]],
  },
  { files: ['**/cargo.toml'], format: 'toml', rules: cargo },
  { files: ['**/composer.json'], format: 'json', rules: composer },
  {
    files: ['**/pom.xml', '**/*.{csproj,fsproj,vbproj,props,targets}'],
    format: 'xml',
    rules: projectXml,
  },
]
