/** What GitHub says of the repository and of the people in it. */
import type { Author, Labelling, Permission } from '../../core/ports/discussion.ts'
import type { GitHubRepository } from './client.ts'
import { isRequestFailure, orNull, reasonOf } from './failure.ts'
import type { Nodes } from './pages.ts'
import { sameName } from './pull.ts'
import { actorFields, authorOfGraphql, type GraphqlActor } from './remarks.ts'

export interface DefaultBranch {
  readonly name: string
  /** The file's text there; `null` without such a file. */
  readonly text: string | null
  /** GitHub's time when it was asked, ISO 8601 in whole seconds: ours may be wrong. */
  readonly at: string
}

/** A small file as the default branch has it: what a pull request says does not count. */
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

/** A variable of the repository; a workflow's own token may not read them. */
export async function readVariable(
  { octokit, target }: GitHubRepository,
  name: string,
): Promise<string | null> {
  const found = await orNull(octokit.actions.getRepoVariable({ ...target, name }), 403, 404)
  return found?.data.value ?? null
}

/** Logins as GitHub gives them, those of bots and of managed accounts included. */
const login = /^[\w-]{1,100}(\[bot\])?$/

const permissions: readonly string[] = ['admin', 'maintain', 'write', 'triage', 'read', 'none']
const isPermission = (name: string | undefined): name is Permission =>
  name !== undefined && permissions.includes(name)

/**
 * What a person may do here, as GitHub says now; a role of an organisation's own making counts as
 * the permission it is built on. An odd answer, and any error, is `unknown`.
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
    log(`What ${person.login} may do is unknown: ${reason}`)
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
  /** Not where it got another title. */
  readonly label?: { readonly name: string }
  readonly actor?: GraphqlActor | null
}

interface LabelledIssue {
  readonly labels: Nodes<{ readonly name: string }> | null
  readonly timelineItems: Nodes<TimelineItem>
}

/** The last time that a label which is on it was put on; `null` also beyond its 100 last labels and titles. */
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
