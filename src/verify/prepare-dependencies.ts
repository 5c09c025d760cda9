import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import type { Settings } from '../domain/settings.ts'
import type { Command, Ports, SandboxRequest } from '../ports.ts'
import { type DependencyTool, dependencyTools } from './dependency-tools.ts'
import { plainText } from './results/plain-text.ts'
import type { RepositoryFiles } from './suite.ts'

/** One installation: what is run where, and what the tests are shown of it. */
export interface DependencyPlan {
  /** What a person would call it, `npm ci`. */
  readonly tool: string
  readonly program: string
  readonly isAvailable: boolean
  readonly directory: string
  /** `null` for a setup command of the project's own: it runs in the folder, every time. */
  readonly source: {
    /** SHA-256 over the tool and all it reads. */
    readonly key: string
    readonly lockPath: string
    readonly lockText: string
    /** Paths in the repository that it reads. */
    readonly files: readonly string[]
    /** Paths in the installation, and where in the repository they are shown. */
    readonly shown: readonly { readonly from: string; readonly to: string }[]
    /** True where a checkout's own `node_modules` will do. */
    readonly isLinkable: boolean
  } | null
  readonly command: Command
  /** `$PLACE` stands for the absolute path of the first thing shown. */
  readonly env: Readonly<Record<string, string>>
}

export type PreparedDependencies =
  | {
      readonly status: 'ready'
      readonly mounts: SandboxRequest['mounts']
      readonly env: Readonly<Record<string, string>>
      /** Plain sentences about what was done, and what could not be. */
      readonly notes: readonly string[]
    }
  /** `output` is the end of what the installer said. */
  | { readonly status: 'failed'; readonly reason: string; readonly output: string }

const ignored = /(?:^|\/)(?:node_modules|vendor|fixtures?|examples?|\.[^/]+)\//
const mostPlans = 8
const mostWorkspaces = 200
const timeoutSeconds = 900
const longestFailure = 2000

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
    for (const lockPath of repository.files.filter((path) => isLock(tool, path))) {
      const directory = posix.dirname(lockPath)
      const others = taken.get(tool.language) ?? []
      const text = repository.read(lockPath) ?? ''
      const isManifest = lockPath.endsWith('package.json')
      if (others.includes(directory) || (isManifest && others.includes('.'))) continue
      if (tool.isNeeded?.(text) === false || !hasManifest(tool, repository, directory)) continue
      taken.set(tool.language, [...others, directory])
      plans.push(await planOne(tool, repository, lockPath, verify.installScripts, has))
    }
  }
  return plans.slice(0, mostPlans)
}

const isLock = (tool: DependencyTool, path: string): boolean =>
  tool.lock.test(posix.basename(path)) && !ignored.test(path)

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

async function planOne(
  tool: DependencyTool,
  repository: RepositoryFiles,
  lockPath: string,
  installScripts: boolean,
  has: (program: string) => Promise<boolean>,
): Promise<DependencyPlan> {
  const directory = posix.dirname(lockPath)
  const isWithin = (path: string) => directory === '.' || path.startsWith(`${directory}/`)
  const workspaces = tool.language === 'javascript' ? workspacesOf(repository, directory) : []
  const wanted = [posix.basename(lockPath), ...tool.reads].map((name) =>
    posix.join(directory, name),
  )
  const files = repository.files.filter(
    (path) => isWithin(path) && (wanted.includes(path) || workspaces.includes(path)),
  )
  const install = installScripts ? tool.install : `${tool.install} ${tool.withoutScripts}`.trim()
  const read = files.map((path) => [posix.relative(directory, path), repository.read(path) ?? ''])
  const shownIn = ['.', ...workspaces.map((path) => posix.relative(directory, posix.dirname(path)))]
  return {
    tool: tool.name,
    program: tool.program,
    isAvailable: await has(tool.program),
    directory,
    source: {
      key: createHash('sha256')
        .update(JSON.stringify([install, read]))
        .digest('hex'),
      lockPath,
      lockText: repository.read(lockPath) ?? '',
      files,
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

/** The manifests of the packages that a root manifest brings together. */
function workspacesOf(repository: RepositoryFiles, directory: string): readonly string[] {
  const root = repository.read(posix.join(directory, 'package.json')) ?? ''
  const isOne = repository.files.includes(posix.join(directory, 'pnpm-workspace.yaml'))
  if (!isOne && !/"workspaces"\s*:/.test(root)) return []
  const start = directory === '.' ? '' : `${directory}/`
  return repository.files
    .filter(
      (path) => path.startsWith(start) && path.endsWith('/package.json') && !ignored.test(path),
    )
    .filter((path) => posix.dirname(path) !== directory)
    .slice(0, mostWorkspaces)
}

/**
 * Carries the plans out: takes what the checkout or the cache already has, installs the rest once,
 * with network and without credentials. `folder` holds the commit that the plans were made for.
 */
export async function prepareDependencies(
  plans: readonly DependencyPlan[],
  input: { readonly folder: string },
  ports: Pick<Ports, 'sandbox'>,
): Promise<PreparedDependencies> {
  const mounts: { from: string; to: string }[] = []
  const notes: string[] = []
  let env: Record<string, string> = {}
  for (const plan of plans) {
    const done = await carryOut(plan, input.folder, ports)
    if (done.status === 'failed') return done
    notes.push(done.note)
    if (done.root === null || plan.source === null) continue
    for (const { from, to } of plan.source.shown) mounts.push({ from: `${done.root}/${from}`, to })
    const place = posix.join(input.folder, plan.source.shown[0]?.to ?? '.')
    const values = Object.entries(plan.env)
    env = {
      ...env,
      ...Object.fromEntries(
        values.map(([name, value]) => [name, value.replaceAll('$PLACE', () => place)]),
      ),
    }
  }
  return { status: 'ready', mounts, env, notes }
}

/** What is being installed right now: a baseline and a change often need the same at once. */
const underWay = new WeakMap<Ports['sandbox'], Map<string, Promise<Done>>>()

type Done =
  /** `root` holds what was installed; `null` when there is nothing to show. */
  | { readonly status: 'ready'; readonly root: string | null; readonly note: string }
  | { readonly status: 'failed'; readonly reason: string; readonly output: string }

async function carryOut(
  plan: DependencyPlan,
  folder: string,
  ports: Pick<Ports, 'sandbox'>,
): Promise<Done> {
  const { source } = plan
  if (source === null) return install(plan, folder, [], ports)
  const known = underWay.get(ports.sandbox) ?? new Map<string, Promise<Done>>()
  underWay.set(ports.sandbox, known)
  const running = known.get(source.key) ?? provide(plan, source, folder, ports)
  known.set(source.key, running)
  return running.finally(() => known.delete(source.key))
}

async function provide(
  plan: DependencyPlan,
  source: NonNullable<DependencyPlan['source']>,
  folder: string,
  ports: Pick<Ports, 'sandbox'>,
): Promise<Done> {
  const { sandbox } = ports
  const { tool } = plan
  const linked = source.isLinkable
    ? await sandbox.installed(source.lockPath, source.lockText)
    : null
  if (linked !== null) {
    const note = `${source.lockPath}: the packages of the working copy are used.`
    return { status: 'ready', root: posix.dirname(linked), note }
  }
  const cache = await sandbox.dependencyCache(source.key)
  if (cache.ready) {
    return { status: 'ready', root: cache.path, note: `${tool}: installed earlier.` }
  }
  if (!plan.isAvailable) {
    const note = `${tool} was not run: ${plan.program} was not found.`
    return { status: 'ready', root: null, note }
  }
  const files = source.files.map((path) => ({
    from: posix.join(folder, path),
    to: posix.relative(plan.directory, path),
  }))
  const done = await install(plan, cache.path, files, ports)
  if (done.status === 'failed') return done
  await sandbox.completeCache(source.key)
  return { ...done, root: (await sandbox.dependencyCache(source.key)).path }
}

async function install(
  plan: DependencyPlan,
  folder: string,
  mounts: SandboxRequest['mounts'],
  ports: Pick<Ports, 'sandbox'>,
): Promise<Done> {
  const run = await ports.sandbox.prepare({
    command: plan.command,
    folder,
    directory: '.',
    env: {},
    network: true,
    mounts,
    timeoutSeconds,
    collect: [],
  })
  if (run.exitCode === 0) {
    return {
      status: 'ready',
      root: null,
      note: `${plan.tool}: done in ${Math.round(run.seconds)} s.`,
    }
  }
  const ending = run.timedOut ? `no end after ${timeoutSeconds} s` : `exit code ${run.exitCode}`
  const output = plainText(`${run.stdout}\n${run.stderr}`).trim().slice(-longestFailure)
  return { status: 'failed', reason: `${plan.tool} failed: ${ending}.`, output }
}
