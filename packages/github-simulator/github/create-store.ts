import { type AppOptions, createApp } from './app.ts'
import { createGit } from './git.ts'
import { numberOf } from './number-of.ts'
import type { Identity, Token } from './records.ts'
import {
  findPerson,
  type Person,
  type Repository,
  type RepositoryOptions,
  type Store,
} from './store.ts'

export interface StoreOptions {
  readonly url: string
  /** The owner of each token; one person may have several. */
  readonly tokens: Readonly<Record<string, Identity>>
  readonly app: AppOptions | undefined
  readonly clock: () => Date
}

/** A store without repositories. */
export function createStore({ url, tokens, app: options, clock }: StoreOptions): Store {
  const bot = options === undefined ? null : botOf(options.slug)
  const identities = [...Object.values(tokens), ...(bot === null ? [] : [bot])]
  const people = new Map<number, Person>()
  for (const { viaApp: _, ...identity } of identities) people.set(identity.id, identity)
  const known = new Map<string, Token>()
  for (const [token, { id, viaApp }] of Object.entries(tokens)) {
    const person = people.get(id)
    if (person === undefined) continue
    const speaker = viaApp === undefined ? person : { ...person, viaApp }
    known.set(token, { person: speaker, expiresAt: null, repositories: null })
  }
  let lastId = 1000
  const time = (): number => clock().getTime()
  return {
    url,
    apiUrl: `${url}/api/v3`,
    people: [...people.values()],
    tokens: known,
    app:
      options === undefined || bot === null ? null : createApp(options, people.get(bot.id) ?? bot),
    signedIn: null,
    codes: new Map(),
    repositories: [],
    webhooks: [],
    listeners: new Set(),
    used: 0,
    nextId: () => ++lastId,
    time,
    now: () => new Date(time()).toISOString().replace(/\.\d+Z$/, 'Z'),
  }
}

/** The app as an account; it has no role in repositories where it is not installed. */
const botOf = (slug: string): Identity => ({
  login: `${slug}[bot]`,
  id: numberOf(`${slug}[bot]`),
  type: 'Bot',
  permission: 'none',
})

export function addRepository(
  store: Store,
  options: RepositoryOptions,
  directory: string,
  defaultBranch: string,
): void {
  const repository: Repository = {
    options,
    owner: findPerson(store, options.owner) ?? {
      login: options.owner,
      id: numberOf(options.owner),
      type: 'User',
    },
    id: numberOf(`${options.owner}/${options.name}`),
    directory,
    git: createGit(directory),
    defaultBranch,
    createdAt: store.now(),
    ...{ permissions: new Map(), pulls: new Map(), issues: new Map(), comments: new Map() },
    ...{ reviews: new Map(), threads: new Map(), reviewComments: new Map() },
    ...{ checks: [], events: [], reactions: [], runs: [], dispatches: [] },
    ...{ figures: new Map(), asked: new Set(), labels: new Map() },
  }
  if (store.app !== null && options.installationId !== undefined) {
    repository.permissions.set(store.app.bot.id, 'write')
  }
  for (const [login, permission] of Object.entries(options.permissions ?? {})) {
    const person = findPerson(store, login)
    if (person === undefined) throw new Error(`There is no ${login} among the tokens.`)
    repository.permissions.set(person.id, permission)
  }
  store.repositories.push(repository)
}
