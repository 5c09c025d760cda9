import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DoctorCheck as Check, fail, ok, warn } from '../../../adapters/doctor/check.ts'
import { checkGitHub } from '../../../adapters/doctor/doctor-github.ts'
import { checkState } from '../../../adapters/doctor/doctor-state.ts'
import { createProcessSandbox } from '../../../adapters/process-sandbox.ts'
import { createSystemClock } from '../../../adapters/system-clock.ts'
import { checkedOutBranch, findRepository, originOf } from '../../../adapters/user-checkout.ts'
import { ExecutorError } from '../../../core/domain/errors.ts'
import type { Settings } from '../../../core/domain/settings.ts'
import type { Sandbox } from '../../../core/ports/sandbox.ts'
import type { Workspace } from '../../../core/ports/workspace.ts'
import { readDocument } from '../../../roadmap/unboxed/read-document.ts'
import { missingProgramIn } from '../../../text/diagnosis/diagnose.ts'
import { adviceFor } from '../../../text/diagnosis/patterns.ts'
import { detectSuites } from '../../../verify/detect/detect-suites.ts'
import { planDependencies, readRepository } from '../../../verify/prepare/plan-dependencies.ts'
import { findNotStarting } from '../../../verify/run/verify-folder.ts'
import { openWorkspace } from '../../compose/local-workspace.ts'
import { cacheDirectory } from '../../own-directory.ts'
import { readRemote } from '../find-github.ts'
import { loadSettings } from '../load-settings.ts'
import type { Terminal } from '../terminal.ts'

/** `executor doctor`: everything a run needs, tried out; 0, or 2 when something would stop it. */
export async function doctor(terminal: Terminal): Promise<number> {
  const checks: Check[] = [ok('node', process.versions.node)]
  const repository = await tryOut('repository', () => findRepository(terminal.directory), checks)
  const root = repository?.root ?? terminal.directory
  if (repository) {
    const branch = (await checkedOutBranch(repository)) ?? 'a detached HEAD'
    checks.push(ok('repository', `${root} on ${branch}`))
  }
  const settings = await tryOut('configuration', () => loadSettings(root, {}, terminal), checks)
  if (settings) {
    checks.push(
      ok('configuration', `model ${settings.model.name || '(none)'} at ${settings.model.baseUrl}`),
    )
    if (repository) await tryOut('roadmap', () => checkRoadmap(root, settings, checks), checks)
    checks.push(await checkModel(settings, terminal))
    const sandbox = openSandbox(settings)
    checks.push(await checkSandbox(sandbox))
    if (repository) checks.push(...(await checkPrograms(root, settings, sandbox)))
    checks.push(
      ...(await checkForge(repository && (await originOf(repository)), settings, terminal)),
    )
  }
  for (const check of checks) show(check, terminal)
  return checks.some((check) => check.status === 'fail') ? 2 : 0
}

/** What throws a catalogue error is a failed check, with the catalogue's advice. */
async function tryOut<T>(
  name: string,
  attempt: () => Promise<T>,
  checks: Check[],
): Promise<T | null> {
  try {
    return await attempt()
  } catch (error) {
    if (!(error instanceof ExecutorError)) throw error
    checks.push(fail(name, error.message, error.next))
    return null
  }
}

async function checkRoadmap(root: string, settings: Settings, checks: Check[]): Promise<void> {
  const workspace = await openWorkspace(root, settings, createSystemClock())
  const { base } = await workspace.refresh()
  const text = (await workspace.readFiles(base.sha, [settings.roadmap])).get(settings.roadmap)
  if (text === undefined) throw new ExecutorError('no_roadmap', settings.roadmap)
  const { tasks, problems } = readDocument(text, settings).roadmap
  const errors = problems.filter(({ severity }) => severity === 'error')
  const open = tasks.filter(({ status }) => status === 'pending' || status === 'in_progress')
  const [first] = errors
  checks.push(
    first === undefined
      ? ok('roadmap', `${settings.roadmap}: ${open.length} of ${tasks.length} tasks open`)
      : fail('roadmap', `line ${first.line}: ${first.message}`, first.fix),
  )
}

async function checkModel(settings: Settings, { environment }: Terminal): Promise<Check> {
  const name = 'model'
  const { baseUrl, name: model } = settings.model
  if (model === '') {
    const next = 'Name one: --model, OPENAI_MODEL, or model in .github/executor.yml.'
    return fail(name, 'no model is configured', next)
  }
  const key = environment.OPENAI_API_KEY ?? ''
  try {
    const answer = await fetch(`${baseUrl.replace(/\/$/, '')}/models`, {
      headers: key === '' ? {} : { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(10_000),
    })
    if (answer.ok) return ok(name, `${baseUrl} answers`)
    const detail = `${baseUrl} answers ${answer.status}`
    const refused = answer.status === 401 || answer.status === 403
    return refused
      ? fail(name, detail, 'Check OPENAI_API_KEY.')
      : warn(name, detail, 'It may not list models; executor run --max-tasks 1 will tell.')
  } catch (error) {
    const detail = `${baseUrl} cannot be reached (${error instanceof Error ? error.message : error})`
    return fail(name, detail, 'Check --base-url and that the server runs.')
  }
}

const openSandbox = (settings: Settings): Sandbox =>
  createProcessSandbox({
    mode: settings.sandbox.mode === 'off' ? 'off' : 'auto',
    cacheDirectory: join(cacheDirectory(), 'dependencies'),
    memoryMegabytes: settings.verify.memoryMegabytes,
    checkout: null,
    ignoresMemory: true,
  })

async function checkPrograms(
  root: string,
  settings: Settings,
  sandbox: Sandbox,
): Promise<readonly Check[]> {
  if (settings.verify.mode === 'skip') return []
  const workspace = await openWorkspace(root, settings, createSystemClock())
  const tried = await tryPrograms(workspace, settings, sandbox)
  return tried.map(({ name, problem, next }) => {
    if (problem === null) return ok('tests', `${name} starts in the sandbox`)
    const detail = `${name} does not start in the sandbox: ${problem}`
    return fail('tests', detail, next)
  })
}

async function checkSandbox(sandbox: Sandbox): Promise<Check> {
  const { kind, reason } = await sandbox.ability()
  const reaches = await sandbox.installNetwork()
  const isOpen = reaches === 'machine' ? '; installations have the whole network' : ''
  if (kind === 'bubblewrap' || kind === 'other-user') return ok('sandbox', `${kind}${isOpen}`)
  const next =
    'Install bubblewrap (apt-get install bubblewrap) to keep tests apart from this machine.'
  return warn('sandbox', `${kind}: ${reason}${isOpen}`, next)
}

/** Only where the repository is on a GitHub and a token is at hand. */
async function checkForge(
  remote: string | null,
  { roadmap }: Settings,
  { environment }: Terminal,
): Promise<readonly Check[]> {
  const place = readRemote(remote, environment)
  if (place === null) return [ok('forge', 'no GitHub remote: branches only')]
  const { owner, repo, serverUrl, apiUrl } = place
  const token = environment.GITHUB_TOKEN ?? ''
  if (token === '') {
    const how = 'set GITHUB_TOKEN to check its settings for the Action too'
    return [ok('forge', `${owner}/${repo}; ${how}`)]
  }
  const clock = createSystemClock()
  const home = await mkdtemp(join(tmpdir(), 'executor-doctor-'))
  try {
    const url = `${serverUrl}/${owner}/${repo}.git`
    return [
      ...(await checkGitHub({ owner, repo, token: () => token, apiUrl, clock })),
      ...(await checkState({ remote: { url, token: () => token }, home, roadmap, clock })),
    ]
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

function show({ name, status, detail, next }: Check, terminal: Terminal): void {
  const mark = { ok: '✔', warn: '!', fail: '✖' }[status]
  const colour = ({ ok: 'green', warn: 'yellow', fail: 'red' } as const)[status]
  terminal.print(`${terminal.paint(colour, mark)} ${name.padEnd(14)} ${detail}`)
  if (next !== '') terminal.print(`  ${''.padEnd(14)} ${next}`)
}

/** A program that this repository's tests need, what it says where it does not start, and what would help. */
interface TriedProgram {
  readonly name: string
  readonly problem: string | null
  readonly next: string
}

const isThere = (name: string): TriedProgram => ({ name, problem: null, next: '' })

const bare = { command: { argv: [] }, plain: null }

/** Starts each program that the tests need in the sandbox, as a run does before it asks a model. */
export async function tryPrograms(
  workspace: Pick<Workspace, 'refresh' | 'listFiles' | 'readFiles'>,
  { verify }: Pick<Settings, 'verify'>,
  sandbox: Pick<Sandbox, 'run' | 'has'>,
): Promise<readonly TriedProgram[]> {
  const { base } = await workspace.refresh()
  const files = (await workspace.listFiles(base.sha)).map(({ path }) => path)
  const repository = await readRepository(files, (paths) => workspace.readFiles(base.sha, paths))
  const suites = detectSuites(repository, verify, { verify: null, accept: [] })
  const plans = suites.length === 0 ? [] : await planDependencies(repository, verify, sandbox.has)
  const installers = plans.filter(({ source }) => source !== null)
  const folder = await mkdtemp(join(tmpdir(), 'executor-doctor-'))
  try {
    const tried = new Map<string, TriedProgram>()
    for (const name of new Set(suites.flatMap(({ needs }) => needs))) tried.set(name, isThere(name))
    for (const suite of suites) {
      // What an installation brings is not here yet: of its own, a suite then needs what runs it.
      const own = installers.length > 0 ? { ...suite, ...bare } : { ...suite, directory: '.' }
      const place = { folder, mounts: [], network: false }
      for (const { name, said } of await findNotStarting(own, place, { sandbox })) {
        tried.set(name, await describe(name, said, sandbox))
      }
    }
    for (const { program, isAvailable, gotBy } of installers) {
      const next = gotBy === undefined ? adviceFor(program).trim() : `Install it: ${gotBy}`
      const lacking = { name: program, problem: 'it was not found', next }
      tried.set(program, isAvailable ? (tried.get(program) ?? isThere(program)) : lacking)
    }
    return [...tried.values()]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function describe(name: string, said: string, sandbox: Pick<Sandbox, 'has'>) {
  if (said === '' || missingProgramIn(said) === name || !(await sandbox.has(name))) {
    return { name, problem: 'it was not found', next: adviceFor(name).trim() }
  }
  const next = `Put the folder on PATH in which ${name} is installed, not only a shim of it.`
  return { name, problem: said, next }
}
