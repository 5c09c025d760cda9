import { addLabels, removeLabel } from '../changes/label.ts'
import { created, failure, notFound, ok, type Route, validationFailed } from '../exchange.ts'
import { paged } from '../paging.ts'
import { presentLabel, presentLabels } from '../present/issue.ts'
import type { Label } from '../records.ts'
import { findIssue } from '../store.ts'

const root = '/repos/{owner}/{repo}'
const ofIssue = `${root}/issues/{issue_number}/labels`

export const labelRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: `${root}/labels`,
    access: 'read',
    handle: (call) =>
      paged(call, [...call.repository.labels.values()], (label) =>
        presentLabel(call.store, call.repository, label),
      ),
  },
  {
    method: 'POST',
    path: `${root}/labels`,
    access: 'write',
    handle({ store, repository, body }) {
      const { name, color = 'ededed', description = '' } = body as Omit<Label, 'id'>
      if (repository.labels.has(name.toLowerCase())) {
        return validationFailed('Label', { field: 'name', code: 'already_exists' })
      }
      const label: Label = { id: store.nextId(), name, color, description }
      repository.labels.set(name.toLowerCase(), label)
      return created(presentLabel(store, repository, label))
    },
  },
  {
    method: 'GET',
    path: `${root}/labels/{name}`,
    access: 'read',
    handle({ store, repository, parameters }) {
      const label = repository.labels.get((parameters.name ?? '').toLowerCase())
      return label === undefined ? notFound : ok(presentLabel(store, repository, label))
    },
  },
  {
    method: 'GET',
    path: ofIssue,
    access: 'read',
    handle(call) {
      const { store, repository, parameters } = call
      const issue = findIssue(repository, Number(parameters.issue_number))
      if (issue === undefined) return notFound
      return paged(call, presentLabels(store, repository, issue), (label) => label)
    },
  },
  {
    // Makes labels that are missing, which GitHub's documentation does not say (github/docs#35718).
    method: 'POST',
    path: ofIssue,
    access: 'triage',
    async handle(call) {
      const issue = findIssue(call.repository, Number(call.parameters.issue_number))
      if (issue === undefined) return notFound
      const { labels = [] } = call.body as { labels?: (string | { name: string })[] }
      const names = labels.map((label) => (typeof label === 'string' ? label : label.name))
      await addLabels(call, issue, names)
      return ok(presentLabels(call.store, call.repository, issue))
    },
  },
  {
    method: 'DELETE',
    path: `${ofIssue}/{name}`,
    access: 'triage',
    async handle(call) {
      const issue = findIssue(call.repository, Number(call.parameters.issue_number))
      if (issue === undefined) return notFound
      const removed = await removeLabel(call, issue, call.parameters.name ?? '')
      if (!removed) return failure(404, 'Label does not exist')
      return ok(presentLabels(call.store, call.repository, issue))
    },
  },
]
