import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { ExecutorError } from '../../core/domain/errors.ts'
import { isRepositoryName } from '../../core/domain/repository-name.ts'
import type { TaskElsewhere } from '../../core/ports/elsewhere.ts'
import type { JobResult } from '../../core/ports/job-queue.ts'
import type { SetMembership } from '../../runs/pass.ts'
import {
  assembleWorkspace,
  isSameTask,
  type Repositories,
} from '../../runs/workspace/repositories.ts'
import { findWoken, type ServedRepository, serveSets } from '../../runs/workspace/serve-sets.ts'
import { readWorkspaceFile, setsOf } from '../config/read-workspace-file.ts'
import type { AppLog } from './app-log.ts'
import { appFolderOf } from './app-session.ts'
import {
  type JobServices,
  type Membership,
  openMemberPlace,
  orElse,
  readAsInstallation,
} from './open-place.ts'
import { mayRunHere } from './read-environment.ts'
import type { AppJob } from './receive-webhook.ts'

interface Place {
  readonly signal: AbortSignal
  readonly log: AppLog
}

/** The workspace of a repository; read when something is asked of it. */
export function joinWorkspace(
  own: string,
  home: string,
  services: JobServices,
  place: Place,
): Membership {
  let opened: ReturnType<typeof openAppWorkspace> | undefined
  const open = () => {
    opened ??= openAppWorkspace(home, own, services, place)
    return opened
  }
  return {
    look: (name) =>
      orElse<TaskElsewhere, TaskElsewhere>(
        async () => (await open()).workspace.doors.look(name),
        (reason) => ({ status: 'failed', reason }),
      ),
    sets: (id) =>
      orElse<SetMembership, SetMembership>(
        async () => {
          const { workspace, nameOf } = await open()
          const task = `${nameOf(own)}:${id}`
          const isSame = (each: string) => isSameTask(each, task)
          const set = workspace.sets.find(({ tasks }) => tasks.some(isSame))
          return set === undefined ? { status: 'alone' } : { status: 'member', task, set: set.name }
        },
        (reason) => ({ status: 'unknown', reason }),
      ),
    close: async () =>
      opened?.then(
        ({ workspace }) => workspace.doors.close(),
        () => {},
      ),
  }
}

/** Jobs that come from a workspace; the second starts tasks. */
const events = { look: 'workspace', run: 'workspace_run' } as const

/**
 * Returns the job that serves the workspace after one of its repositories did something. A run of all ready tasks continues
 * in the other repositories; one that a person asked for does not.
 */
export function passAfter(
  { id, event, payload }: AppJob,
  home: string,
  receivedAt: string,
): AppJob {
  const starts = event === events.run || (payload.kind === 'run' && payload.only === null)
  return {
    id: hash(`workspace ${home.toLowerCase()} ${id}`),
    // The installation may be another one.
    ...{ repository: home, installation: null, receivedAt },
    ...{ event: starts ? events.run : events.look, payload: { kind: 'workspace', starts } },
  }
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

/**
 * Merges the sets of a workspace that people approved, and starts the tasks whose needs in other repositories are done.
 * Leaves both to a later job of the same workspace that waits already.
 */
export async function serveWorkspace(
  { repository: home }: Pick<AppJob, 'repository'>,
  { starts }: Extract<AppJob['payload'], { readonly kind: 'workspace' }>,
  services: JobServices,
  place: Place,
): Promise<JobResult> {
  const { queue, clock } = services
  const jobs = await queue.list([home.toLowerCase()], 100)
  const covers = (event: string) => event === events.run || (!starts && event === events.look)
  if (jobs.some(({ event, state }) => state === 'waiting' && covers(event)))
    return { status: 'done' }
  const { workspace, fullNameOf } = await openAppWorkspace(home, null, services, place)
  try {
    const problems = await serveSets(workspace, (line) => place.log(line))
    for (const { repository: name, tasks } of starts ? await findWoken(workspace) : []) {
      const repository = fullNameOf(name)
      const words = tasks.map(({ id, fingerprint }) => `${id} ${fingerprint}`).join(' ')
      const payload = { kind: 'run', only: tasks.map(({ id }) => id), woken: true } as const
      await queue.enqueue({
        // Once for these words: a task that fails is not started again and again.
        id: hash(`woken ${repository.toLowerCase()} ${words}`),
        ...{ repository, installation: null, event: events.run, payload },
        receivedAt: clock.now(),
      })
    }
    return problems.length === 0
      ? { status: 'done' }
      : { status: 'failed', reason: problems.join(' ') }
  } finally {
    await workspace.doors.close()
  }
}

const file = 'workspace.yml'

/**
 * The workspace that a repository's `workspace.yml` names, on its default branch. Tells another repository nothing of a
 * file that does not name it.
 *
 * @param own the repository that asks: it must be one of the workspace; `null` for the workspace itself
 * @throws ExecutorError `config_invalid`, `workspace_invalid`
 */
async function openAppWorkspace(
  home: string,
  own: string | null,
  services: JobServices,
  { signal, log }: Place,
) {
  if (!mayRunHere(home, services.environment.localRepositories))
    throw wrong(home, 'EXECUTOR_LOCAL_REPOSITORIES does not name it')
  const stranger = wrong(home, `its ${file} does not name ${own}, or cannot be read`)
  const read = () => readWorkspace(home, services, log)
  const found = own === null ? await read() : await orElse(read, () => stranger)
  if (found instanceof ExecutorError) throw found
  const { sets, fullNames } = found
  const byName = new Map(fullNames)
  const nameOf = (fullName: string) =>
    fullNames.find(([, each]) => each.toLowerCase() === fullName.toLowerCase())?.[0] ?? null
  if (own !== null && nameOf(own) === null) throw stranger
  const folder = join(appFolderOf(splitName(own ?? home)), 'workspace')
  const repositories = fullNames.map(([name, fullName]) => ({
    ...{ name, root: `${services.environment.serverUrl}/${fullName}` },
    async open(): Promise<ServedRepository> {
      const place = await openMemberPlace(fullName, home, services, log)
      const { owner, repo } = place
      const own = join(folder, owner.toLowerCase(), repo.toLowerCase())
      const session = await services.openSession(place, own, { signal, apiKey: 'none' })
      // To load the state would take over an interrupted run.
      return { ...session, last: async () => null }
    },
  }))
  const workspace: Repositories<ServedRepository> = assembleWorkspace(repositories, sets)
  return { workspace, nameOf, fullNameOf: (name: string) => byName.get(name) ?? name }
}

async function readWorkspace(home: string, services: JobServices, log: AppLog) {
  const place = { repository: home, installation: null }
  const { branch } = await readAsInstallation(place, file, services, log)
  if (branch.text === null) throw wrong(home, `there is no ${file} on its default branch`)
  const read = readWorkspaceFile(`${home}/${file}`, branch.text)
  const fullNames = Object.entries(read.repositories).map(([name, place]) => {
    if (!isRepositoryName(place))
      throw wrong(home, `${name} is ${place}, and the App needs owner/name`)
    return [name, place] as const
  })
  return { sets: setsOf(read), fullNames }
}

const wrong = (home: string, detail: string) =>
  new ExecutorError('workspace_invalid', `${home}: ${detail}`)

function splitName(fullName: string) {
  const [owner = '', repo = ''] = fullName.split('/')
  return { owner, repo }
}
