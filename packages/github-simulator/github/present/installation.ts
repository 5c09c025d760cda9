import { appPermissions } from '../app.ts'
import { numberOf } from '../number-of.ts'
import type { App, Identity } from '../records.ts'
import type { Repository, Store } from '../store.ts'
import { botEvents } from '../webhooks.ts'
import { presentUser } from './user.ts'

/** An app by its slug. */
export function presentIntegration(store: Store, slug: string): Record<string, unknown> {
  const since = '2020-01-01T00:00:00Z'
  const id = numberOf(slug)
  return {
    ...{ id, slug, node_id: `A_${id}`, name: slug, description: null },
    owner: presentUser(store, { login: 'github', id: 9919, type: 'User' }),
    external_url: store.url,
    html_url: `${store.url}/apps/${slug}`,
    ...{ created_at: since, updated_at: since },
    permissions: appPermissions,
    events: botEvents,
  }
}

/** The app that a person wrote through, or a bot's own app; `null` for a person. */
export function presentVia(
  store: Store,
  { login, type, viaApp }: Identity,
): Record<string, unknown> | null {
  const slug = type === 'Bot' ? login.replace(/\[bot\]$/, '') : viaApp
  return slug === undefined ? null : presentIntegration(store, slug)
}

export const presentApp = (store: Store, app: App): Record<string, unknown> => ({
  ...presentIntegration(store, app.slug),
  id: app.id,
})

/** One installation, by one of the repositories it has. */
export function presentInstallation(
  store: Store,
  app: App,
  id: number,
  { owner, createdAt }: Repository,
): Record<string, unknown> {
  return {
    id,
    account: presentUser(store, owner),
    repository_selection: 'selected',
    access_tokens_url: `${store.apiUrl}/app/installations/${id}/access_tokens`,
    repositories_url: `${store.apiUrl}/installation/repositories`,
    html_url: `${store.url}/settings/installations/${id}`,
    app_id: app.id,
    app_slug: app.slug,
    target_id: owner.id,
    target_type: owner.type,
    permissions: appPermissions,
    events: botEvents,
    created_at: createdAt,
    updated_at: createdAt,
    single_file_name: null,
    suspended_by: null,
    suspended_at: null,
  }
}
