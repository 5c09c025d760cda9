import { takeRegistration } from '../answer-web.ts'
import { appPermissions, installationsOf, isGranted, issueToken } from '../app.ts'
import {
  type AppCall,
  type AppRoute,
  type Call,
  created,
  failure,
  notFound,
  ok,
  type Reply,
  type TopRoute,
} from '../exchange.ts'
import { paged } from '../paging.ts'
import { mayAt } from '../permissions.ts'
import { presentApp, presentInstallation } from '../present/installation.ts'
import { presentRepository } from '../present/repository.ts'
import type { Identity } from '../records.ts'
import { findRepository, type Repository, sameName } from '../store.ts'

const one = '/app/installations/{installation_id}'

interface TokenRequest {
  readonly repositories?: readonly string[]
  readonly repository_ids?: readonly number[]
  readonly permissions?: Readonly<Record<string, string>>
}

/** What an app asks as itself, with a token it signed. */
export const installationRoutes: readonly AppRoute[] = [
  { method: 'GET', path: '/app', handleApp: ({ store, app }) => ok(presentApp(store, app)) },
  {
    method: 'GET',
    path: '/app/installations',
    handleApp(call) {
      const { store, app } = call
      const all = [...installationsOf(store)]
      return paged(call, all, ([id, [first]]) =>
        first === undefined ? null : presentInstallation(store, app, id, first),
      )
    },
  },
  {
    method: 'GET',
    path: one,
    handleApp(call) {
      const [id, [first]] = installationOf(call)
      return first === undefined
        ? notFound
        : ok(presentInstallation(call.store, call.app, id, first))
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/installation',
    handleApp({ store, app, parameters }) {
      const { owner = '', repo = '' } = parameters
      const repository = findRepository(store, owner, repo)
      const id = repository?.options.installationId
      if (repository === undefined || id === undefined) return notFound
      return ok(presentInstallation(store, app, id, repository))
    },
  },
  {
    method: 'POST',
    path: `${one}/access_tokens`,
    handleApp(call) {
      const { store, app } = call
      const [, all] = installationOf(call)
      if (all.length === 0) return notFound
      const { repositories: names, repository_ids: ids, permissions } = call.body as TokenRequest
      const chosen = all.filter(
        ({ options, id }) =>
          (names?.some((name) => sameName(name, options.name)) ?? true) &&
          (ids?.includes(id) ?? true),
      )
      if (chosen.length < (names?.length ?? ids?.length ?? 0)) {
        return failure(
          422,
          'There is at least one repository that does not exist or is not accessible to the parent installation.',
        )
      }
      if (permissions !== undefined && !isGranted(permissions)) {
        return failure(422, 'The permissions requested are not granted to this installation.')
      }
      const { token, expiresAt } = issueToken(store, app, chosen)
      const isNarrowed = names !== undefined || ids !== undefined
      return created({
        ...{ token, expires_at: expiresAt, permissions: permissions ?? appPermissions },
        repository_selection: 'selected',
        ...(isNarrowed ? { repositories: chosen.map((one) => presentRepository(store, one)) } : {}),
      })
    },
  },
]

/** What a person asks through an app, and the end of the manifest flow. */
export const personsInstallationRoutes: readonly TopRoute[] = [
  {
    method: 'POST',
    path: '/app-manifests/{code}/conversions',
    handleTop({ store, parameters }) {
      const registered = takeRegistration(store, parameters.code ?? '')
      if (registered === null || store.app === null) return notFound
      const { privateKey: pem, webhookSecret, clientId, clientSecret } = registered
      return created({
        ...presentApp(store, store.app),
        ...{ pem, webhook_secret: webhookSecret },
        ...{ client_id: clientId, client_secret: clientSecret },
      })
    },
  },
  {
    method: 'GET',
    path: '/user/installations',
    handleTop(call) {
      const { store, viewer } = call
      const { app } = store
      if (viewer === null || app === null) return failure(401, 'Requires authentication')
      const seen = [...installationsOf(store)].filter(([, all]) => all.some(seenBy(viewer)))
      const present = ([id, [first]]: (typeof seen)[number]) =>
        first === undefined ? null : presentInstallation(store, app, id, first)
      return countedPage(call, 'installations', seen, present)
    },
  },
  {
    method: 'GET',
    path: '/user/installations/{installation_id}/repositories',
    handleTop(call) {
      const { store, viewer, parameters } = call
      if (viewer === null) return failure(401, 'Requires authentication')
      const all = installationsOf(store).get(Number(parameters.installation_id)) ?? []
      const seen = all.filter(seenBy(viewer))
      if (seen.length === 0) return notFound
      return countedPage(call, 'repositories', seen, (one) => presentRepository(store, one))
    },
  },
  {
    method: 'GET',
    path: '/installation/repositories',
    handleTop(call) {
      const { store, scope } = call
      if (scope === null) return failure(403, 'Resource not accessible by integration')
      const covered = store.repositories.filter(({ id }) => scope.has(id))
      return countedPage(call, 'repositories', covered, (one) => presentRepository(store, one))
    },
  },
]

/** GitHub lists an installation to people who may read a repository in it by a role of their own. */
const seenBy = (viewer: Identity) => (repository: Repository) => mayAt('read', repository, viewer)

function countedPage<Item>(
  call: Call,
  name: string,
  items: readonly Item[],
  present: (item: Item) => unknown,
): Reply {
  const reply = paged(call, items, present)
  return { ...reply, body: { total_count: items.length, [name]: reply.body } }
}

function installationOf({ store, parameters }: AppCall): readonly [number, readonly Repository[]] {
  const id = Number(parameters.installation_id)
  return [id, installationsOf(store).get(id) ?? []]
}
