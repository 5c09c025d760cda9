import { issueTasks } from '../../../packages/roadmap/roadmap.ts'
import { checkPath } from '../../../packages/text/text.ts'
import type { AdoptedIssue, Answer, Choice, Feedback, Grant } from '../../core/domain/answer.ts'
import { taskIdOfBranch, taskIdOfRecoveryBranch } from '../../core/domain/branches.ts'
import { readGrants } from '../../core/domain/hidden-lines.ts'
import type { Asked, RunState } from '../../core/domain/run-state.ts'
import type { RemarkRef } from '../../core/ports/discussion.ts'
import type { PullRequest } from '../../core/ports/forge.ts'
import { writeOutcome } from '../../publish/report/write-replies.ts'
import { loadAdopted } from '../issues/adopted-issues.ts'
import { nothingAsked } from '../new-run.ts'
import {
  type CommandContext,
  loginText,
  type Order,
  type Ordered,
  type PullTarget,
  refused,
  type Services,
} from '../pass.ts'

interface Given {
  readonly answer?: Answer | undefined
  readonly feedback?: Feedback | undefined
  readonly grants?: readonly Grant[] | undefined
  readonly threads?: readonly RemarkRef[]
}

/** Requests a run on the pull request's task alone, with the remark and all earlier grants. */
export async function runTask(
  { target, remark }: Order<PullTarget>,
  context: CommandContext,
  { ports }: Services,
  { answer, feedback, grants, threads = [] }: Given,
): Promise<Ordered> {
  const { id, pull } = target
  if (pull.state === 'merged') return refused('This is already merged.')
  return {
    status: 'run',
    only: [id],
    asked: await askedOn(pull, { answer, feedback, grants }, context, ports),
    threads,
    reply: (state: RunState) => writeOutcome(state, [id], loginText(remark.author)),
  }
}

/** What a run on the task of one of our pull requests is asked, by default with all earlier grants. */
export async function askedOn(
  pull: PullRequest,
  { answer, feedback, grants = grantsOf({ pull }) }: Omit<Given, 'threads'>,
  context: Pick<CommandContext, 'overview'>,
  ports: Services['ports'],
): Promise<Asked> {
  const id = taskIdOfBranch(pull.head) ?? taskIdOfRecoveryBranch(pull.head) ?? ''
  const of = <T>(value: T | undefined): Readonly<Record<string, T>> =>
    value === undefined ? {} : { [id]: value }
  return {
    answers: of(answer),
    feedback: of(feedback),
    grants: of(grants.length === 0 ? undefined : grants),
    issues: await openIssues(ports, context),
  }
}

/** `/run [id]`: the named task, or else the one that the conversation is about; on the dashboard, all ready tasks. */
export async function runOnRequest(
  { command, target, remark }: Order,
  context: CommandContext,
  { ports }: Services,
): Promise<Ordered> {
  const issues = await openIssues(ports, context)
  const named = command.name === 'run' ? command.id : null
  const { tasks } = await context.standing()
  if (named !== null && !tasks.some(({ id }) => id === named)) {
    return refused(`There is no task **${named}**. \`/status\` on the dashboard lists the tasks.`)
  }
  const own = (): readonly string[] | null => {
    if (target.kind === 'dashboard') return null
    if (target.kind !== 'issue') return [target.id]
    const issue = issues.find(({ number }) => number === target.number)
    return issue === undefined ? [] : issueTasks(issue, ports.settings).tasks.map(({ id }) => id)
  }
  const only = named === null ? own() : [named]
  if (only?.length === 0) {
    return refused('This issue has no tasks yet: the label `executor` turns it into tasks.')
  }
  const granted = 'pull' in target && only?.[0] === target.id ? grantsOf(target) : []
  const grants = granted.length > 0 && only?.[0] !== undefined ? { [only[0]]: granted } : {}
  const shown = only ?? tasks.map(({ id }) => id)
  return {
    status: 'run',
    only,
    asked: { ...nothingAsked, grants, issues },
    threads: [],
    reply: (state) =>
      writeOutcome(
        state,
        shown.filter((id) => only !== null || state.tasks.results[id]?.thisRun === true),
        loginText(remark.author),
      ),
  }
}

/** Adopted issues that are still open: closed ones are no longer tasks. */
async function openIssues(
  ports: Parameters<typeof loadAdopted>[0],
  { overview }: Pick<CommandContext, 'overview'>,
): Promise<readonly AdoptedIssue[]> {
  const open = new Set(overview.issues.map(({ number }) => number))
  return (await loadAdopted(ports)).filter(({ number }) => open.has(number))
}

/** The grants in the body, without paths that are no longer valid. */
export const grantsOf = ({ pull }: Pick<PullTarget, 'pull'>): readonly Grant[] =>
  readGrants(pull.body).filter(({ path }) => checkPath(path).status === 'ok')

/** The decision of a command's author about a proposal. */
export const answerOf = (
  { remark, target }: Order<PullTarget>,
  choice: Choice,
  more: Partial<Pick<Answer, 'text' | 'tasks'>> = {},
): Answer => ({
  choice,
  by: remark.author.login,
  at: remark.createdAt,
  text: '',
  tasks: [],
  sha: target.pull.headSha,
  ...more,
})
