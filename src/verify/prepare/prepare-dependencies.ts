import { posix } from 'node:path'
import type { Diagnosis } from '../../core/domain/diagnosis.ts'
import type { ClassifiedError, TriedRemedy } from '../../core/domain/step-error.ts'
import type { SandboxRequest, SandboxRun } from '../../core/ports/sandbox.ts'
import type { Ports } from '../../core/ports.ts'
import {
  classifiedAs,
  classifyCommand,
  findLack,
  setUpFailed,
} from '../../text/diagnosis/diagnose.ts'
import { lastLines, plainText } from '../../text/diagnosis/plain-text.ts'
import { adviceFor, installOf } from '../../text/diagnosis/programs.ts'
import { signatureOf } from '../../text/diagnosis/signature.ts'
import { type Installer, mendInstall } from './mend-install.ts'
import type { DependencyPlan } from './plan-dependencies.ts'

export interface PreparedDependencies {
  readonly mounts: SandboxRequest['mounts']
  readonly env: Readonly<Record<string, string>>
  /** Plain sentences about what was done, and what could not be. */
  readonly notes: readonly string[]
  readonly tried: readonly TriedRemedy[]
  /** An installer that failed, or that this machine has not: what it would have brought may not be needed. */
  readonly lack?: FailedPreparation | undefined
}

export interface FailedPreparation {
  readonly status: 'failed'
  readonly reason: string
  /** The end of what the installer said. */
  readonly output: string
  readonly error: ClassifiedError
  readonly diagnosis: Diagnosis
  /** The setup command of the project's own that failed; `null` for an installer. */
  readonly setup: string | null
  readonly tried: readonly TriedRemedy[]
}

/** Where, and until when. */
interface Input {
  readonly folder: string
  /** Where the start commit says that packages come from. */
  readonly registries?: readonly string[] | undefined
  readonly signal?: AbortSignal | undefined
}

type Needs = Pick<Ports, 'sandbox' | 'clock'>

const timeoutSeconds = 900
const longestFailure = 2000
const longestLine = 240

/**
 * Carries the plans out: takes what the checkout or the cache already has, installs the rest once,
 * with network and without credentials. `folder` holds the commit that the plans were made for.
 */
export async function prepareDependencies(
  plans: readonly DependencyPlan[],
  input: Input,
  ports: Needs,
): Promise<PreparedDependencies> {
  const mounts: SandboxRequest['mounts'][number][] = []
  const notes: string[] = []
  const tried: TriedRemedy[] = []
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

/** Variables that hold one thing after the other. */
const joinedBy: Readonly<Record<string, string>> = { PYTHONPATH: ':', PYTEST_ADDOPTS: ' ' }

/** What is being installed right now, as a baseline and a change often need the same at once, and what could not be. */
const underWay = new WeakMap<Ports['sandbox'], Map<string, Promise<Done>>>()

type Done =
  /** `root` holds what was installed; `null` when there is nothing to show. */
  | {
      readonly status: 'ready'
      readonly root: string | null
      /** See `SandboxRequest.mounts`: packages of the working copy are the user's own. */
      readonly within: string | null
      readonly note: string
      readonly tried: readonly TriedRemedy[]
    }
  | FailedPreparation

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
  { folder, signal, registries }: Input,
  ports: Needs,
): Promise<Done> {
  const { sandbox } = ports
  const { tool } = plan
  const linked = source.isLinkable
    ? await sandbox.installed(source.lockPath, source.lockText)
    : null
  if (linked !== null) {
    const note = `${source.lockPath}: the packages of the working copy are used.`
    return { status: 'ready', root: posix.dirname(linked), within: null, note, tried: [] }
  }
  const cache = await sandbox.dependencyCache(source.key)
  if (cache.ready) {
    const [root, note] = [cache.path, `${tool}: installed earlier.`]
    return { status: 'ready', root, within: root, note, tried: [] }
  }
  if (!plan.isAvailable) return lackOf(plan)
  const show = (path: string, to: string) => ({
    from: posix.join(folder, path),
    within: folder,
    to,
  })
  const files =
    source.tree === null
      ? source.files.map((path) => show(path, posix.relative(plan.directory, path)))
      : [show(source.tree, 'project')]
  const done = await install(plan, { folder: cache.path, signal, registries }, files, ports)
  if (done.status === 'failed') return done
  const shown = source.shown.map(({ from }) => from)
  if (!(await sandbox.completeCache(source.key, shown))) {
    // Code of a package put a link to somewhere else where it was to be installed.
    return preparationFailed(`${tool} is not used: what it installed leads out of its own folder.`)
  }
  const root = (await sandbox.dependencyCache(source.key)).path
  return { ...done, root, within: root }
}

async function install(
  plan: DependencyPlan,
  { folder, signal, registries = [] }: Input,
  mounts: SandboxRequest['mounts'],
  ports: Needs,
): Promise<Done> {
  const of = plan.source === null ? ('all' as const) : [plan.program]
  const request = {
    command: plan.command,
    name: plan.tool,
    folder,
    directory: '.',
    env: {},
    signal,
  }
  const reach = { registries: { of, named: registries }, mounts, collect: [] }
  const done = await runInstaller(plan, { ...request, ...reach }, ports)
  if (done.status === 'failed') return done
  const said = `${plan.tool}: done in ${Math.round(done.seconds)} s.`
  const note = done.network === 'machine' ? `${said} ${openNetwork}` : said
  return { status: 'ready', root: null, within: null, note, tried: done.tried }
}

export type Installed =
  | ({ readonly status: 'done'; readonly tried: readonly TriedRemedy[] } & Pick<
      SandboxRun,
      'seconds' | 'collected' | 'network'
    >)
  | FailedPreparation

/** Runs an installer, with network and without credentials, and once more where something can help it. */
export async function runInstaller(
  installer: Installer,
  request: Omit<SandboxRequest, 'network' | 'timeoutSeconds'>,
  ports: Needs,
): Promise<Installed> {
  const tried: TriedRemedy[] = []
  for (;;) {
    const run = await ports.sandbox.prepare({ ...request, network: true, timeoutSeconds })
    const error = classifyCommand({ ...run, output: `${run.stdout}\n${run.stderr}`, failures: 0 })
    const settled = settle(tried, error, installer)
    if (error === null) return { ...run, status: 'done', tried: settled }
    const canHelp = !run.timedOut && run.ended === undefined
    const next = canHelp
      ? await mendInstall(installer, request.folder, error, settled, ports)
      : null
    if (next === null) return failed(installer, run, error, settled)
    tried.splice(0, tried.length, ...settled, next)
  }
}

const openNetwork =
  'It had the whole network of this machine: no sandbox here can keep an installation to its registries.'

/** `said` is a plain sentence, and all there is to read. */
export const preparationFailed = (
  said: string,
  more: Partial<FailedPreparation> = {},
): FailedPreparation => ({
  ...{ status: 'failed', reason: said, output: said, setup: null, tried: [] },
  ...{ error: classifiedAs('unknown', said), diagnosis: setUpFailed(said), ...more },
})

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

/** The last remedy worked when the error is gone, or is another one. */
function settle(
  tried: readonly TriedRemedy[],
  error: ClassifiedError | null,
  { tool }: Installer,
): readonly TriedRemedy[] {
  const now = error && signatureOf({ type: error.type, tool, message: error.line })
  return tried.map((each) =>
    each.worked === null ? { ...each, worked: each.signature !== now } : each,
  )
}

function failed(
  plan: Installer,
  run: SandboxRun,
  error: ClassifiedError,
  tried: readonly TriedRemedy[],
): FailedPreparation {
  const code = run.ended === undefined ? `exit code ${run.exitCode}` : `it ${run.ended}`
  const ending = run.timedOut ? `no end after ${timeoutSeconds} s` : code
  const again = tried.length === 0 ? '' : ` It was tried ${tried.length + 1} times.`
  const output = plainText(`${run.stdout}\n${run.stderr}`).trim()
  const reason = `${plan.tool} failed: ${ending}.${again}`
  const [last = ''] = error.type === 'unknown' ? lastLines(output, 1) : [error.line]
  const found = findLack(output) ?? setUpFailed(last.slice(0, longestLine))
  const message = found.message === '' ? reason : `${reason} It said: ${found.message}`
  return preparationFailed(reason, {
    ...{ output: output.slice(-longestFailure), error, diagnosis: { ...found, message }, tried },
    setup: plan.source === null ? plan.tool : null,
  })
}
