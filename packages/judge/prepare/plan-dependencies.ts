import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import type { Command } from '../../sandbox/sandbox.ts'
import { isJavaScriptTest } from '../detect/detect-node.ts'
import { isPythonTest } from '../detect/detect-python.ts'
import {
  isInstalled,
  isWithin,
  type RepositoryFiles,
  type Suite,
  type TestRunner,
} from '../detect/suite.ts'
import type { Rules } from '../judging.ts'
import { type DependencyTool, dependencyTools } from './dependency-tools.ts'

/** One installation: what runs where, and what the tests see of it. */
export interface DependencyPlan {
  /** What a person would call it: `npm ci`, `npm ci in web`. */
  readonly tool: string
  readonly program: string
  readonly isAvailable: boolean
  /** A sentence on the missing package manager that this tool replaces. */
  readonly insteadOf?: string | undefined
  /** How to get that program, when it is not the usual way. */
  readonly gotBy?: string | undefined
  readonly directory: string
  /** `null` for the project's own setup command, which runs in the folder every time. */
  readonly source: {
    /** SHA-256 over the tool and everything that it reads. */
    readonly key: string
    readonly lockPath: string
    readonly lockText: string
    /** Paths in the repository that it reads. */
    readonly files: readonly string[]
    /** The folder that it sees whole at `project`; `null` when the files are enough. */
    readonly tree: string | null
    /** Paths in the installation, and where they appear in the repository. */
    readonly shown: readonly { readonly from: string; readonly to: string }[]
    /** The checkout's own `node_modules` can replace it. */
    readonly isLinkable: boolean
  } | null
  readonly command: Command
  /** `$PLACE` stands for the absolute path of the first thing shown. */
  readonly env: Readonly<Record<string, string>>
}

const mostPlans = 8
const mostWorkspaces = 200

type Has = (program: string) => Promise<boolean>

/** The language whose packages a runner's tests load; tests of other runners may load any. */
const languages: Partial<Record<TestRunner, DependencyTool['language']>> = {
  ...{ 'node-test': 'javascript', vitest: 'javascript', jest: 'javascript', mocha: 'javascript' },
  ...{ pytest: 'python', unittest: 'python', go: 'go', cargo: 'rust' },
  ...{ minitest: 'ruby', rspec: 'ruby' },
}

/** Folders that tests elsewhere do not load. */
const aside = /(?:^|\/)(?:docs?|website)(?:\/|$)/

/**
 * Returns true when a command may load the packages of this lock. Tests load packages of their own language wherever
 * they are, since folders import from each other; a command that may run anything, those around and below it.
 */
const isNeededBy =
  (suites: readonly Pick<Suite, 'runner' | 'directory'>[]) =>
  ({ language }: DependencyTool, lockPath: string): boolean => {
    const place = posix.dirname(lockPath)
    return suites.some(({ runner, directory }) => {
      const loads = languages[runner]
      if (loads === undefined) return isWithin(place, directory) || isWithin(directory, place)
      return directory === place || (loads === language && !aside.test(place))
    })
  }

/**
 * Plans the installations that a repository's tests need, at most one tool for each language and
 * directory. A configured setup command replaces everything detected.
 *
 * @param suites the commands that will run; without them, everything that the repository locks is installed
 */
export async function planDependencies(
  repository: RepositoryFiles,
  verify: Rules['verify'],
  has: Has,
  suites?: readonly Pick<Suite, 'runner' | 'directory'>[],
): Promise<readonly DependencyPlan[]> {
  const { setupCommand: shell, installScripts } = verify
  if (shell !== null) {
    const setup = { tool: shell, program: 'sh', isAvailable: true, directory: '.', env: {} }
    return [{ ...setup, source: null, command: { shell } }]
  }
  const covered = new Set<string>()
  const plans: DependencyPlan[] = []
  const isNeeded = suites === undefined ? () => true : isNeededBy(suites)
  for (const tool of dependencyTools) {
    const locks = locksOf(tool, repository).filter(
      (path) =>
        isNeeded(tool, path) &&
        asks(repository, tool, path) &&
        tool.isNeeded?.(repository.read(path) ?? '') !== false,
    )
    // A tool that takes the whole project runs only once.
    for (const lockPath of tool.tree === 'all' ? locks.slice(0, 1) : locks) {
      const place = (directory: string) => `${tool.language} ${directory}`
      const directory = directoryOf(tool, lockPath)
      const isManifest = lockPath.endsWith('package.json')
      if (covered.has(place(directory)) || (isManifest && covered.has(place('.')))) continue
      covered.add(place(directory))
      const found = { tool, lockPath }
      const used = (await has(tool.program)) ? found : await standIn(found, repository, has)
      plans.push(await planOne(used, repository, installScripts, has))
    }
  }
  return plans.slice(0, mostPlans)
}

/** Files that identify a runner and that installers do not read. */
const settings =
  /^(?:setup\.cfg|tox\.ini|pytest\.ini|requirements[^/]*\.txt|Rakefile|CMakeLists\.txt|[^/]+\.(?:cs|fs|vb)proj|[Mm]akefile|GNUmakefile)$/

/** True for the name of a file that says how a project is tested or what it installs. */
export const isTelling = (name: string): boolean =>
  settings.test(name) ||
  dependencyTools.some(({ lock, reads }) => lock.test(name) || reads.includes(name))

/** Enough test files to identify the runners. */
const mostTests = 200

/** Loads the texts that `detectSuites` and `planDependencies` read. */
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

/** Matches files in folders that the project's tests do not depend on. */
export const isIgnored = (path: string): boolean =>
  /(?:^|\/)(?:node_modules|vendor|fixtures?|examples?|\.[^/]+)\//.test(path)

/** Finds a tool's lock files that have no `unless` file beside them. */
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

/** A JavaScript lock beside a package.json without dependencies locks nothing. */
const asks = ({ read }: RepositoryFiles, { language }: DependencyTool, lockPath: string): boolean =>
  language !== 'javascript' ||
  /[dD]ependencies"\s*:\s*\{\s*"|"workspaces"/.test(read(beside(lockPath, 'package.json')) ?? '')

/** A tool for a lock, and the package to fetch when this machine lacks the tool. */
interface Found {
  readonly tool: DependencyTool
  readonly lockPath: string
  readonly fetched?: string | undefined
  readonly insteadOf?: string | undefined
}

/** The package that npm would fetch for a lock. */
export const fetchedFor = (
  { tool, lockPath }: Found,
  { read }: RepositoryFiles,
): string | undefined =>
  tool.fetched?.(read(beside(lockPath, 'package.json')) ?? '', read(lockPath) ?? '')

/**
 * Replaces a missing package manager: npm fetches it for this installation, or the language's base
 * installer reads the manifest without the lock. Returns `found` itself when neither is possible.
 */
async function standIn(found: Found, repository: RepositoryFiles, has: Has): Promise<Found> {
  const { tool, lockPath } = found
  const lacking = `${tool.program} was not found`
  const fetched = fetchedFor(found, repository)
  if (fetched !== undefined) {
    if (!(await has('npm'))) return found
    return { tool, lockPath, fetched, insteadOf: `${lacking}, so npm fetches ${fetched}.` }
  }
  for (const other of dependencyTools) {
    const isOther = other.language === tool.language && other.program !== tool.program
    const manifest = tool.reads.find(
      (name) => other.lock.test(name) && repository.files.includes(beside(lockPath, name)),
    )
    if (!isOther || manifest === undefined || !(await has(other.program))) continue
    const insteadOf = `${lacking}, so ${other.name} reads ${manifest} and not ${posix.basename(lockPath)}.`
    return { tool: other, lockPath: beside(lockPath, manifest), insteadOf }
  }
  return found
}

/**
 * Shell lines that fetch a package manager with npm and add it to the PATH. `--prefix` would also choose another
 * `npmrc` of the whole machine, which may hold the certificates.
 */
export const fetchTool = (fetched: string): readonly string[] => [
  'mkdir -p .tool && echo {} > .tool/package.json',
  `(cd .tool && npm install --no-save --no-audit --no-fund --ignore-scripts --cache ../.cache ${fetched})`,
  'export PATH="$PWD/.tool/node_modules/.bin:$PATH"',
]

/** Also puts the program where the tests find it. */
const fetching = (fetched: string, program: string, install: string): string =>
  [
    ...fetchTool(fetched),
    `{ ${install}; }`,
    'mkdir -p node_modules/.bin',
    'mv .tool node_modules/.tool',
    `ln -sf ../.tool/node_modules/.bin/${program} node_modules/.bin/${program}`,
  ].join(' && ')

/** Names a cache entry by everything that determines its content. */
export const cacheKey = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex')

async function planOne(
  { tool, lockPath, fetched, insteadOf }: Found,
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
      ? tool.install.replaceAll('OPTIONS', options)
      : `${tool.install} ${options}`
  ).trim()
  const install = fetched === undefined ? line : fetching(fetched, program, line)
  const texts = files.map((path) => [posix.relative(directory, path), repository.read(path) ?? ''])
  const shownIn = ['.', ...workspaces.map((path) => posix.relative(directory, posix.dirname(path)))]
  return {
    tool: directory === '.' ? name : `${name} in ${directory}`,
    ...{ program, insteadOf, gotBy, directory, env },
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

/** Finds the manifests of a root manifest's workspaces. */
function workspacesOf({ files, read }: RepositoryFiles, directory: string): readonly string[] {
  const root = posix.join(directory, 'package.json')
  const isOne = files.includes(posix.join(directory, 'pnpm-workspace.yaml'))
  if (!isOne && !/"workspaces"\s*:/.test(read(root) ?? '')) return []
  const isInner = (path: string) =>
    path !== root && path.endsWith('/package.json') && isWithin(path, directory) && !isIgnored(path)
  return files.filter(isInner).slice(0, mostWorkspaces)
}
