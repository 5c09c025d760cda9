import { createHash } from 'node:crypto'
import { createGit, type Git } from './git.ts'

export interface Identity {
  readonly login: string
  readonly id: number
  readonly type: 'User' | 'Bot'
  /** In every repository; an owner is `admin`, anyone else `write` when not given. */
  readonly permission?: 'admin' | 'write' | 'read'
}

export interface RepositoryOptions {
  readonly owner: string
  readonly name: string
  /** An existing bare repository; without one, a new one is made below the server's root. */
  readonly directory?: string
  /** The first commit of a new repository, by path. */
  readonly seed?: { readonly files: Readonly<Record<string, string>> }
  /** The setting that GitHub has off in new repositories; on here unless `false`. */
  readonly actionsMayCreatePullRequests?: boolean
  /** Branches that take no push (GH006). */
  readonly protectedBranches?: readonly string[]
  /** `false` where the plan has no draft pull requests. */
  readonly draftPullRequests?: boolean
}

export interface Label {
  readonly id: number
  readonly name: string
  readonly color: string
  readonly description: string
}

export interface Comment {
  readonly id: number
  readonly issue: number
  readonly author: Identity
  body: string
  readonly createdAt: string
  updatedAt: string
}

/** A pull request; on GitHub it is an issue too, and shares the issues' numbers. */
export interface Pull {
  readonly id: number
  readonly number: number
  readonly author: Identity
  readonly createdAt: string
  /** Branch names, and the commits they had when last seen. */
  readonly head: string
  headSha: string
  base: string
  baseSha: string
  title: string
  body: string | null
  draft: boolean
  state: 'open' | 'closed'
  labels: string[]
  assignees: Identity[]
  reviewers: Identity[]
  updatedAt: string
  closedAt: string | null
  merged: { readonly at: string; readonly by: Identity; readonly sha: string } | null
}

export interface Repository {
  readonly options: RepositoryOptions
  readonly owner: Identity
  readonly id: number
  readonly directory: string
  readonly git: Git
  readonly createdAt: string
  readonly pulls: Map<number, Pull>
  readonly comments: Map<number, Comment>
  /** By lower-case name: GitHub's labels differ by more than case. */
  readonly labels: Map<string, Label>
}

/** All that is not in git. Times are GitHub's: whole seconds, UTC. */
export interface Store {
  /** `http://127.0.0.1:port`. */
  readonly url: string
  readonly apiUrl: string
  readonly people: readonly Identity[]
  readonly repositories: readonly Repository[]
  /** Requests against the hourly limit so far. */
  used: number
  nextId(): number
  now(): string
}

export function createStore(
  url: string,
  people: readonly Identity[],
): Store & { add(options: RepositoryOptions, directory: string): Repository } {
  const repositories: Repository[] = []
  let lastId = 1000
  const store: Store = {
    url,
    apiUrl: `${url}/api/v3`,
    people,
    repositories,
    used: 0,
    nextId: () => ++lastId,
    now: () => new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
  }
  const add = (options: RepositoryOptions, directory: string): Repository => {
    const repository: Repository = {
      options,
      owner: people.find((person) => sameName(person.login, options.owner)) ?? {
        login: options.owner,
        id: numberOf(options.owner),
        type: 'User',
      },
      id: numberOf(`${options.owner}/${options.name}`),
      directory,
      git: createGit(directory),
      createdAt: store.now(),
      pulls: new Map(),
      comments: new Map(),
      labels: new Map(),
    }
    repositories.push(repository)
    return repository
  }
  return Object.assign(store, { add })
}

/** Names on GitHub differ by more than case. */
export const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

export function findRepository(store: Store, owner: string, name: string): Repository | undefined {
  return store.repositories.find(
    ({ options }) => sameName(options.owner, owner) && sameName(options.name, name),
  )
}

export function permissionOf(repository: Repository, person: Identity): 'admin' | 'write' | 'read' {
  const isOwner = sameName(person.login, repository.options.owner)
  return person.permission ?? (isOwner ? 'admin' : 'write')
}

/** The label of this name, made when it is missing, as GitHub does on adding one to an issue. */
export function ensureLabel(store: Store, repository: Repository, name: string): Label {
  const known = repository.labels.get(name.toLowerCase())
  if (known !== undefined) return known
  const label: Label = { id: store.nextId(), name, color: 'ededed', description: '' }
  repository.labels.set(name.toLowerCase(), label)
  return label
}

/** The same name has the same number on every server. */
function numberOf(name: string): number {
  return createHash('sha256').update(name.toLowerCase()).digest().readUIntBE(0, 4) + 1
}
