import { appPermissions } from '../app.ts'
import type { App } from '../records.ts'
import type { Repository, Store } from '../store.ts'
import { botEvents } from '../webhooks.ts'
import { presentUser } from './user.ts'

export function presentApp(store: Store, app: App): Record<string, unknown> {
  const since = store.repositories[0]?.createdAt ?? store.now()
  return {
    id: app.id,
    slug: app.slug,
    node_id: `A_${app.id}`,
    owner: presentUser(store, app.bot),
    name: app.slug,
    description: null,
    external_url: store.url,
    html_url: `${store.url}/apps/${app.slug}`,
    created_at: since,
    updated_at: since,
    permissions: appPermissions,
    events: botEvents,
  }
}

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
