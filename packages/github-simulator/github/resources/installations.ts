import { appPermissions, installationsOf, isGranted, issueToken } from '../app.ts'
import { type AppCall, type AppRoute, created, failure, notFound, ok } from '../exchange.ts'
import { paged } from '../paging.ts'
import { presentApp, presentInstallation } from '../present/installation.ts'
import { presentRepository } from '../present/repository.ts'
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

function installationOf({ store, parameters }: AppCall): readonly [number, readonly Repository[]] {
  const id = Number(parameters.installation_id)
  return [id, installationsOf(store).get(id) ?? []]
}
