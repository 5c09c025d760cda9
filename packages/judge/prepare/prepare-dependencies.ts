import { join, posix } from 'node:path'
import { type ChangeSet, changeBetween, contentAfter, type Folder } from '../../change/change.ts'
import {
  adviceFor,
  classifiedAs,
  installOf,
  setUpFailed,
  type Tried,
} from '../../diagnosis/diagnosis.ts'
import type { SandboxRequest } from '../../sandbox/sandbox.ts'
import type { RepositoryFiles } from '../detect/suite.ts'
import type { JudgePorts } from '../judging.ts'
import { inCopy, inEach } from './dependency-tools.ts'
import { cacheKey, type DependencyPlan, isIgnored } from './plan-dependencies.ts'
import {
  appendSentence,
  type FailedPreparation,
  preparationFailed,
  runInstaller,
} from './run-installer.ts'

interface PreparedDependencies {
  readonly mounts: SandboxRequest['mounts']
  readonly env: Readonly<Record<string, string>>
  /** Sentences on what was done and what was not possible. */
  readonly notes: readonly string[]
  readonly tried: readonly Tried[]
  /** An installer that failed or is missing; the tests may not need its packages. */
  readonly lack?: FailedPreparation | undefined
}

interface Input {
  readonly folder: string
  /** The registries that the start commit names. */
  readonly registries?: readonly string[] | undefined
  readonly signal?: AbortSignal | undefined
}

type Needs = Pick<JudgePorts, 'sandbox' | 'clock'>

/**
 * Like `prepareDependencies`, but runs the project's own setup command before the change is in the
 * folder, because it has network access. Then writes the change over the command's results.
 *
 * @param written the changes on top of the folder's commit
 */
export async function setUpFirst(
  plans: readonly DependencyPlan[],
  folder: Folder,
  written: ChangeSet,
  input: Omit<Input, 'folder'>,
  ports: Needs & Pick<JudgePorts, 'workspace'>,
): Promise<PreparedDependencies> {
  const { workspace } = ports
  const isSetUp = written.length > 0 && plans.some(({ source }) => source === null)
  if (isSetUp) await workspace.checkOut(folder.name, folder.sha)
  const prepared = await prepareDependencies(plans, { ...input, folder: folder.path }, ports)
  if (!isSetUp) return prepared
  const paths = written.map(({ path }) => path)
  const there = await workspace.readFolder(folder, paths)
  // Produces the same final texts from whatever the setup command left.
  const changes = written.flatMap(
    (change) => changeBetween(change.path, there.get(change.path), contentAfter(change)) ?? [],
  )
  const result = await workspace.write(folder, changes)
  if (result.status === 'written') return prepared
  const setup = plans.find(({ source }) => source === null)?.tool ?? ''
  const output = `${result.path} cannot be written: ${result.reason}`
  const message = `${setup} conflicts with the change: ${output}.`
  return { ...prepared, lack: preparationFailed(message, { output, setup }) }
}

/**
 * Executes the plans: reuses packages of the checkout or the cache and installs the rest once, with
 * network and without credentials. `folder` holds the commit that the plans were made for.
 */
export async function prepareDependencies(
  plans: readonly DependencyPlan[],
  input: Input,
  ports: Needs,
): Promise<PreparedDependencies> {
  const mounts: SandboxRequest['mounts'][number][] = []
  const notes: string[] = []
  const tried: Tried[] = []
  let env: Record<string, string> = {}
  let lack: FailedPreparation | undefined
  for (const plan of plans) {
    const done = await carryOut(plan, input, ports)
    tried.push(...done.tried)
    if (done.status === 'failed') {
      lack ??= done
      const { diagnosis, reason } = done
      notes.push(diagnosis.install === null ? diagnosis.message : reason)
      continue
    }
    notes.push(done.note)
    if (done.root === null || plan.source === null) continue
    for (const { from, to } of plan.source.shown) {
      mounts.push({ from: `${done.root}/${from}`, within: done.within, to })
    }
    const place = posix.join(input.folder, plan.source.shown[0]?.to ?? '.')
    for (const [name, value] of Object.entries(plan.env)) {
      const own = value.replaceAll('$PLACE', () => place)
      const [known, between] = [env[name], joinedBy[name]]
      const isJoined = known !== undefined && between !== undefined
      env = { ...env, [name]: isJoined ? `${known}${between}${own}` : own }
    }
  }
  return { mounts, env, notes, tried, lack: lack && { ...lack, tried } }
}

/** Separators of variables that hold several values. */
const joinedBy: Readonly<Record<string, string>> = { PYTHONPATH: ':', PYTEST_ADDOPTS: ' ' }

/** Running installations, which a baseline and a change often share, and failed ones. */
const underWay = new WeakMap<JudgePorts['sandbox'], Map<string, Promise<Done>>>()

type Done =
  | {
      readonly status: 'ready'
      /** The folder with the installed packages; `null` when there is nothing to show. */
      readonly root: string | null
      /** See `SandboxRequest.mounts`; packages of the working copy belong to the user. */
      readonly within: string | null
      readonly note: string
      readonly tried: readonly Tried[]
    }
  | FailedPreparation

const ready = (
  note: string,
  root: string | null = null,
  within = root,
  tried: readonly Tried[] = [],
): Done => ({ status: 'ready', root, within, note, tried })

async function carryOut(plan: DependencyPlan, input: Input, ports: Needs): Promise<Done> {
  const { source } = plan
  if (source === null) return install(plan, input, [], ports)
  const known = underWay.get(ports.sandbox) ?? new Map<string, Promise<Done>>()
  underWay.set(ports.sandbox, known)
  const running = known.get(source.key) ?? provide(plan, source, input, ports)
  known.set(source.key, running)
  const done = await running.catch((error: unknown) => {
    known.delete(source.key)
    throw error
  })
  if (done.status === 'ready' || input.signal?.aborted) known.delete(source.key)
  return done
}

async function provide(
  plan: DependencyPlan,
  source: NonNullable<DependencyPlan['source']>,
  { folder, ...input }: Input,
  ports: Needs,
): Promise<Done> {
  const { sandbox } = ports
  const { tool, insteadOf, directory } = plan
  const { key, lockPath, tree } = source
  const linked = source.isLinkable ? await sandbox.installed(lockPath, source.lockText) : null
  if (linked !== null) {
    const note = `${lockPath}: the packages in the working copy are used.`
    return ready(note, posix.dirname(linked), null)
  }
  const cache = await sandbox.dependencyCache(key)
  if (cache.ready) {
    const note = `Dependencies were already installed (${tool}).`
    return ready(appendSentence(note, insteadOf), cache.path)
  }
  if (!plan.isAvailable) return lackOf(plan)
  const show = (path: string, to: string) => {
    return { from: posix.join(folder, path), within: folder, to }
  }
  const files =
    tree === null
      ? source.files.map((path) => show(path, posix.relative(directory, path)))
      : [show(tree, 'project')]
  const done = await install(plan, { ...input, folder: cache.path }, files, ports)
  if (done.status === 'failed') return done
  const made = source.shown.map(({ from }) => from)
  if (!(await sandbox.completeCache(key, made))) {
    // A package's code replaced the install folder with a link to another place.
    return preparationFailed(
      `${tool} is not used: it installed a link that leads out of its own folder.`,
    )
  }
  const { path } = await sandbox.dependencyCache(key)
  return ready(done.note, path, path, done.tried)
}

const openNetwork =
  'It had full network access: no sandbox on this machine can limit an installation to its registries.'

async function install(
  plan: DependencyPlan,
  { folder, signal, registries = [] }: Input,
  mounts: SandboxRequest['mounts'],
  ports: Needs,
): Promise<Done> {
  const { command, tool: name, program, insteadOf } = plan
  const of = plan.source === null ? ('all' as const) : [program]
  const request = {
    ...{ command, name, folder, directory: '.', env: {}, signal },
    ...{ registries: { of, named: registries }, mounts, collect: [] },
  }
  const done = await runInstaller(plan, request, ports)
  if (done.status === 'failed') return done
  const summary = appendSentence(`${name}: done in ${Math.round(done.seconds)} s.`, insteadOf)
  const note = done.network === 'machine' ? `${summary} ${openNetwork}` : summary
  return ready(note, null, null, done.tried)
}

function lackOf({ tool, program, gotBy }: DependencyPlan): FailedPreparation {
  const output = `${program}: command not found`
  const message = `${tool} was not run: ${program} was not found.`
  const install = gotBy ?? installOf(program)
  return preparationFailed(message, {
    ...{ reason: message + adviceFor(program, install), output },
    error: { ...classifiedAs('missing_dependency', output), program },
    diagnosis: { ...setUpFailed(message), lacks: program, install },
  })
}

const mostMegabytes = 300

/** Compiles the project and its tests without running them; Go keys its cache by the inputs. */
const fillGo = inCopy(
  [
    `export GOCACHE="$place"; ${inEach('go.mod', 'go test -exec true ./... >/dev/null 2>&1 || true')}`,
    `test "$(du -sm "$GOCACHE" | cut -f1)" -le ${mostMegabytes}`,
  ].join('; '),
)
const readByGo = /(?:^|\/)go\.(?:mod|sum|work)$/

const packages = '.executor-packages/'
const shownAt = `${packages}go-build`
const timeoutSeconds = 300

type Place = Pick<SandboxRequest, 'folder' | 'mounts' | 'env' | 'signal'>

type BuildCache = Pick<SandboxRequest, 'mounts' | 'env'> & {
  /** A shell line to run before the tests. */
  readonly first: string
}

const buildsUnderWay = new WeakMap<JudgePorts['sandbox'], Map<string, Promise<boolean>>>()

/**
 * Returns the compiler's output from earlier runs, without which each run compiles Go's standard
 * library; `null` if there is none. Only a start commit fills it (`isStart`), without running any
 * of its code, and each run works on a copy, so no change leaves anything for another.
 */
export async function buildCache(
  { files, read }: RepositoryFiles,
  place: Place,
  isStart: boolean,
  { sandbox }: Pick<JudgePorts, 'sandbox'>,
): Promise<BuildCache | null> {
  const manifests = files.filter((path) => readByGo.test(path) && !isIgnored(path))
  if (manifests.length === 0 || !(await sandbox.has('go'))) return null
  const argv = ['go', 'version']
  const { stdout } = await sandbox.run({ ...place, ...offline, command: { argv } })
  const texts = manifests.map((path) => [path, read(path)])
  const key = cacheKey([fillGo, stdout, texts])
  const known = buildsUnderWay.get(sandbox) ?? new Map<string, Promise<boolean>>()
  buildsUnderWay.set(sandbox, known)
  const filling = known.get(key) ?? (isStart ? fill(key, place, sandbox) : undefined)
  if (filling !== undefined) known.set(key, filling)
  const isFilled = await filling
  if (place.signal?.aborted) known.delete(key)
  if (isFilled === false) return null
  const { path, ready } = await sandbox.dependencyCache(key)
  if (!ready) return null
  return {
    mounts: [...place.mounts, { from: join(path, 'packages'), within: path, to: shownAt }],
    env: { ...place.env, EXECUTOR_BUILT: join(place.folder, shownAt) },
    first: 'export GOCACHE="$HOME/go-build"; cp -R "$EXECUTOR_BUILT/." "$GOCACHE"',
  }
}

const offline = { directory: '.', network: false, timeoutSeconds, collect: [] }

/** Returns false when nothing could be cached. */
async function fill(
  key: string,
  { folder, mounts, env, signal }: Place,
  sandbox: JudgePorts['sandbox'],
): Promise<boolean> {
  const { path, ready } = await sandbox.dependencyCache(key)
  if (ready) return true
  const shown = mounts.filter(({ to }) => to.startsWith(packages))
  const moved = Object.entries(env).map(([name, value]) => [name, value.replaceAll(folder, path)])
  const { exitCode } = await sandbox.run({
    ...{ ...offline, name: 'go build', folder: path, command: { shell: fillGo }, signal },
    mounts: [{ from: folder, within: folder, to: 'project' }, ...shown],
    env: Object.fromEntries(moved),
  })
  return exitCode === 0 && sandbox.completeCache(key, ['packages'])
}
