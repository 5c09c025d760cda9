import { noteCheck } from './changes/check.ts'
import { deleteHeadBranch } from './changes/delete-branch.ts'
import type { Check, CheckAnnotation, Permission, WebhookEvent, WorkflowRun } from './records.ts'
import { type RepositoryState, viewState } from './repository-state.ts'
import type { Running } from './running.ts'
import {
  findPerson,
  findRepository,
  type Person,
  type Repository,
  type RepositoryOptions,
} from './store.ts'

export interface CheckReport {
  /** A commit, a branch, or a pull request's number. */
  readonly on: string | number
  readonly name: string
  readonly outcome: Check['outcome']
  /** A check run by default. */
  readonly kind?: Check['kind']
  /** The app of a check run; Actions by default. */
  readonly app?: string
  /** Of the workflow run that reports it. */
  readonly suite?: number
  readonly annotations?: readonly CheckAnnotation[]
  /** What its job prints. */
  readonly log?: string
}

/** What a test can do to a server that no client could, or only elsewhere. */
export interface Controls {
  state(owner: string, name: string): Promise<RepositoryState>
  /** Subscribes to future webhooks; call the result to unsubscribe. */
  onEvent(listener: (event: WebhookEvent) => void): () => void
  /** Renames a person; the id stays, and others may take the old login. */
  rename(login: string, newLogin: string): void
  /** From now on, this person answers GitHub's own pages, and agrees; `null` signs out. */
  signIn(login: string | null): void
  setPermission(owner: string, name: string, login: string, permission: Permission): void
  /** Changes a repository's settings during a test, as its owner does. */
  configure(owner: string, name: string, change: Partial<RepositoryOptions>): void
  /** Reports a check of a commit, a branch's head or a pull request's head, as CI does. */
  setCheck(owner: string, name: string, check: CheckReport): Promise<void>
  /** Presses the button that deletes a merged pull request's branch, which affects others. */
  pressDeleteBranch(owner: string, name: string, number: number): Promise<void>
  /** Records a workflow run as Actions does at its start; its checks share the `suite`. */
  startRun(
    owner: string,
    name: string,
    run: Pick<WorkflowRun, 'path' | 'event' | 'branch'> & Partial<Pick<WorkflowRun, 'at'>>,
  ): Promise<Pick<WorkflowRun, 'id' | 'suite'>>
  /** Marks the run as completed. */
  endRun(owner: string, name: string, id: number): void
}

export function createControls(running: Running): Controls {
  const { store } = running
  const find = (owner: string, name: string): Repository => {
    const repository = findRepository(store, owner, name)
    if (repository === undefined) throw new Error(`There is no repository ${owner}/${name} here.`)
    return repository
  }
  return {
    async state(owner, name) {
      const repository = find(owner, name)
      return running.inTurn(() => viewState(store, repository))
    },
    onEvent(listener) {
      store.listeners.add(listener)
      return () => store.listeners.delete(listener)
    },
    rename(login, newLogin) {
      personOf(running, login).login = newLogin
    },
    signIn(login) {
      store.signedIn = login === null ? null : personOf(running, login)
    },
    setPermission(owner, name, login, permission) {
      find(owner, name).permissions.set(personOf(running, login).id, permission)
    },
    configure(owner, name, change) {
      const repository = find(owner, name)
      repository.options = { ...repository.options, ...change }
    },
    setCheck: (owner, name, check) => setCheck(running, find(owner, name), check),
    async pressDeleteBranch(owner, name, number) {
      const repository = find(owner, name)
      const pull = repository.pulls.get(number)
      if (pull === undefined || pull.merged === null) throw new Error(`#${number} is not merged.`)
      const scene = { store, repository, viewer: repository.owner }
      await running.inTurn(() => deleteHeadBranch(scene, pull))
    },
    async startRun(owner, name, { path, event, branch, at = store.now() }) {
      const repository = find(owner, name)
      const sha = (await repository.git.resolve(branch)) ?? ''
      const run: WorkflowRun = {
        ...{ id: store.nextId(), path, event, branch, sha, inputs: {} },
        ...{ suite: store.nextId(), actor: repository.owner, at, isOver: false },
      }
      repository.runs.push(run)
      return { id: run.id, suite: run.suite }
    },
    endRun(owner, name, id) {
      const run = find(owner, name).runs.find((each) => each.id === id)
      if (run === undefined) throw new Error(`There is no run ${id} here.`)
      run.isOver = true
    },
  }
}

async function setCheck(
  { store, inTurn }: Running,
  repository: Repository,
  {
    on,
    name,
    outcome,
    kind = 'check_run',
    app = 'github-actions',
    suite = 0,
    ...more
  }: CheckReport,
): Promise<void> {
  const pull = typeof on === 'number' ? repository.pulls.get(on) : undefined
  const sha = pull?.headSha ?? (await repository.git.resolve(`${on}`))
  if (sha === null) throw new Error(`There is no commit ${on} here.`)
  const scene = { store, repository, viewer: repository.owner }
  const { annotations = [], log } = more
  const output = kind === 'status' ? null : { externalId: null, title: null, annotations }
  const from = { app: kind === 'status' ? null : app, suite, description: null, output, log }
  await inTurn(() => noteCheck(scene, { kind, sha, name, outcome, ...from }))
}

function personOf({ store }: Running, login: string): Person {
  const person = findPerson(store, login)
  if (person === undefined) throw new Error(`There is no ${login} here.`)
  return person
}
