import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode } from '../../../../packages/files/files.ts'
import { countOf } from '../../../../packages/text/text.ts'
import { describeServer } from '../../../adapters/doctor/doctor-local.ts'
import { reasonOfDisk } from '../../../adapters/explain-disk.ts'
import { isNearby } from '../../../adapters/openai/endpoint.ts'
import {
  findServers,
  type LocalServer,
  usualSearch,
} from '../../../adapters/openai/find-servers.ts'
import { openPlainFolder } from '../../../adapters/plain-folder.ts'
import {
  excludeFromGit,
  findRepository,
  originOf,
  type UsersRepository,
} from '../../../adapters/user-checkout.ts'
import { ExecutorError } from '../../../core/domain/errors.ts'
import { label } from '../../../core/domain/identity.ts'
import { type Settings, usualEndpoint } from '../../../core/domain/settings.ts'
import { type InitAnswers, initFiles } from '../../init/init-files.ts'
import { nameOfLanguage } from '../../init/sample-roadmap.ts'
import { type Surroundings, surveyRepository } from '../../init/survey-repository.ts'
import { type WorkflowName, workflowNames } from '../../init/workflow-files.ts'
import { askAtTerminal, askForAnswers } from '../ask-for-answers.ts'
import { readRemote, tokenFor } from '../find-github.ts'
import type { Flags } from '../flags.ts'
import { loadSettings } from '../load-settings.ts'
import type { Terminal } from '../terminal.ts'

type InitFlags = Flags<'yes', 'model' | 'baseUrl' | 'workflow' | 'action'>

/** `executor init`: inspects the repository, asks at most three questions, and writes the missing files. */
export async function init(
  flags: InitFlags,
  terminal: Terminal,
  search = usualSearch,
): Promise<number> {
  const repository = await findRepository(terminal.directory)
  const workflow = chooseWorkflow(flags.workflow)
  const action = checkAction(flags.action)
  const { model, baseUrl } = flags
  const settings = await loadSettings(repository.root, { model, baseUrl }, terminal)
  const folder = await openPlainFolder(repository.root)
  const files = await folder.paths()
  const around = await surveyRepository(files, folder.readTexts, settings)
  const known = knownAlready(flags, settings, terminal)
  const [issues, servers] = await Promise.all([
    countIssues(repository, terminal),
    needsServer(known, terminal) ? findServers(search) : [],
  ])
  showSurroundings(around, issues, servers, terminal)
  const isAsking = terminal.isTTY && flags.yes !== true
  const ask = isAsking ? askAtTerminal : null
  const answers = await askForAnswers(known, around, ask, servers[0])
  const proposed = initFiles({ ...answers, workflow, action, ci: around.workflows, files })
  const written = await writeMissing(repository, proposed, terminal)
  showNext(written, answers, settings, terminal)
  return 0
}

function chooseWorkflow(asked: string | undefined): WorkflowName {
  const found = workflowNames.find((name) => name === (asked ?? workflowNames[0]))
  if (found !== undefined) return found
  const names = workflowNames.join(', ')
  throw new ExecutorError('bad_usage', `--workflow must be one of ${names}, not ${asked}.`)
}

function checkAction(action: string | undefined): string | undefined {
  if (action === undefined) return undefined
  const isRemote = /^[\w.-]+\/[\w.-]+(?:\/[\w.-]+)*@[\w./-]+$/.test(action)
  if (isRemote || /^\.\/[\w./-]*$/.test(action)) return action
  const forms = 'owner/repo@ref, or ./folder for one in this repository'
  throw new ExecutorError('bad_usage', `--action takes ${forms}, not ${action}.`)
}

/** Values from a flag, the environment or a configuration, which need no question. */
function knownAlready(
  { baseUrl }: InitFlags,
  { model }: Settings,
  { environment }: Terminal,
): Pick<InitAnswers, 'model' | 'baseUrl'> {
  const isUsual = model.baseUrl === usualEndpoint
  const isGiven = baseUrl !== undefined || (environment.OPENAI_BASE_URL ?? '') !== ''
  return { model: model.name || null, baseUrl: isGiven || !isUsual ? model.baseUrl : null }
}

/** With a key or a model, the person has one already. */
const needsServer = (
  { model, baseUrl }: Pick<InitAnswers, 'model' | 'baseUrl'>,
  { environment }: Terminal,
): boolean => model === null && baseUrl === null && (environment.OPENAI_API_KEY ?? '') === ''

function showSurroundings(
  around: Surroundings,
  issues: string | null,
  servers: readonly LocalServer[],
  terminal: Terminal,
): void {
  const { language, tests, ci, roadmap } = around
  const found = [
    ['language', language && describeLanguage(language)],
    ['tests', tests.join(', ')],
    [
      'CI',
      ci.length > 3 ? `${ci.slice(0, 3).join(', ')} and ${ci.length - 3} more` : ci.join(', '),
    ],
    ['roadmap', roadmap && describeRoadmapFile(roadmap)],
    ['issues', issues],
    ...servers.map((server) => ['models', describeServer(server)] as const),
  ] as const
  for (const [name, what] of found) {
    if (what) terminal.say(`${terminal.paint('dim', name.padEnd(9))} ${what}`)
  }
}

/** A manifest alone names a language, too. */
const describeLanguage = ({ id, files }: NonNullable<Surroundings['language']>): string =>
  files === 0 ? nameOfLanguage(id) : `${nameOfLanguage(id)} (${countOf(files, 'file')})`

const describeRoadmapFile = ({
  path,
  open,
  tasks,
}: NonNullable<Surroundings['roadmap']>): string =>
  tasks === 0
    ? `${path}, without a list of tasks: executor lint says what it lacks`
    : `${path}, ${countOf(open, 'open task')} of ${tasks}`

/** Only if the repository is on GitHub and a token is available. */
async function countIssues(
  repository: UsersRepository,
  { environment }: Terminal,
): Promise<string | null> {
  const place = readRemote(await originOf(repository), environment)
  const token = place === null ? null : tokenFor(place, environment)
  if (place === null || token === null) return null
  const url = `${place.apiUrl}/repos/${place.owner}/${place.repo}/issues?state=open&per_page=100`
  try {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json' }
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(5000) })
    if (!answer.ok) return `GitHub answers ${answer.status}: the token does not show them`
    const found: unknown = await answer.json()
    if (!Array.isArray(found)) return null
    const count = found.filter((one) => Object(one).pull_request === undefined).length
    const many = found.length === 100 ? `${count} or more` : `${count}`
    return count === 0
      ? 'none open'
      : `${many} open; the label ${label.issue} on one makes it a task`
  } catch {
    return null
  }
}

/** Writes each missing file, and returns their paths. @throws ExecutorError `folder_unwritable` */
async function writeMissing(
  repository: UsersRepository,
  files: ReturnType<typeof initFiles>,
  { say, paint }: Terminal,
): Promise<readonly string[]> {
  const written: string[] = []
  for (const { path, text } of files) {
    const isNew = await writeNew(join(repository.root, path), text)
    if (isNew) written.push(path)
    say(`${isNew ? paint('green', 'wrote') : paint('dim', 'kept ')}     ${path}`)
  }
  if (written.length > 0) await excludeFromGit(repository, '.executor/')
  return written
}

async function writeNew(target: string, text: string): Promise<boolean> {
  try {
    await mkdir(dirname(target), { recursive: true })
  } catch (cause) {
    throw new ExecutorError('folder_unwritable', `${dirname(target)}: ${reasonOfDisk(cause)}`, {
      cause,
    })
  }
  try {
    await writeFile(target, text, { flag: 'wx' })
    return true
  } catch (cause) {
    if (errorCode(cause) === 'EEXIST') return false
    throw new ExecutorError('folder_unwritable', `${target}: ${reasonOfDisk(cause)}`, { cause })
  }
}

function showNext(
  written: readonly string[],
  answers: Awaited<ReturnType<typeof askForAnswers>>,
  settings: Settings,
  { environment, say, paint }: Terminal,
): void {
  const roadmap = answers.roadmap ?? 'ROADMAP.md'
  const url = answers.baseUrl ?? settings.model.baseUrl
  const isSample = written.includes('ROADMAP.md')
  const added = [...new Set([...written.map((path) => path.replace(/\/.*/, '')), roadmap])].join(
    ' ',
  )
  const steps = [
    ...(isSample ? [`Edit ${roadmap}: its two tasks are a sample.`] : []),
    ...(written.length > 0 ? [`git add ${added} && git commit -m "Add a roadmap"`] : []),
    ...(answers.model === null
      ? ['Name a model: model in .github/executor.yml, or OPENAI_MODEL.']
      : []),
    ...keyStep(url, environment),
    'executor doctor              tries the key, the model and the sandbox',
    'executor calibrate           measures what the model can do: a few minutes with a local one',
    'executor plan                shows the order and a forecast',
    'executor run --max-tasks 1   works on one task',
  ]
  say(paint('bold', '\nNext'))
  for (const [index, step] of steps.entries()) say(`  ${index + 1}. ${step}`)
  if (written.includes('.github/workflows/executor.yml') && isNearby(url)) {
    say(`
On GitHub: only a runner of your own reaches ${url}. For others, set base-url and api-key
in the workflow. Allow Actions to create pull requests (Settings → Actions → General).`)
  } else if (written.includes('.github/workflows/executor.yml')) {
    say(`
On GitHub: add the secret OPENAI_API_KEY, allow Actions to create pull requests
(Settings → Actions → General), and start the workflow "Roadmap executor".`)
  }
}

/** Names the key that the endpoint needs; empty for a local server. */
function keyStep(url: string, environment: Terminal['environment']): readonly string[] {
  if ((environment.OPENAI_API_KEY ?? '') !== '') return []
  if (isNearby(url)) return []
  const { hostname } = new URL(url)
  const local =
    hostname === 'api.openai.com'
      ? '\n     (A local server needs none: base-url: http://localhost:11434/v1)'
      : ''
  return [`export OPENAI_API_KEY=…      the key for ${hostname}${local}`]
}
