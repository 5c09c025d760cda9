import { createHash } from 'node:crypto'
import type { FileChange } from '../../../packages/change/change.ts'
import { trailer } from '../../core/domain/identity.ts'
import type { PullRequestDraft } from '../../core/ports/forge.ts'
import type { Ports } from '../../core/ports.ts'
import { openPullRequest, pushCommit } from './publish-attempt.ts'

type Needs = Pick<Ports, 'workspace' | 'forge' | 'settings'>

/** The only branch that is written; a person merges it. */
const routingBranch = 'executor/routing'

/** An edit of the configuration, and the words that propose it. */
export interface ConfigProposal {
  readonly path: string
  /** Returns the new text; `null` when the file says so already. */
  readonly edit: (text: string) => string | null
  readonly title: string
  readonly body: string
}

export type ProposedConfig =
  | { readonly status: 'proposed'; readonly url: string }
  | { readonly status: 'unchanged' }
  | { readonly status: 'refused'; readonly reason: string }

/**
 * Proposes the edit as one commit on `executor/routing` with its pull request. A second call with the same edit writes
 * nothing; another edit grows the branch and updates the pull request.
 */
export async function proposeConfig(
  proposal: ConfigProposal,
  ports: Needs,
): Promise<ProposedConfig> {
  const { path, title, body } = proposal
  const { base, branches } = await ports.workspace.refresh()
  if (base.branch === routingBranch) return refused(`${routingBranch} is the default branch`)
  const before = (await ports.workspace.readFiles(base.sha, [path])).get(path)
  const content = proposal.edit(before ?? '')
  if (content === null) return { status: 'unchanged' }
  const hash = createHash('sha256').update(`${path}\n${content}`).digest('hex')
  const tip = branches.find(({ name }) => name === routingBranch)
  if (tip !== undefined && tip.trailers[trailer.proposal] === undefined) {
    return refused(
      `the executor did not write the last commit on ${routingBranch}: rename or delete the branch`,
    )
  }
  const isThere = tip?.trailers[trailer.proposal] === hash
  if (!isThere || !(await ports.workspace.contains(tip.sha, base.sha))) {
    const change: FileChange =
      before === undefined
        ? { action: 'create', path, content }
        : { action: 'modify', path, before, content }
    const message = `${title}\n\n${body}\n\n${trailer.proposal}: ${hash}\n`
    const next = { branch: routingBranch, onto: base.sha, head: tip?.sha ?? null, message }
    const { result } = await pushCommit({ ...next, changes: [change] }, ports)
    if (result.status === 'moved') return refused(`someone else moved ${routingBranch}`)
    if (result.status === 'refused') return refused(result.detail)
  }
  const draft: Omit<PullRequestDraft, 'reviewers' | 'assignees'> = {
    ...{ head: routingBranch, base: base.branch, title, body, labels: [], draft: false },
  }
  const opened = await openPullRequest(draft, { id: '' }, ports)
  if (opened.status === 'refused') return refused(opened.error.message)
  return { status: 'proposed', url: opened.pullRequest?.url ?? routingBranch }
}

const refused = (reason: string): ProposedConfig => ({ status: 'refused', reason })
