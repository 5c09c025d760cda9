import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { readEntries } from '../../changes/destructive/packages/entries.ts'
import { type ChangeSet, contentAfter, contentBefore } from '../../core/domain/change-set.ts'
import type { RenewedLock } from '../../core/domain/run-state.ts'
import type { Folder } from '../../core/ports/workspace.ts'
import type { Ports } from '../../core/ports.ts'
import type { RepositoryFiles } from '../detect/suite.ts'
import {
  type DependencyTool,
  dependencyTools,
  type LockRenewal,
  readBeside,
  renewalEnvironment,
} from './dependency-tools.ts'
import { fetchTool, ignoredFolders } from './plan-dependencies.ts'
import { type FailedPreparation, runInstaller } from './prepare-dependencies.ts'

interface Input {
  /** Holds the change, without locks of ours. */
  readonly folder: Folder
  readonly changes: ChangeSet
  /** Everything in the folder. */
  readonly repository: RepositoryFiles
  /** Where the folder's commit says that packages come from. */
  readonly registries: readonly string[]
  readonly signal?: AbortSignal | undefined
}

export type Renewed =
  | {
      readonly status: 'renewed'
      readonly locks: readonly RenewedLock[]
      readonly notes: readonly string[]
    }
  | FailedPreparation

type Needs = Pick<Ports, 'sandbox' | 'clock'>

/**
 * Where a change alters what a manifest asks for, the installer that reads its lock writes that anew, with network, no
 * credentials and scripts off, from the manifests (for Go, Cargo and Bundler from the tree) of the folder. What is
 * there no lock for gets none.
 */
export async function renewLocks(input: Input, ports: Needs): Promise<Renewed> {
  const locks: RenewedLock[] = []
  const notes: string[] = []
  for (const { tool, renewal, lockPath } of findStale(input)) {
    const { files, read } = input.repository
    const unread = madeFor(lockPath, renewal).find(
      (path) => files.includes(path) && read(path) === undefined,
    )
    if (unread !== undefined) {
      notes.push(`${unread} is not renewed, though what it follows from changed: it is too large.`)
      continue
    }
    const known = await ports.sandbox.has(tool.program)
    const fetched = known ? undefined : fetchedAs(tool, lockPath, input.repository)
    const canFetch = fetched !== undefined && (await ports.sandbox.has('npm'))
    if (!known && !canFetch) {
      notes.push(
        `${lockPath} is not renewed, though what it follows from changed: ${tool.program} was not found.`,
      )
      continue
    }
    const stale = { tool, renewal, lockPath }
    const done = await renewOne(stale, canFetch ? fetched : undefined, input, ports)
    if (done.status === 'failed') return done
    locks.push(...done.locks)
  }
  return { status: 'renewed', locks, notes }
}

/** False where no lock can follow from a change. */
export const mayAlterLocks = (changes: ChangeSet): boolean =>
  changes.some(({ path }) =>
    dependencyTools.some(({ renewal }) => renewal?.manifests.test(posix.basename(path))),
  )

interface Stale {
  readonly tool: DependencyTool
  readonly renewal: LockRenewal
  readonly lockPath: string
}

/** The locks that a change leaves behind. */
function findStale({ changes, repository }: Input): readonly Stale[] {
  const { files, read } = repository
  return dependencyTools.flatMap((tool): readonly Stale[] => {
    const { renewal, lock, unless } = tool
    if (renewal === undefined) return []
    const isStale = (path: string): boolean =>
      lock.test(posix.basename(path)) &&
      !ignoredFolders.test(path) &&
      !(unless && files.includes(posix.join(posix.dirname(path), unless))) &&
      // Only Yarn's two locks share a name.
      (tool.language !== 'javascript' || tool.isNeeded?.(read(path) ?? '') !== false) &&
      changes.some((change) => isAltered(change, renewal, posix.dirname(path)))
    return files.filter(isStale).map((lockPath) => ({ tool, renewal, lockPath }))
  })
}

function isAltered(
  change: ChangeSet[number],
  { manifests, keys }: LockRenewal,
  directory: string,
): boolean {
  const { path } = change
  if (!manifests.test(posix.basename(path)) || ignoredFolders.test(path)) return false
  if (directory !== '.' && !path.startsWith(`${directory}/`)) return false
  if (keys === null) return true
  const [before, after] = [contentBefore(change), contentAfter(change)]
  return wanted(path, before, keys) !== wanted(path, after, keys)
}

/** What a manifest asks for, to be compared. */
function wanted(path: string, text: string | undefined, keys: RegExp): string {
  const format = path.endsWith('.toml') ? 'toml' : path.endsWith('.json') ? 'json' : 'yaml'
  const entries = text === undefined ? [] : readEntries(format, text)
  if (entries === null) return text ?? ''
  const chosen = entries.filter((each) => keys.test(each.keys.join('/')))
  return JSON.stringify(chosen.map(({ keys: names, value }) => [names, value]))
}

function fetchedAs(
  tool: DependencyTool,
  lockPath: string,
  { read }: RepositoryFiles,
): string | undefined {
  const manifest = read(posix.join(posix.dirname(lockPath), 'package.json')) ?? ''
  return tool.fetched?.(manifest, read(lockPath) ?? '')
}

/** Nothing else is taken from an installer: it makes no file that was not there, besides `go.sum`. */
const madeFor = (lockPath: string, { also }: LockRenewal): readonly string[] =>
  also === undefined ? [lockPath] : [lockPath, posix.join(posix.dirname(lockPath), also)]

async function renewOne(
  { tool, renewal, lockPath }: Stale,
  fetched: string | undefined,
  { folder, repository, changes, registries, signal }: Input,
  ports: Needs,
): Promise<
  { readonly status: 'done'; readonly locks: readonly RenewedLock[] } | FailedPreparation
> {
  const directory = posix.dirname(lockPath)
  const made = madeFor(lockPath, renewal)
  const { line } = renewal
  const isRead = (path: string) =>
    (directory === '.' || path.startsWith(`${directory}/`)) &&
    (made.includes(path) || readBeside.test(posix.basename(path))) &&
    !ignoredFolders.test(path)
  const places = renewal.needsTree ? ['.'] : repository.files.filter(isRead)
  const texts = places.map((path) => [path, repository.read(path)])
  const key = createHash('sha256')
    .update(JSON.stringify([line, folder.name, folder.sha, texts, changes]))
    .digest('hex')
  const { path: place } = await ports.sandbox.dependencyCache(key)
  const names = made.map((path) => posix.basename(path))
  const kept = names.map((name) => `cp -P ${name} "$place/out/" 2>/dev/null || true`)
  const shell = [
    // Single files are shown as links where nothing can be mounted.
    `set -e; place="$PWD"; rm -rf work out; mkdir -p out; cp -R${renewal.needsTree ? '' : 'L'} project/. work; chmod -R u+w work`,
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
  const run = await runInstaller(
    { tool: line, source: lockPath },
    {
      ...{ command: { shell }, name: line, folder: place, directory: '.', signal },
      registries: { of: [tool.program], named: registries },
      env: { ...Object.fromEntries(env), EXECUTOR_AT: directory },
      mounts: places.map((path) => ({
        ...{ from: posix.join(folder.path, path), within: folder.path },
        to: posix.join('project', path),
      })),
      collect: names.map((name) => `out/${name}`),
    },
    ports,
  )
  if (run.status === 'failed') return run
  const locks = made.flatMap((path) => {
    const content = run.collected.get(`out/${posix.basename(path)}`)
    const own = changes.find((change) => change.path === path)
    const before = own === undefined ? repository.read(path) : contentBefore(own)
    if (content === undefined || content === repository.read(path)) return []
    const change =
      before === undefined
        ? ({ action: 'create', path, content } as const)
        : ({ action: 'modify', path, before, content } as const)
    return [{ change, command: line }]
  })
  return { status: 'done', locks }
}
