import { noteEdit, tellOfIssue } from '../changes/event.ts'
import { addLabels, setLabels } from '../changes/label.ts'
import { closeIssue, reopenIssue } from '../changes/state.ts'
import {
  type ActorCall,
  created,
  failure,
  notFound,
  ok,
  type Reply,
  type RepositoryCall,
  type Route,
  refusalTo,
  validationFailed,
} from '../exchange.ts'
import { paged } from '../paging.ts'
import { mayAt } from '../permissions.ts'
import { presentIssue } from '../present/issue.ts'
import type { Identity, Issue } from '../records.ts'
import { findIssue, findPerson, nextNumber, sameName } from '../store.ts'

const list = '/repos/{owner}/{repo}/issues'
const one = `${list}/{issue_number}`

interface IssueFields {
  readonly title?: string | number | null
  readonly body?: string | null
  readonly state?: 'open' | 'closed'
  readonly state_reason?: Issue['stateReason']
  readonly labels?: readonly (string | { readonly name?: string })[]
  readonly assignees?: readonly (string | { readonly login?: string })[]
}

export const issueRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: list,
    access: 'read',
    handle: (call) =>
      paged(call, chosen(call), (issue) => presentIssue(call.store, call.repository, issue)),
  },
  { method: 'POST', path: list, access: 'anyone', handle: create },
  {
    method: 'GET',
    path: one,
    access: 'read',
    handle({ store, repository, parameters }) {
      const issue = findIssue(repository, Number(parameters.issue_number))
      return issue === undefined ? notFound : ok(presentIssue(store, repository, issue))
    },
  },
  {
    method: 'PATCH',
    path: one,
    access: 'anyone',
    handle(call) {
      const issue = findIssue(call.repository, Number(call.parameters.issue_number))
      return issue === undefined ? notFound : update(call, issue)
    },
  },
]

/** What a list asks for, pull requests among it, in its order. */
function chosen({ repository, query }: RepositoryCall): readonly Issue[] {
  const { state = 'open', creator, assignee, since, sort = 'created', direction = 'desc' } = query
  const labels = query.labels?.split(',') ?? []
  const hasLabel = (issue: Issue, name: string): boolean =>
    issue.labels.some((label) => sameName(label, name))
  const ascending = [...repository.pulls.values(), ...repository.issues.values()]
    .filter((issue) => state === 'all' || issue.state === state)
    .filter((issue) => labels.every((name) => hasLabel(issue, name)))
    .filter((issue) => creator === undefined || sameName(issue.author.login, creator))
    .filter((issue) => assignee === undefined || isAssigned(issue, assignee))
    .filter((issue) => since === undefined || Date.parse(issue.updatedAt) >= Date.parse(since))
    .sort((a, b) => compare(repository, sort, a, b) || a.number - b.number)
  return direction === 'asc' ? ascending : ascending.toReversed()
}

function isAssigned({ assignees }: Issue, login: string): boolean {
  if (login === 'none') return assignees.length === 0
  if (login === '*') return assignees.length > 0
  return assignees.some((person) => sameName(person.login, login))
}

function compare(
  { comments }: RepositoryCall['repository'],
  sort: string,
  a: Issue,
  b: Issue,
): number {
  if (sort === 'updated') return a.updatedAt.localeCompare(b.updatedAt)
  if (sort === 'created') return a.createdAt.localeCompare(b.createdAt)
  const count = ({ number }: Issue): number =>
    [...comments.values()].filter(({ issue }) => issue === number).length
  return count(a) - count(b)
}

async function create(call: ActorCall): Promise<Reply> {
  const { store, repository, viewer } = call
  const { title, body = null, labels, assignees } = call.body as IssueFields
  if (title === undefined || `${title}` === '') {
    return validationFailed('Issue', { field: 'title', code: 'missing_field' })
  }
  const now = store.now()
  const mayTriage = mayAt('triage', repository, viewer)
  const issue: Issue = {
    ...{ id: store.nextId(), number: nextNumber(repository), author: viewer },
    ...{ title: `${title}`, body, state: 'open', stateReason: null, labels: [] },
    ...{ assignees: mayTriage ? peopleOf(call, assignees) : [] },
    ...{ createdAt: now, updatedAt: now, lastEditedAt: null, closedAt: null, closedBy: null },
  }
  repository.issues.set(issue.number, issue)
  await tellOfIssue(call, issue, 'opened')
  // GitHub drops, without a word, what its author may not set.
  if (mayTriage) await addLabels(call, issue, namesOf(labels))
  return created(presentIssue(store, repository, issue))
}

async function update(call: ActorCall, issue: Issue): Promise<Reply> {
  const { store, repository, viewer } = call
  const fields = call.body as IssueFields
  const mayTriage = mayAt('triage', repository, viewer)
  const isAuthor = issue.author.id === viewer.id
  const edits = fields.title !== undefined || fields.body !== undefined
  if (!isAuthor && !mayAt(edits ? 'write' : 'triage', repository, viewer)) {
    return failure(403, refusalTo(viewer))
  }
  if (edits) {
    const title =
      fields.title === undefined || fields.title === null ? issue.title : `${fields.title}`
    await noteEdit(call, issue, {
      title,
      body: fields.body === undefined ? issue.body : fields.body,
    })
  }
  if (mayTriage && fields.labels !== undefined) await setLabels(call, issue, namesOf(fields.labels))
  if (mayTriage && fields.assignees !== undefined)
    issue.assignees = peopleOf(call, fields.assignees)
  if (fields.state === 'closed' && issue.state === 'open') {
    await closeIssue(call, issue, fields.state_reason ?? 'completed')
  }
  if (fields.state === 'open' && issue.state === 'closed') {
    const refused = await reopenIssue(call, issue)
    if (refused !== null) return validationFailed('Issue', { message: refused })
  }
  issue.updatedAt = store.now()
  return ok(presentIssue(store, repository, issue))
}

const namesOf = (labels: IssueFields['labels'] = []): string[] =>
  labels.map((label) => (typeof label === 'string' ? label : (label.name ?? ''))).filter(Boolean)

function peopleOf(
  { store, repository }: RepositoryCall,
  assignees: IssueFields['assignees'] = [],
): Identity[] {
  return assignees
    .map((one) => findPerson(store, typeof one === 'string' ? one : (one.login ?? '')))
    .filter((one) => one !== undefined)
    .filter((one) => mayAt('triage', repository, one))
}
