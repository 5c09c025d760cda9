import { permissionFlags, permissionOf } from '../permissions.ts'
import type { Identity } from '../records.ts'
import type { Repository, Store } from '../store.ts'
import { nodeId, presentUser } from './user.ts'

export const repositoryUrl = (store: Store, { options }: Repository): string =>
  `${store.apiUrl}/repos/${options.owner}/${options.name}`

export const repositoryPage = (store: Store, { options }: Repository): string =>
  `${store.url}/${options.owner}/${options.name}`

/** GitHub's "repository", as it is in a pull request's head and base, and on its own. */
export function presentRepository(store: Store, repository: Repository): Record<string, unknown> {
  const { options, id, createdAt } = repository
  const openPulls = [...repository.pulls.values()].filter(({ state }) => state === 'open').length
  const page = repositoryPage(store, repository)
  return {
    id,
    node_id: nodeId('Repository', id),
    name: options.name,
    full_name: `${options.owner}/${options.name}`,
    owner: presentUser(store, repository.owner),
    private: options.private ?? false,
    html_url: page,
    description: null,
    fork: false,
    ...links(repositoryUrl(store, repository)),
    git_url: `${page.replace(/^http/, 'git')}.git`,
    ssh_url: `git@127.0.0.1:${options.owner}/${options.name}.git`,
    clone_url: `${page}.git`,
    svn_url: page,
    mirror_url: null,
    homepage: null,
    language: null,
    license: null,
    default_branch: repository.defaultBranch,
    ...{ forks: 0, forks_count: 0, watchers: 0, watchers_count: 0, stargazers_count: 0, size: 0 },
    ...{ open_issues: openPulls, open_issues_count: openPulls },
    ...{ has_issues: true, has_projects: false, has_wiki: false, has_pages: false },
    ...{
      is_template: false,
      topics: [],
      custom_properties: {},
      web_commit_signoff_required: false,
    },
    visibility: options.private === true ? 'private' : 'public',
    ...{ has_downloads: false, has_discussions: false, archived: false, disabled: false },
    created_at: createdAt,
    updated_at: createdAt,
    pushed_at: createdAt,
  }
}

/** What only `GET /repos/{owner}/{repo}` tells. An installation's token sees no permissions of its own. */
export function presentFullRepository(
  store: Store,
  repository: Repository,
  viewer: Identity | null,
): Record<string, unknown> {
  const { mergeMethods = ['merge', 'squash'] } = repository.options
  const level = viewer === null ? 'read' : permissionOf(repository, viewer)
  const permissions = permissionFlags(level === 'none' ? 'read' : level)
  return {
    ...presentRepository(store, repository),
    network_count: 0,
    subscribers_count: 0,
    allow_merge_commit: mergeMethods.includes('merge'),
    allow_squash_merge: mergeMethods.includes('squash'),
    allow_rebase_merge: mergeMethods.includes('rebase'),
    allow_auto_merge: repository.options.autoMerge ?? false,
    delete_branch_on_merge: repository.options.deleteBranchOnMerge ?? false,
    ...(viewer?.type === 'User' ? { permissions } : {}),
  }
}

function links(url: string): Record<string, string> {
  const paths = {
    archive: '/{archive_format}{/ref}',
    assignees: '/assignees{/user}',
    blobs: '/git/blobs{/sha}',
    branches: '/branches{/branch}',
    collaborators: '/collaborators{/collaborator}',
    comments: '/comments{/number}',
    commits: '/commits{/sha}',
    compare: '/compare/{base}...{head}',
    contents: '/contents/{+path}',
    contributors: '/contributors',
    deployments: '/deployments',
    downloads: '/downloads',
    events: '/events',
    forks: '/forks',
    git_commits: '/git/commits{/sha}',
    git_refs: '/git/refs{/sha}',
    git_tags: '/git/tags{/sha}',
    hooks: '/hooks',
    issue_comment: '/issues/comments{/number}',
    issue_events: '/issues/events{/number}',
    issues: '/issues{/number}',
    keys: '/keys{/key_id}',
    labels: '/labels{/name}',
    languages: '/languages',
    merges: '/merges',
    milestones: '/milestones{/number}',
    notifications: '/notifications{?since,all,participating}',
    pulls: '/pulls{/number}',
    releases: '/releases{/id}',
    stargazers: '/stargazers',
    statuses: '/statuses/{sha}',
    subscribers: '/subscribers',
    subscription: '/subscription',
    tags: '/tags',
    teams: '/teams',
    trees: '/git/trees{/sha}',
  }
  const entries = Object.entries(paths).map(([name, path]) => [`${name}_url`, `${url}${path}`])
  return { url, ...Object.fromEntries(entries) }
}
