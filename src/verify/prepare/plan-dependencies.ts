import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import type { Settings } from '../../core/domain/settings.ts'
import type { Command } from '../../core/ports/sandbox.ts'
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

/** Folders whose manifests ask for nothing that the project's tests need. */
export const ignoredFolders = /(?:^|\/)(?:node_modules|vendor|fixtures?|examples?|\.[^/]+)\//
const mostPlans = 8
const mostWorkspaces = 200

/**
 * What must be installed before this repository's tests can run, at most one tool for each
 * language and directory. The configured setup command replaces whatever would be detected.
 */
export async function planDependencies(
  repository: RepositoryFiles,
  verify: Settings['verify'],
  has: (program: string) => Promise<boolean>,
): Promise<readonly DependencyPlan[]> {
  if (verify.setupCommand !== null) return [setupPlan(verify.setupCommand)]
  const taken = new Map<string, string[]>()
  const plans: DependencyPlan[] = []
  for (const tool of dependencyTools) {
    const locks = repository.files.filter((path) => isWanted(tool, repository, path))
    // A tool that takes the whole project does so once for all.
    for (const lockPath of tool.tree === 'all' ? locks.slice(0, 1) : locks) {
      const directory = tool.tree === 'all' ? '.' : posix.dirname(lockPath)
      const others = taken.get(tool.language) ?? []
      const isManifest = lockPath.endsWith('package.json')
      if (others.includes(directory) || (isManifest && others.includes('.'))) continue
      taken.set(tool.language, [...others, directory])
      const found = { tool, lockPath }
      const used = (await has(tool.program)) ? found : await standIn(found, repository, has)
      plans.push(await planOne(used, repository, verify.installScripts, has))
    }
  }
  return plans.slice(0, mostPlans)
}

const isLock = (tool: DependencyTool, path: string): boolean =>
  tool.lock.test(posix.basename(path)) && !ignoredFolders.test(path)

function isWanted(tool: DependencyTool, repository: RepositoryFiles, path: string): boolean {
  if (!isLock(tool, path) || !hasManifest(tool, repository, posix.dirname(path))) return false
  const own = tool.unless === undefined ? null : posix.join(posix.dirname(path), tool.unless)
  if (own !== null && repository.files.includes(own)) return false
  return tool.isNeeded?.(repository.read(path) ?? '') !== false
}

/** A lock of JavaScript without a package.json that asks for anything locks nothing. */
function hasManifest(
  tool: DependencyTool,
  repository: RepositoryFiles,
  directory: string,
): boolean {
  if (tool.language !== 'javascript') return true
  const text = repository.read(posix.join(directory, 'package.json')) ?? ''
  return /[dD]ependencies"\s*:\s*\{\s*"|"workspaces"/.test(text)
}

function setupPlan(shell: string): DependencyPlan {
  return {
    tool: shell,
    program: 'sh',
    isAvailable: true,
    directory: '.',
    source: null,
    command: { shell },
    env: {},
  }
}

/** A tool for a file, and what it is fetched as, where it is not on this machine. */
interface Found {
  readonly tool: DependencyTool
  readonly lockPath: string
  readonly fetched?: string
}

/**
 * What installs where a project's own package manager is not there: npm fetches it for this installation, or the
 * language's base installer reads the manifest, without the lock. Itself where neither can be.
 */
async function standIn(
  found: Found,
  repository: RepositoryFiles,
  has: (program: string) => Promise<boolean>,
): Promise<Found> {
  const { tool, lockPath } = found
  const beside = (name: string) => posix.join(posix.dirname(lockPath), name)
  if (tool.fetched !== undefined) {
    if (!(await has('npm'))) return found
    const texts = ['package.json', posix.basename(lockPath)].map((name) =>
      repository.read(beside(name)),
    )
    const fetched = tool.fetched(texts[0] ?? '', texts[1] ?? '')
    const name = `${tool.name} (${tool.program} was not found: npm fetches ${fetched})`
    return { lockPath, fetched, tool: { ...tool, name } }
  }
  for (const other of dependencyTools) {
    const isOther = other.language === tool.language && other.program !== tool.program
    const manifest = tool.reads.find(
      (name) => other.lock.test(name) && repository.files.includes(beside(name)),
    )
    if (!isOther || manifest === undefined || !(await has(other.program))) continue
    const name = `${other.name} (${tool.program} was not found: ${posix.basename(lockPath)} is not used)`
    return { lockPath: beside(manifest), tool: { ...other, name } }
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

async function planOne(
  { tool, lockPath, fetched }: Found,
  repository: RepositoryFiles,
  installScripts: boolean,
  has: (program: string) => Promise<boolean>,
): Promise<DependencyPlan> {
  const directory = tool.tree === 'all' ? '.' : posix.dirname(lockPath)
  const isWithin = (path: string) => directory === '.' || path.startsWith(`${directory}/`)
  const workspaces = tool.language === 'javascript' ? workspacesOf(repository, directory) : []
  const wanted = [posix.basename(lockPath), ...tool.reads].map((name) =>
    posix.join(directory, name),
  )
  const isRead = (path: string) =>
    tool.tree === 'all'
      ? isLock(tool, path) ||
        (tool.reads.includes(posix.basename(path)) && !ignoredFolders.test(path))
      : wanted.includes(path) || workspaces.includes(path)
  const files = repository.files.filter((path) => isWithin(path) && isRead(path))
  const line = withOptions(tool.install, installScripts ? '' : tool.withoutScripts)
  const install = fetched === undefined ? line : fetching(fetched, tool.program, line)
  const read = files.map((path) => [posix.relative(directory, path), repository.read(path) ?? ''])
  const shownIn = ['.', ...workspaces.map((path) => posix.relative(directory, posix.dirname(path)))]
  return {
    tool: tool.name,
    program: tool.program,
    isAvailable: fetched !== undefined || (await has(tool.program)),
    gotBy: tool.gotBy,
    directory,
    source: {
      key: createHash('sha256')
        .update(JSON.stringify([install, read]))
        .digest('hex'),
      lockPath,
      lockText: repository.read(lockPath) ?? '',
      files,
      tree: tool.tree === undefined ? null : directory,
      shown: shownIn.map((place) => ({
        from: posix.join(place, tool.made),
        to: posix.join(directory, place, tool.shownAt),
      })),
      isLinkable: tool.language === 'javascript',
    },
    command: { shell: `${install} && rm -rf .cache` },
    env: tool.env,
  }
}

const withOptions = (line: string, options: string): string =>
  (line.includes('OPTIONS') ? line.replace('OPTIONS', options) : `${line} ${options}`).trim()

/** The manifests of the packages that a root manifest brings together. */
function workspacesOf(repository: RepositoryFiles, directory: string): readonly string[] {
  const root = repository.read(posix.join(directory, 'package.json')) ?? ''
  const isOne = repository.files.includes(posix.join(directory, 'pnpm-workspace.yaml'))
  if (!isOne && !/"workspaces"\s*:/.test(root)) return []
  const start = directory === '.' ? '' : `${directory}/`
  return repository.files
    .filter(
      (path) =>
        path.startsWith(start) && path.endsWith('/package.json') && !ignoredFolders.test(path),
    )
    .filter((path) => posix.dirname(path) !== directory)
    .slice(0, mostWorkspaces)
}
