import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import type { Settings } from '../../core/domain/settings.ts'
import type { Command } from '../../core/ports/sandbox.ts'
import { isJavaScriptTest } from '../detect/detect-node.ts'
import { isPythonTest } from '../detect/detect-python.ts'
import { isInstalled, isWithin } from '../detect/project-roots.ts'
import type { RepositoryFiles } from '../detect/suite.ts'
import { type DependencyTool, dependencyTools } from './dependency-tools.ts'

/** One installation: what is run where, and what the tests are shown of it. */
export interface DependencyPlan {
  /** What a person would call it, `npm ci`. */
  readonly tool: string
  readonly program: string
  readonly isAvailable: boolean
  /** How that program is had, where it is not as usual. */
  readonly gotBy?: string | undefined
  readonly directory: string
  /** `null` for a setup command of the project's own: it runs in the folder, every time. */
  readonly source: {
    /** SHA-256 over the tool and all it reads. */
    readonly key: string
    readonly lockPath: string
    readonly lockText: string
    /** Paths in the repository that it reads. */
    readonly files: readonly string[]
    /** Shown to it as a whole at `project`, instead of those files; `null` where they are enough. */
    readonly tree: string | null
    /** Paths in the installation, and where in the repository they are shown. */
    readonly shown: readonly { readonly from: string; readonly to: string }[]
    /** True where a checkout's own `node_modules` will do. */
    readonly isLinkable: boolean
  } | null
  readonly command: Command
  /** `$PLACE` stands for the absolute path of the first thing shown. */
  readonly env: Readonly<Record<string, string>>
}

const mostPlans = 8
const mostWorkspaces = 200

type Has = (program: string) => Promise<boolean>

/**
 * What must be installed before this repository's tests can run, at most one tool for each
 * language and directory. The configured setup command replaces whatever would be detected.
 */
export async function planDependencies(
  repository: RepositoryFiles,
  verify: Settings['verify'],
  has: Has,
): Promise<readonly DependencyPlan[]> {
  const { setupCommand: shell, installScripts } = verify
  if (shell !== null) {
    const setup = { tool: shell, program: 'sh', isAvailable: true, directory: '.', env: {} }
    return [{ ...setup, source: null, command: { shell } }]
  }
  const taken = new Set<string>()
  const plans: DependencyPlan[] = []
  for (const tool of dependencyTools) {
    const locks = locksOf(tool, repository).filter(
      (path) =>
        asks(repository, tool, path) && tool.isNeeded?.(repository.read(path) ?? '') !== false,
    )
    // A tool that takes the whole project does so once for all.
    for (const lockPath of tool.tree === 'all' ? locks.slice(0, 1) : locks) {
      const place = (directory: string) => `${tool.language} ${directory}`
      const directory = directoryOf(tool, lockPath)
      const isManifest = lockPath.endsWith('package.json')
      if (taken.has(place(directory)) || (isManifest && taken.has(place('.')))) continue
      taken.add(place(directory))
      const found = { tool, lockPath }
      const used = (await has(tool.program)) ? found : await standIn(found, repository, has)
      plans.push(await planOne(used, repository, installScripts, has))
    }
  }
  return plans.slice(0, mostPlans)
}

/** What tells a runner, beside what an installer reads. */
const settings =
  /^(?:setup\.cfg|tox\.ini|pytest\.ini|requirements[^/]*\.txt|Rakefile|CMakeLists\.txt|[^/]+\.(?:cs|fs|vb)proj|[Mm]akefile|GNUmakefile)$/

const isTelling = (name: string): boolean =>
  settings.test(name) ||
  dependencyTools.some(({ lock, reads }) => lock.test(name) || reads.includes(name))

/** Enough to tell the runners apart. */
const mostTests = 200

/** These files, with the text of those that `detectSuites` and `planDependencies` look at. */
export async function readRepository(
  files: readonly string[],
  read: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<RepositoryFiles> {
  const known = files.filter((path) => isTelling(posix.basename(path)) && !isInstalled(path))
  const tests = [isJavaScriptTest, isPythonTest].flatMap((isTest) =>
    files.filter(isTest).slice(0, mostTests),
  )
  const texts = await read([...new Set([...known, ...tests])])
  return { files, read: (path) => texts.get(path) }
}

/** In a folder whose manifests ask for nothing that the project's tests need. */
export const isIgnored = (path: string): boolean =>
  /(?:^|\/)(?:node_modules|vendor|fixtures?|examples?|\.[^/]+)\//.test(path)

/** The files of this tool's kind, but where the project brings its dependencies itself. */
export const locksOf = (
  { lock, unless }: DependencyTool,
  { files }: RepositoryFiles,
): readonly string[] =>
  files.filter(
    (path) =>
      lock.test(posix.basename(path)) &&
      !isIgnored(path) &&
      !(unless && files.includes(beside(path, unless))),
  )

const beside = (path: string, name: string): string => posix.join(posix.dirname(path), name)

const directoryOf = ({ tree }: DependencyTool, lockPath: string): string =>
  tree === 'all' ? '.' : posix.dirname(lockPath)

/** A lock of JavaScript without a package.json that asks for anything locks nothing. */
const asks = ({ read }: RepositoryFiles, { language }: DependencyTool, lockPath: string): boolean =>
  language !== 'javascript' ||
  /[dD]ependencies"\s*:\s*\{\s*"|"workspaces"/.test(read(beside(lockPath, 'package.json')) ?? '')

/** A tool for a file, and what it is fetched as, where it is not on this machine. */
interface Found {
  readonly tool: DependencyTool
  readonly lockPath: string
  readonly fetched?: string | undefined
}

/** The package that npm would fetch for a lock. */
export const fetchedFor = (
  { tool, lockPath }: Found,
  { read }: RepositoryFiles,
): string | undefined =>
  tool.fetched?.(read(beside(lockPath, 'package.json')) ?? '', read(lockPath) ?? '')

/**
 * What installs where a project's own package manager is not there: npm fetches it for this installation, or the
 * language's base installer reads the manifest, without the lock. Itself where neither can be.
 */
async function standIn(found: Found, repository: RepositoryFiles, has: Has): Promise<Found> {
  const { tool, lockPath } = found
  const lacking = `${tool.program} was not found`
  const fetched = fetchedFor(found, repository)
  if (fetched !== undefined) {
    if (!(await has('npm'))) return found
    const name = `${tool.name} (${lacking}: npm fetches ${fetched})`
    return { lockPath, fetched, tool: { ...tool, name } }
  }
  for (const other of dependencyTools) {
    const isOther = other.language === tool.language && other.program !== tool.program
    const manifest = tool.reads.find(
      (name) => other.lock.test(name) && repository.files.includes(beside(lockPath, name)),
    )
    if (!isOther || manifest === undefined || !(await has(other.program))) continue
    const name = `${other.name} (${lacking}: ${posix.basename(lockPath)} is not used)`
    return { lockPath: beside(lockPath, manifest), tool: { ...other, name } }
  }
  return found
}

/** Has npm load a package manager, for the commands that follow. */
export const fetchTool = (fetched: string): readonly string[] => [
  `npm install --prefix .tool --no-save --no-audit --no-fund --ignore-scripts --cache .cache ${fetched}`,
  'export PATH="$PWD/.tool/node_modules/.bin:$PATH"',
]

/** Puts the program where the tests find it, too. */
const fetching = (fetched: string, program: string, install: string): string =>
  [
    ...fetchTool(fetched),
    `{ ${install}; }`,
    'mkdir -p node_modules/.bin',
    'mv .tool node_modules/.tool',
    `ln -sf ../.tool/node_modules/.bin/${program} node_modules/.bin/${program}`,
  ].join(' && ')

/** A place in the cache by all that its content follows from. */
export const cacheKey = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex')

async function planOne(
  { tool, lockPath, fetched }: Found,
  repository: RepositoryFiles,
  installScripts: boolean,
  has: Has,
): Promise<DependencyPlan> {
  const { name, program, gotBy, tree, language, reads, env } = tool
  const directory = directoryOf(tool, lockPath)
  const workspaces = language === 'javascript' ? workspacesOf(repository, directory) : []
  const own = [posix.basename(lockPath), ...reads].map((each) => posix.join(directory, each))
  const isRead = (path: string) =>
    tree === 'all'
      ? !isIgnored(path) &&
        (tool.lock.test(posix.basename(path)) || reads.includes(posix.basename(path)))
      : own.includes(path) || workspaces.includes(path)
  const files = repository.files.filter((path) => isWithin(path, directory) && isRead(path))
  const options = installScripts ? '' : tool.withoutScripts
  const line = (
    tool.install.includes('OPTIONS')
      ? tool.install.replace('OPTIONS', options)
      : `${tool.install} ${options}`
  ).trim()
  const install = fetched === undefined ? line : fetching(fetched, program, line)
  const texts = files.map((path) => [posix.relative(directory, path), repository.read(path) ?? ''])
  const shownIn = ['.', ...workspaces.map((path) => posix.relative(directory, posix.dirname(path)))]
  return {
    ...{ tool: name, program, gotBy, directory, env },
    isAvailable: fetched !== undefined || (await has(program)),
    source: {
      key: cacheKey([install, texts]),
      lockPath,
      lockText: repository.read(lockPath) ?? '',
      files,
      tree: tree === undefined ? null : directory,
      shown: shownIn.map((place) => ({
        from: posix.join(place, tool.made),
        to: posix.join(directory, place, tool.shownAt),
      })),
      isLinkable: language === 'javascript',
    },
    command: { shell: `${install} && rm -rf .cache` },
  }
}

/** The manifests of the packages that a root manifest brings together. */
function workspacesOf({ files, read }: RepositoryFiles, directory: string): readonly string[] {
  const root = posix.join(directory, 'package.json')
  const isOne = files.includes(posix.join(directory, 'pnpm-workspace.yaml'))
  if (!isOne && !/"workspaces"\s*:/.test(read(root) ?? '')) return []
  const isInner = (path: string) =>
    path !== root && path.endsWith('/package.json') && isWithin(path, directory) && !isIgnored(path)
  return files.filter(isInner).slice(0, mostWorkspaces)
}
