import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { openTree } from '../../../../packages/change/change.ts'
import { inTemporaryFolder } from '../../../../packages/files/files.ts'
import { testsOf } from '../../../../packages/judge/judge.ts'
import { readDocument } from '../../../../packages/roadmap/roadmap.ts'
import type { SandboxKind } from '../../../../packages/sandbox/sandbox.ts'
import { isToDo } from '../../../../packages/task/task.ts'
import { findCalibration } from '../../../adapters/calibration-file.ts'
import { type DoctorCheck as Check, fail, ok } from '../../../adapters/doctor/check.ts'
import { checkWriting } from '../../../adapters/doctor/doctor-folder.ts'
import { checkGitHub } from '../../../adapters/doctor/doctor-github.ts'
import { checkLocalModels } from '../../../adapters/doctor/doctor-local.ts'
import { checkModel } from '../../../adapters/doctor/doctor-model.ts'
import { checkSandboxes } from '../../../adapters/doctor/doctor-sandbox.ts'
import { checkState } from '../../../adapters/doctor/doctor-state.ts'
import { createMachineSandbox } from '../../../adapters/machine-sandbox.ts'
import { isNearby } from '../../../adapters/openai/endpoint.ts'
import { usualSearch } from '../../../adapters/openai/find-servers.ts'
import { createSystemClock } from '../../../adapters/system.ts'
import {
  checkedOutBranch,
  findRepository,
  originOf,
  type UsersRepository,
} from '../../../adapters/user-checkout.ts'
import { ExecutorError } from '../../../core/domain/errors.ts'
import type { Settings } from '../../../core/domain/settings.ts'
import { missingRoadmap } from '../../../tasks/missing-roadmap.ts'
import { findApiKey } from '../../compose/compose.ts'
import { openWorkspace } from '../../compose/compose-local.ts'
import { cacheDirectory } from '../../own-directory.ts'
import { describeCalibration } from '../describe-calibration.ts'
import { readRemote, tokenFor } from '../find-github.ts'
import { loadSettings } from '../load-settings.ts'
import type { Terminal } from '../terminal.ts'
import { wrapWords } from '../wrap-words.ts'

interface DoctorFlags {
  /** `--model NAME`; false for `--no-model`. */
  readonly model?: string | false
  readonly baseUrl?: string
}

/** `executor doctor`: tries everything that a run needs. Returns 0, or 2 when a run could not work. */
export async function doctor(
  flags: DoctorFlags,
  terminal: Terminal,
  search = usualSearch,
): Promise<number> {
  let isFailed = false
  const report = (...checks: readonly Check[]) => {
    for (const check of checks) show(check, terminal)
    isFailed ||= checks.some(({ status }) => status === 'fail')
  }
  /** Turns an error of the catalogue into a failed check with the catalogue's advice. */
  const attempt = async <T>(name: string, act: () => Promise<T>): Promise<T | null> => {
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof ExecutorError)) throw error
      report(fail(name, error.message, error.next))
      return null
    }
  }
  report(ok('node', process.versions.node))
  const repository = await attempt('repository', () => findRepository(terminal.directory))
  const root = repository?.root ?? terminal.directory
  if (repository) {
    const branch = (await checkedOutBranch(repository)) ?? 'a detached HEAD'
    report(ok('repository', `${root} on ${branch}`), ...(await checkFolders(repository)))
  }
  const settings = await attempt('configuration', () =>
    loadSettings(root, { model: flags.model || undefined, baseUrl: flags.baseUrl }, terminal),
  )
  if (settings) {
    report(
      ok('configuration', `model ${settings.model.name || '(none)'} at ${settings.model.baseUrl}`),
    )
    if (repository) await attempt('roadmap', async () => report(await checkRoadmap(root, settings)))
    const model = await attempt('model', async () => {
      const apiKey = findApiKey(settings, terminal.environment)
      const asks = flags.model !== false
      const check = await checkModel({ settings: settings.model, apiKey, asks })
      report(check)
      return check
    })
    if (model?.status === 'ok') report(...(await checkCalibration(settings)))
    else report(...(await checkLocalModels(search)))
    await attempt('sandbox', async () => {
      report(...(await checkSandboxes((only) => openSandbox(settings, only))))
      if (repository) report(...(await checkPrograms(root, settings)))
    })
    report(...(await checkForge(repository && (await originOf(repository)), settings, terminal)))
  }
  return isFailed ? 2 : 0
}

/** What was measured; without a measurement, an offer for a server nearby, where it costs nothing but time. */
async function checkCalibration({ model }: Settings): Promise<readonly Check[]> {
  const known = await findCalibration(cacheDirectory(), model)
  return known !== null || isNearby(model.baseUrl)
    ? [ok('calibration', describeCalibration(known))]
    : []
}

/** A run writes state to the repository's folder, branches to git's, and its clone to the cache. */
const checkFolders = ({ root, commonDir }: UsersRepository): Promise<readonly Check[]> =>
  checkWriting([
    { what: "the repository's folder", path: join(root, '.executor') },
    { what: "git's folder", path: commonDir },
    { what: 'the cache', path: cacheDirectory() },
  ])

async function checkRoadmap(root: string, settings: Settings): Promise<Check> {
  const workspace = await openWorkspace(root, settings, createSystemClock())
  const { base } = await workspace.refresh()
  const text = (await workspace.readFiles(base.sha, [settings.roadmap])).get(settings.roadmap)
  if (text === undefined) {
    return notCommitted(root, settings, await missingRoadmap(base.sha, { workspace, settings }))
  }
  const { tasks, problems } = readDocument(text, settings).roadmap
  const first = problems.find(({ severity }) => severity === 'error')
  const open = tasks.filter(isToDo)
  return first === undefined
    ? ok('roadmap', `${settings.roadmap}: ${open.length} of ${tasks.length} tasks open`)
    : fail('roadmap', `line ${first.line}: ${first.message}`, first.fix)
}

/** @throws ExecutorError `no_roadmap` */
async function notCommitted(
  root: string,
  { roadmap }: Settings,
  missing: ExecutorError,
): Promise<Check> {
  const isThere = await access(join(root, roadmap)).then(
    () => true,
    () => false,
  )
  if (!isThere) throw missing
  const next = `Commit it: git add ${roadmap} && git commit -m "Add a roadmap"`
  return fail(
    'roadmap',
    `${roadmap} is not committed yet, and a run works from the last commit`,
    next,
  )
}

const openSandbox = (settings: Settings, only?: SandboxKind) =>
  createMachineSandbox({
    mode: only === undefined ? settings.sandbox.mode : 'auto',
    cacheDirectory: join(cacheDirectory(), 'dependencies'),
    memoryMegabytes: settings.verify.memoryMegabytes,
    checkout: null,
    ignoresMemory: true,
    ...(only !== undefined && { only }),
  })

async function checkPrograms(root: string, settings: Settings): Promise<readonly Check[]> {
  if (settings.verify.mode === 'skip') return []
  const workspace = await openWorkspace(root, settings, createSystemClock())
  const { base } = await workspace.refresh()
  const tree = await openTree(base.sha, workspace)
  const tried = await inTemporaryFolder('doctor', async (folder) => {
    const tests = await testsOf(tree, settings.verify)
    return tests.tryPrograms(folder, openSandbox(settings))
  })
  return tried.map(({ name, problem, next }) => {
    if (problem === null) return ok('tests', `${name} starts in the sandbox`)
    const detail = `${name} does not start in the sandbox: ${problem}`
    return fail('tests', detail, next)
  })
}

/** Only if the repository is on GitHub and a token is available. */
async function checkForge(
  remote: string | null,
  { roadmap }: Settings,
  { environment }: Terminal,
): Promise<readonly Check[]> {
  const place = readRemote(remote, environment)
  if (place === null) return [ok('forge', 'no GitHub remote: branches only')]
  const { owner, repo, serverUrl, apiUrl } = place
  const token = tokenFor(place, environment)
  if (token === null) {
    const isElsewhere = tokenFor(place, { ...environment, GITHUB_TOKEN: 'any' }) === null
    const server = `if ${serverUrl} is a GitHub server, set GITHUB_SERVER_URL=${serverUrl} and GITHUB_TOKEN`
    const how = `${isElsewhere ? server : 'set GITHUB_TOKEN'} to check its settings for the Action too`
    return [ok('forge', `${owner}/${repo}; ${how}`)]
  }
  const clock = createSystemClock()
  return inTemporaryFolder('doctor', async (home) => {
    const url = `${serverUrl}/${owner}/${repo}.git`
    return [
      ...(await checkGitHub({ owner, repo, token: () => token, apiUrl, clock })),
      ...(await checkState({ remote: { url, token: () => token }, home, roadmap, clock })),
    ]
  })
}

function show({ name, status, detail, next }: Check, terminal: Terminal): void {
  const mark = { ok: '✔', warn: '!', fail: '✖' }[status]
  const colour = ({ ok: 'green', warn: 'yellow', fail: 'red' } as const)[status]
  const print = (line: string) => terminal.print(wrapWords(line, process.stdout.columns))
  print(`${terminal.paint(colour, mark)} ${name.padEnd(14)} ${detail}`)
  if (next !== '') print(`  ${''.padEnd(14)} ${next}`)
}
