import { repositoryPage } from '../present/repository.ts'
import { nodeId } from '../present/user.ts'
import type { Issue, Pull } from '../records.ts'
import { sameName } from '../store.ts'
import { connection, failed, type Page, type RestOfField } from './connection.ts'
import { issueObject, labelsIn, type Place, refObject } from './objects.ts'
import { pullObject } from './pull-objects.ts'

interface Listing extends Page {
  readonly labels?: readonly string[] | null
  readonly states?: readonly string[] | null
  readonly orderBy?: { readonly field: string; readonly direction: 'ASC' | 'DESC' } | null
}

interface PullListing extends Listing {
  readonly headRefName?: string | null
  readonly baseRefName?: string | null
}

interface IssueListing extends Listing {
  readonly filterBy?: {
    readonly assignee?: string | null
    readonly createdBy?: string | null
    readonly labels?: readonly string[] | null
    readonly since?: string | null
    readonly states?: readonly string[] | null
  } | null
}

export function repositoryObject(place: Place): object {
  const { store, repository } = place
  const { options, id, defaultBranch, git } = repository
  const { mergeMethods = ['merge', 'squash'] } = options
  const ref = async (name: string): Promise<object | null> => {
    const sha = (await git.refs()).get(name.startsWith('refs/') ? name : `refs/heads/${name}`)
    return sha === undefined ? null : refObject(place, name.replace(/^refs\/[^/]+\//, ''), sha)
  }
  return {
    __typename: 'Repository',
    id: nodeId('Repository', id),
    databaseId: id % 2 ** 31,
    name: options.name,
    nameWithOwner: `${options.owner}/${options.name}`,
    url: repositoryPage(store, repository),
    isPrivate: options.private ?? false,
    autoMergeAllowed: options.autoMerge ?? false,
    deleteBranchOnMerge: options.deleteBranchOnMerge ?? false,
    mergeCommitAllowed: mergeMethods.includes('merge'),
    squashMergeAllowed: mergeMethods.includes('squash'),
    rebaseMergeAllowed: mergeMethods.includes('rebase'),
    defaultBranchRef: () => ref(defaultBranch),
    ref: ({ qualifiedName }: { readonly qualifiedName: string }) => ref(qualifiedName),
    labels: labelsIn(repository),
    ...numbered(place),
    pullRequests: (listing: PullListing, ...rest: RestOfField) =>
      connection(pullsOf(place, listing), (pull) => pullObject(place, pull))(listing, ...rest),
    issues: (listing: IssueListing, ...rest: RestOfField) =>
      connection(issuesOf(place, listing), (issue) => issueObject(place, issue))(listing, ...rest),
  }
}

interface ByNumber {
  readonly number: number
}

function numbered(place: Place): object {
  const { pulls, issues } = place.repository
  const missing = (what: string, number: number) =>
    failed('NOT_FOUND', `Could not resolve to ${what} with the number of ${number}.`)
  return {
    pullRequest({ number }: ByNumber) {
      const pull = pulls.get(number)
      if (pull === undefined) throw missing('a PullRequest', number)
      return pullObject(place, pull)
    },
    issue({ number }: ByNumber) {
      const issue = issues.get(number)
      if (issue === undefined) throw missing('an Issue', number)
      return issueObject(place, issue)
    },
  }
}

function pullsOf({ repository }: Place, listing: PullListing): readonly Pull[] {
  const { states, headRefName, baseRefName } = listing
  const stateOf = (pull: Pull): string =>
    pull.merged === null ? pull.state.toUpperCase() : 'MERGED'
  const chosen = [...repository.pulls.values()]
    .filter((pull) => states == null || states.includes(stateOf(pull)))
    .filter((pull) => headRefName == null || pull.head === headRefName)
    .filter((pull) => baseRefName == null || pull.base === baseRefName)
    .filter((pull) => hasAny(pull, listing.labels))
  return inOrder(chosen, listing.orderBy)
}

function issuesOf({ repository }: Place, listing: IssueListing): readonly Issue[] {
  const filter = listing.filterBy ?? {}
  const states = filter.states ?? listing.states
  const { createdBy, assignee, since } = filter
  const chosen = [...repository.issues.values()]
    .filter((issue) => states == null || states.includes(issue.state.toUpperCase()))
    .filter((issue) => hasAny(issue, listing.labels) && hasAny(issue, filter.labels))
    .filter((issue) => createdBy == null || sameName(issue.author.login, createdBy))
    .filter((issue) => assignee == null || isAssigned(issue, assignee))
    .filter((issue) => since == null || Date.parse(issue.updatedAt) >= Date.parse(since))
  return inOrder(chosen, listing.orderBy)
}

const isAssigned = ({ assignees }: Issue, login: string): boolean =>
  assignees.some((person) => sameName(person.login, login))

/** Unlike REST's, GraphQL's labels are alternatives. */
const hasAny = (issue: Issue, names: readonly string[] | null | undefined): boolean =>
  names == null || issue.labels.some((label) => names.some((name) => sameName(name, label)))

/** Oldest first by default. */
function inOrder<T extends Issue>(items: readonly T[], orderBy: Listing['orderBy']): readonly T[] {
  const time = (item: T): string =>
    orderBy?.field === 'UPDATED_AT' ? item.updatedAt : item.createdAt
  const ascending = items.toSorted((a, b) => time(a).localeCompare(time(b)) || a.number - b.number)
  return orderBy?.direction === 'DESC' ? ascending.toReversed() : ascending
}
