import { checksOf, rollupOf } from '../checks.ts'
import { issuePage } from '../present/issue.ts'
import { authorAssociation, nodeId } from '../present/user.ts'
import type { Comment, Identity, Issue, IssueEvent, Label } from '../records.ts'
import { ensureLabel, type Repository, type Store } from '../store.ts'
import { connection, type Page, type RestOfField } from './connection.ts'

/** A repository and where it is kept. */
export interface Place {
  readonly store: Store
  readonly repository: Repository
}

/** GraphQL marks a bot by its type, and omits `[bot]` from its login. */
export function actorObject({ store }: Pick<Place, 'store'>, person: Identity): object {
  return {
    __typename: person.type,
    id: nodeId('User', person.id),
    databaseId: person.id,
    login: person.login.replace(/\[bot\]$/, ''),
    url: `${store.url}/${encodeURIComponent(person.login)}`,
  }
}

export function commitObject({ repository }: Place, oid: string): object {
  const rollup = rollupOf(checksOf(repository, oid))
  return {
    __typename: 'Commit',
    id: `C_${oid}`,
    oid,
    statusCheckRollup: rollup === null ? null : { id: `SCR_${oid}`, state: rollup },
  }
}

export const refObject = (place: Place, name: string, sha: string): object => ({
  id: `REF_${name}`,
  name,
  refUpdateRule: () => ruleObject(place, name),
  target: commitObject(place, sha),
})

function ruleObject({ repository }: Place, name: string): object | null {
  const { requiredReviews = 0, requiredChecks = [], protectedBranches = [] } = repository.options
  const isDefault = name === repository.defaultBranch
  if (!isDefault || (requiredReviews === 0 && requiredChecks.length === 0)) {
    return protectedBranches.includes(name) ? { requiredApprovingReviewCount: null } : null
  }
  return {
    requiredApprovingReviewCount: requiredReviews,
    requiredStatusCheckContexts: requiredChecks,
  }
}

const labelsOf = (place: Place, { labels }: Issue) =>
  connection(
    labels.map((name) => ensureLabel(place.store, place.repository, name)),
    labelObject,
  )

export const labelsIn = ({ labels }: Repository) => connection([...labels.values()], labelObject)

const labelObject = ({ id, name, color }: Label): object => ({
  id: nodeId('Label', id),
  name,
  color,
})

/** The fields shared by everything that people write. */
export const textFields = (
  place: Place,
  text: Pick<Comment, 'id' | 'author' | 'createdAt' | 'updatedAt' | 'lastEditedAt'>,
): object => ({
  databaseId: text.id,
  fullDatabaseId: `${text.id}`,
  author: actorObject(place, text.author),
  authorAssociation: authorAssociation(place.repository, text.author),
  createdAt: text.createdAt,
  updatedAt: text.updatedAt,
  lastEditedAt: text.lastEditedAt,
})

/** The fields shared by issues and pull requests. */
export function issueFields(place: Place, issue: Issue): object {
  const comments = [...place.repository.comments.values()].filter(
    (comment) => comment.issue === issue.number,
  )
  return {
    ...textFields(place, issue),
    number: issue.number,
    title: issue.title,
    body: issue.body ?? '',
    closedAt: issue.closedAt,
    url: issuePage(place.store, place.repository, issue.number),
    labels: labelsOf(place, issue),
    assignees: connection(issue.assignees, (person) => actorObject(place, person)),
    comments: connection(comments, (comment) => commentObject(place, comment)),
  }
}

export const issueObject = (place: Place, issue: Issue): object => ({
  __typename: 'Issue',
  id: nodeId('Issue', issue.id),
  ...issueFields(place, issue),
  state: issue.state.toUpperCase(),
  stateReason: issue.stateReason?.toUpperCase() ?? null,
  timelineItems(asked: TimelinePage, ...rest: RestOfField) {
    const chosen = place.repository.events
      .filter((one) => one.issue === issue.number && one.event in timelineTypes)
      .filter(({ event }) => asked.itemTypes?.includes(timelineTypes[event] ?? '') ?? true)
    return connection(chosen, (event) => timelineObject(place, event))(asked, ...rest)
  },
})

interface TimelinePage extends Page {
  readonly itemTypes?: readonly string[] | null
}

/** Those that this server shows. */
const timelineTypes: Readonly<Partial<Record<IssueEvent['event'], string>>> = {
  labeled: 'LABELED_EVENT',
  unlabeled: 'UNLABELED_EVENT',
  renamed: 'RENAMED_TITLE_EVENT',
}

function timelineObject(place: Place, { id, event, actor, createdAt, label, rename }: IssueEvent) {
  const common = { id: nodeId('LabeledEvent', id), actor: actorObject(place, actor), createdAt }
  if (rename !== undefined) {
    const titles = { previousTitle: rename.from, currentTitle: rename.to }
    return { __typename: 'RenamedTitleEvent', ...common, ...titles }
  }
  return {
    __typename: event === 'labeled' ? 'LabeledEvent' : 'UnlabeledEvent',
    ...common,
    label: labelObject(ensureLabel(place.store, place.repository, label ?? '')),
  }
}

const commentObject = (place: Place, comment: Comment): object => ({
  __typename: 'IssueComment',
  id: nodeId('IssueComment', comment.id),
  ...textFields(place, comment),
  body: comment.body,
  url: `${issuePage(place.store, place.repository, comment.issue)}#issuecomment-${comment.id}`,
})
