import type { Scene } from './exchange.ts'
import { presentRepository } from './present/repository.ts'
import { presentUser } from './present/user.ts'

const alwaysStarts: ReadonlySet<string> = new Set(['workflow_dispatch', 'repository_dispatch'])

/** Notes a webhook about what `viewer` just did; the payload lacks only what every one has. */
export function tell(
  { store, repository, viewer }: Scene,
  name: string,
  payload: Readonly<Record<string, unknown>>,
): void {
  const { installationId } = repository.options
  store.webhooks.push({
    name,
    payload: {
      ...payload,
      repository: presentRepository(store, repository),
      sender: presentUser(store, viewer),
      ...(installationId === undefined
        ? {}
        : { installation: { id: installationId, node_id: `installation-${installationId}` } }),
    },
    startsWorkflows: viewer.login !== 'github-actions[bot]' || alwaysStarts.has(name),
  })
}
