/** Facts about the repository and its people. */
import type { Author, Labelling, Permission } from '../../core/ports/discussion.ts'
import type { GitHubRepository } from './client.ts'
import { isRequestFailure, orNull, reasonOf } from './failure.ts'
import type { Nodes } from './pages.ts'
import { sameName } from './pull.ts'
import { actorFields, authorOfGraphql, type GraphqlActor } from './remarks.ts'

export interface DefaultBranch {
  readonly name: string
  /** The file's text on that branch; `null` without the file. */
  readonly text: string | null
  /** GitHub's time of the request, ISO 8601 in whole seconds: the local clock may be wrong. */
  readonly at: string
}

/** Reads a small file from the default branch: the pull request's version does not count. */
export async function readDefaultBranch(
  { octokit, target, clock }: GitHubRepository,
  path: string,
): Promise<DefaultBranch> {
  const { data, headers } = await octokit.repos.get(target)
  const at = new Date(headers.date ?? clock.now()).toISOString().replace(/\.\d+Z$/, 'Z')
  const name = data.default_branch
  const found = await orNull(octokit.repos.getContent({ ...target, path, ref: name }), 404)
  const file = found?.data
  const isFile = file && !Array.isArray(file) && file.type === 'file' && 'content' in file
  return { name, text: isFile ? Buffer.from(file.content, 'base64').toString() : null, at }
}

/** Reads a repository variable; a workflow's own token may not. */
export async function readVariable(
  { octokit, target }: GitHubRepository,
  name: string,
): Promise<string | null> {
  const found = await orNull(octokit.actions.getRepoVariable({ ...target, name }), 403, 404)
  return found?.data.value ?? null
}

/** Logins as GitHub writes them, including those of bots and managed accounts. */
const login = /^[\w-]{1,100}(\[bot\])?$/

const permissions: readonly string[] = ['admin', 'maintain', 'write', 'triage', 'read', 'none']
const isPermission = (name: string | undefined): name is Permission =>
  name !== undefined && permissions.includes(name)

/**
 * Reads a person's current permission; a custom organisation role counts as the permission that it
 * is based on. Any error or unexpected answer is `unknown`.
 */
export async function readPermission(
  { octokit, target, log }: GitHubRepository,
  person: Author,
): Promise<Permission> {
  if (!login.test(person.login)) return 'unknown'
  try {
    const asked = { ...target, username: person.login }
    const { data } = await octokit.repos.getCollaboratorPermissionLevel(asked)
    if (data.user?.id !== person.id) return 'unknown'
    return [data.role_name, data.permission].find(isPermission) ?? 'unknown'
  } catch (error) {
    const reason = isRequestFailure(error) ? reasonOf(error) : error
    log(`The permission of ${person.login} is unknown: ${reason}`)
    return 'unknown'
  }
}

const labellings = `query labelling($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) {
    issue(number: $number) {
      labels(first: 100) { nodes { name } }
      timelineItems(last: 100, itemTypes: [LABELED_EVENT, RENAMED_TITLE_EVENT]) {
        nodes {
          ... on LabeledEvent { createdAt label { name } actor { ${actorFields} } }
          ... on RenamedTitleEvent { createdAt }
        }
      }
    }
  }
}`

interface TimelineItem {
  readonly createdAt: string
  /** Absent for a title change. */
  readonly label?: { readonly name: string }
  readonly actor?: GraphqlActor | null
}

interface LabelledIssue {
  readonly labels: Nodes<{ readonly name: string }> | null
  readonly timelineItems: Nodes<TimelineItem>
}

/** The last time a present label was set; `null` if that is not among the last 100 events. */
export async function readLabelling(
  { ask, target }: GitHubRepository,
  number: number,
  name: string,
): Promise<Labelling | null> {
  const asked = ask<{ repository: { issue: LabelledIssue } }>(labellings, { ...target, number })
  const found = await orNull(asked, 404)
  const { labels, timelineItems } = found?.repository.issue ?? {}
  if (!labels?.nodes.some((one) => sameName(one.name, name))) return null
  const nodes = timelineItems?.nodes ?? []
  const event = nodes.findLast(({ label }) => label && sameName(label.name, name))
  const renamed = nodes.findLast(({ label }) => label === undefined)
  if (event === undefined) return null
  const by = authorOfGraphql(event.actor ?? null)
  return { by, at: event.createdAt, renamedAt: renamed?.createdAt ?? null }
}
