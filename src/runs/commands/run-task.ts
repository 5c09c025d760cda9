import { checkPath } from '../../changes/gate/check-path.ts'
import type { AdoptedIssue, Answer, Choice, Feedback, Grant } from '../../core/domain/answer.ts'
import { readGrants } from '../../core/domain/grant-marker.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { RemarkRef } from '../../core/ports/discussion.ts'
import { writeOutcome } from '../../publish/report/write-outcome.ts'
import { loadAdopted } from '../issues/adopted-issues.ts'
import type { Services } from '../services.ts'
import {
  type CommandContext,
  type Order,
  type Ordered,
  type PullTarget,
  refused,
} from './ordered.ts'
import { loginText } from './words.ts'

interface Given {
  readonly answer?: Answer
  readonly feedback?: Feedback
  readonly grants?: readonly Grant[]
  readonly threads?: readonly RemarkRef[]
}

/** A run on the pull request's task alone, with what was said, and all that was granted before. */
export async function runTask(
  { target, remark }: Order<PullTarget>,
  context: CommandContext,
  { ports }: Services,
  { answer, feedback, grants = grantsOf(target), threads = [] }: Given,
): Promise<Ordered> {
  const { id, pull } = target
  if (pull.state === 'merged') return refused('This is merged: there is nothing left to decide.')
  const of = <T>(value: T | undefined): Readonly<Record<string, T>> =>
    value === undefined ? {} : { [id]: value }
  return {
    status: 'run',
    only: [id],
    asked: {
      answers: of(answer),
      feedback: of(feedback),
      grants: of(grants.length === 0 ? undefined : grants),
      issues: await openIssues(ports, context),
    },
    threads,
    reply: (state: RunState) => writeOutcome(state, [id], loginText(remark.author)),
  }
}

/** Adopted and still open: what was closed meanwhile is no task any more. */
export async function openIssues(
  ports: Parameters<typeof loadAdopted>[0],
  { overview }: CommandContext,
): Promise<readonly AdoptedIssue[]> {
  const open = new Set(overview.issues.map(({ number }) => number))
  return (await loadAdopted(ports)).filter(({ number }) => open.has(number))
}

/** Recorded in the body; a path that is none any more is not one. */
export const grantsOf = ({ pull }: PullTarget): readonly Grant[] =>
  readGrants(pull.body).filter(({ path }) => checkPath(path).status === 'ok')

/** What the author of a command decided about a proposal. */
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
