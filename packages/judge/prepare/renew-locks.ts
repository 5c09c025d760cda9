import { posix } from 'node:path'
import {
  type ChangeSet,
  contentAfter,
  contentBefore,
  type Folder,
  type RenewedLock,
  type Tree,
} from '../../change/change.ts'
import type { SandboxRequest } from '../../sandbox/sandbox.ts'
import { readEntries } from '../destructive/packages/entries.ts'
import { readDeclaredPackages } from '../detect/declared-packages.ts'
import { isWithin, type RepositoryFiles } from '../detect/suite.ts'
import type { JudgePorts } from '../judging.ts'
import {
  type DependencyTool,
  dependencyTools,
  type LockRenewal,
  renewalEnvironment,
} from './dependency-tools.ts'
import { registriesOf } from './named-registries.ts'
import {
  cacheKey,
  fetchedFor,
  fetchTool,
  isIgnored,
  locksOf,
  planDependencies,
  readRepository,
} from './plan-dependencies.ts'
import { prepareDependencies } from './prepare-dependencies.ts'
import { type FailedPreparation, runInstaller } from './run-installer.ts'

interface Input {
  /** Contains the change, without the locks that we renew. */
  readonly folder: Folder
  readonly changes: ChangeSet
  readonly repository: RepositoryFiles
  /** The registries that the folder's commit names. */
  readonly registries: readonly string[]
}

type Renewed =
  | {
      readonly status: 'renewed'
      readonly locks: readonly RenewedLock[]
      readonly notes: readonly string[]
    }
  | FailedPreparation

type Needs = Pick<JudgePorts, 'sandbox' | 'clock'>

/**
 * Renews the locks of manifests whose requirements a change alters: the lock's installer rewrites
 * it with network, without credentials and scripts, from the folder's manifests (for Go, Cargo and
 * Bundler from the whole tree). Creates no new lock.
 */
export async function renewLocks(input: Input, { sandbox, clock }: Needs): Promise<Renewed> {
  const { files, read } = input.repository
  const locks: RenewedLock[] = []
  const notes: string[] = []
  for (const stale of findStale(input)) {
    const { tool, lockPath, made } = stale
    const leave = (path: string, why: string) => {
      notes.push(`${path} was not renewed although its manifest changed: ${why}.`)
    }
    const unread = made.find((path) => files.includes(path) && read(path) === undefined)
    const isThere = await sandbox.has(tool.program)
    const fetched = isThere ? undefined : fetchedFor(stale, input.repository)
    if (unread !== undefined) leave(unread, 'it is too large')
    else if (!isThere && (fetched === undefined || !(await sandbox.has('npm')))) {
      leave(lockPath, `${tool.program} was not found`)
    } else {
      const done = await renewOne(stale, fetched, input, { sandbox, clock })
      if ('status' in done) return done
      locks.push(...done)
    }
  }
  return { status: 'renewed', locks, notes }
}

/** Renews the locks of a tree's changes; reaches only registries that its commit names. */
export async function renewChanged(
  { files, changes, paths, read }: Tree,
  folder: Folder,
  ports: Pick<JudgePorts, 'workspace' | 'settings' | 'sandbox' | 'clock'>,
): Promise<Renewed> {
  if (!mayAlterLocks(changes)) return { status: 'renewed', locks: [], notes: [] }
  const repository = await readRepository(paths, read)
  const before = files.map(({ path }) => path)
  const registries = await registriesOf(folder.sha, before, ports)
  return renewLocks({ folder, changes, repository, registries }, ports)
}

/** Returns false when a change cannot affect any lock. */
const mayAlterLocks = (changes: ChangeSet): boolean =>
  changes.some(({ path }) =>
    dependencyTools.some(({ renewal }) => renewal?.manifests.test(posix.basename(path))),
  )

interface Stale {
  readonly tool: DependencyTool
  readonly renewal: LockRenewal
  readonly lockPath: string
  /** The only files taken from the installer; of these only `go.sum` may be new. */
  readonly made: readonly string[]
}

/** Finds the locks that a change makes stale. */
const findStale = ({ changes, repository }: Input): readonly Stale[] =>
  dependencyTools.flatMap((tool): readonly Stale[] => {
    const { renewal } = tool
    if (renewal === undefined) return []
    // Only Yarn's two locks share a name.
    const isOwn = (path: string): boolean =>
      tool.language !== 'javascript' || tool.isNeeded?.(repository.read(path) ?? '') !== false
    return locksOf(tool, repository).flatMap((lockPath) => {
      const directory = posix.dirname(lockPath)
      if (!isOwn(lockPath) || !changes.some((each) => isAltered(each, renewal, directory)))
        return []
      const also = renewal.also === undefined ? [] : [posix.join(directory, renewal.also)]
      return [{ tool, renewal, lockPath, made: [lockPath, ...also] }]
    })
  })

function isAltered(
  change: ChangeSet[number],
  { manifests, keys }: LockRenewal,
  directory: string,
): boolean {
  const { path } = change
  if (!manifests.test(posix.basename(path)) || isIgnored(path)) return false
  if (!isWithin(path, directory)) return false
  if (keys === null) return true
  const [before, after] = [contentBefore(change), contentAfter(change)]
  return wanted(path, before, keys) !== wanted(path, after, keys)
}

/** Serializes a manifest's requirements for comparison. */
function wanted(path: string, text: string | undefined, keys: RegExp): string {
  const format = path.endsWith('.toml') ? 'toml' : path.endsWith('.json') ? 'json' : 'yaml'
  const entries = text === undefined ? [] : readEntries(format, text)
  if (entries === null) return text ?? ''
  const chosen = entries.filter((each) => keys.test(each.keys.join('/')))
  return JSON.stringify(chosen.map(({ keys: names, value }) => [names, value]))
}

async function renewOne(
  { tool, renewal, lockPath, made }: Stale,
  fetched: string | undefined,
  { folder, repository, changes, registries }: Input,
  ports: Needs,
): Promise<readonly RenewedLock[] | FailedPreparation> {
  const directory = posix.dirname(lockPath)
  const { line, needsTree } = renewal
  const isRead = (path: string) =>
    isWithin(path, directory) &&
    (made.includes(path) || tool.reads.includes(posix.basename(path))) &&
    !isIgnored(path)
  const places = needsTree ? ['.'] : repository.files.filter(isRead)
  const texts = places.map((path) => [path, repository.read(path)])
  const key = cacheKey([line, folder.name, folder.sha, texts, changes])
  const { path: place } = await ports.sandbox.dependencyCache(key)
  const names = made.map((path) => posix.basename(path))
  const kept = names.map((name) => `cp -P ${name} "$place/out/" 2>/dev/null || true`)
  const shell = [
    // Where mounting is impossible, single files appear as links.
    `set -e; place="$PWD"; rm -rf work out; mkdir -p out; cp -R${needsTree ? '' : 'L'} project/. work; chmod -R u+w work`,
    ...(fetched === undefined ? [] : fetchTool(fetched)),
    'cd "work/$EXECUTOR_AT"',
    `{ ${line}; }`,
    `{ ${kept.join('; ')}; }`,
    'cd "$place"; chmod -R u+w work .cache 2>/dev/null || true; rm -rf work .cache .tool',
  ].join('; ')
  const env = Object.entries(renewalEnvironment).map(([name, value]) => [
    name,
    value.replaceAll('$PLACE', place),
  ])
  const mounts = places.map((path) => ({
    ...{ from: posix.join(folder.path, path), within: folder.path },
    to: posix.join('project', path),
  }))
  const run = await runInstaller(
    { tool: line, source: lockPath },
    {
      ...{ command: { shell }, name: line, folder: place, directory: '.', mounts },
      registries: { of: [tool.program], named: registries },
      env: { ...Object.fromEntries(env), EXECUTOR_AT: directory },
      collect: names.map((name) => `out/${name}`),
    },
    ports,
  )
  if (run.status === 'failed') return run
  return made.flatMap((path) => {
    const content = run.collected.get(`out/${posix.basename(path)}`)
    const own = changes.find((change) => change.path === path)
    const before = own === undefined ? repository.read(path) : contentBefore(own)
    if (content === undefined || content === repository.read(path)) return []
    const change: RenewedLock['change'] =
      before === undefined
        ? { action: 'create', path, content }
        : { action: 'modify', path, before, content }
    return [{ change, command: line }]
  })
}

type ProjectNeeds = Pick<JudgePorts, 'workspace' | 'sandbox' | 'settings' | 'clock'>

/** The packages of a tree. A folder passed to a method holds this tree. */
export const packagesOf = (tree: Tree) => ({
  /** Names in its manifests, each once. */
  declared: () => readDeclaredPackages(tree),
  lend: (folder: Folder, ports: ProjectNeeds) => lendDependencies(tree, folder, ports),
  renewLocks: (folder: Folder, ports: ProjectNeeds) => renewChanged(tree, folder, ports),
})

/**
 * The installed dependencies of a folder, for a program that works there and may run its tests. Not those of a setup
 * command, which would write into the folder.
 */
async function lendDependencies(
  { paths, read }: Tree,
  folder: Folder,
  ports: ProjectNeeds,
): Promise<Pick<SandboxRequest, 'mounts' | 'env'>> {
  const { settings, sandbox } = ports
  const repository = await readRepository(paths, read)
  const plans = await planDependencies(repository, settings.verify, (name) => sandbox.has(name))
  const shown = plans.filter(({ source }) => source !== null)
  if (shown.length === 0) return { mounts: [], env: {} }
  const registries = await registriesOf(folder.sha, paths, ports)
  const { mounts, env } = await prepareDependencies(
    shown,
    { folder: folder.path, registries },
    ports,
  )
  return { mounts, env }
}
