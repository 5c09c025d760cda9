import type { Attempt } from '../../../src/core/domain/attempt.ts'
import { proposalMarker } from '../../../src/core/domain/hidden-lines.ts'
import { label, taskMarker } from '../../../src/core/domain/identity.ts'
import { secondsBefore } from '../../../src/core/domain/instant.ts'
import type { RunState } from '../../../src/core/domain/run-state.ts'
import type { Author, Remark } from '../../../src/core/ports/discussion.ts'
import { proposalHash } from '../../../src/core/proposal-hash.ts'
import { writeParked } from '../../../src/recovery/task/parked-attempt.ts'
import { findUnanswered } from '../../../src/runs/commands/find-unanswered.ts'
import { type AskedRun, serveCommands } from '../../../src/runs/commands/serve-commands.ts'
import type { Services } from '../../../src/runs/pass.ts'
import {
  anAttempt,
  anOperation,
  aState,
  aTask,
  fakePorts,
  someSettings,
} from '../../fakes/facts.ts'
import { createMemoryDiscussion } from '../../fakes/memory-discussion.ts'
import { createMemoryForge } from '../../fakes/memory-forge.ts'
import { createMemoryRepository, type MemoryRepository } from '../../fakes/memory-repository.ts'
import { createMemoryWorkspace } from '../../fakes/memory-workspace.ts'

export type Place = 'task' | 'recovery' | 'destructive' | 'needs_human'
export const places: readonly Place[] = ['task', 'recovery', 'destructive', 'needs_human']

export interface Desk {
  readonly repository: MemoryRepository
  readonly services: Services
  /** What was asked of runs. */
  readonly runs: readonly AskedRun[]
  /** Numbers of the pull requests, one of each kind. */
  readonly at: Readonly<Record<Place, number>>
  readonly issue: number
  readonly dashboard: number
  readonly writer: Author
  head(place: Place): string
  /** One pass, as for the event that brought this remark. */
  serve(own: Remark | null, services?: Services): Promise<void>
  /** Our texts in answer to something, without the hidden lines. */
  replies(): readonly string[]
  /** Everything that counts, for comparing. */
  state(): unknown
}

interface DeskOptions {
  readonly mergeOnApprove?: boolean
  readonly mergeWithoutChecks?: boolean
  readonly commandsPerHour?: number
  /** Our login on the forge. */
  readonly login?: string
  /** The sets of a workspace that the repository belongs to. */
  readonly sets?: Services['sets']
  /** What a run answers. */
  readonly result?: (asked: AskedRun) => RunState
}

/** A repository with one pull request of each kind, an adopted issue and a dashboard. */
export function createDesk(options: DeskOptions = {}): Desk {
  const workspace = createMemoryWorkspace({ files: { 'ROADMAP.md': '- [ ] T-1 Count\n' } })
  const repository = createMemoryRepository({
    mergeCommit: ({ number }) => workspace.push('main', { [`merged-${number}.txt`]: 'merged\n' }),
    ...(options.login !== undefined && { login: options.login }),
  })
  const settings = {
    ...someSettings({ commandsPerHour: options.commandsPerHour ?? 5 }),
    merge: {
      onApprove: options.mergeOnApprove ?? true,
      withoutChecks: options.mergeWithoutChecks ?? false,
    },
    ...(options.sets && { app: { ...someSettings().app, workspace: 'ada/shop' } }),
  }
  const forge = createMemoryForge(repository)
  const ports = fakePorts({ forge, workspace, settings })
  const services: Services = { ports, discussion: createMemoryDiscussion(repository) }
  const writer = repository.person('ann', 'write')
  const at = {
    task: openTask(repository, 'T-1', [label.task]),
    recovery: openProposal(repository, workspace, anAttempt(recovering)),
    destructive: openProposal(repository, workspace, anAttempt(deleting)),
    needs_human: openTask(repository, 'T-4', [label.needsHuman]),
  }
  repository.setChecks(repository.pull(at.task)?.headSha ?? '', 'green')
  const issue = repository.openIssue(writer, {
    title: 'Sum',
    body: 'Sum it.',
    labels: [label.issue],
  })
  void workspace.park(
    `issue-${issue}`,
    JSON.stringify({
      version: 1,
      title: 'Sum',
      body: 'Sum it.',
      by: 'ann',
      at: '2026-01-01T00:00:00Z',
    }),
  )
  const dashboard = repository.openIssue(repository.us, {
    title: 'Dashboard',
    body: '',
    labels: [label.dashboard],
  })
  const runs: AskedRun[] = []
  const tasks = ['T-1', 'T-2', 'T-3', 'T-4', `T-issue-${issue}`].map((id) => aTask({ id }))
  const run = async (asked: AskedRun): Promise<RunState> => {
    runs.push(asked)
    return options.result?.(asked) ?? aState({ run: { only: asked.only } })
  }
  const serve: Desk['serve'] = async (own, { ports, discussion } = services) => {
    const [overview, self] = [await discussion.overview(), await discussion.self()]
    const now = repository.now()
    const remarks = await discussion.remarksSince(secondsBefore(now, 14 * 24 * 3600))
    const pullRequests = await ports.forge.pullRequests()
    const unanswered = findUnanswered({
      ...{ own, overview, pullRequests, remarks, self, now },
      mergeOnApprove: settings.merge.onApprove,
    })
    const standing = async () => ({ tasks, results: {} })
    const context = { self, overview, remarks, standing }
    const { sets } = options
    await serveCommands(unanswered, context, { ports, discussion, ...(sets && { sets }) }, run)
  }
  return {
    repository,
    services,
    runs,
    at,
    issue,
    dashboard,
    writer,
    serve,
    head: (place) => repository.pull(at[place])?.headSha ?? '',
    replies: () =>
      repository.remarks
        .filter(
          ({ author, body }) =>
            author.id === repository.us.id && /executor:(reply|revised) /.test(body),
        )
        .map(({ body }) => body.replaceAll(/^<!-- .* -->\n/gm, '')),
    state: () => ({
      pulls: repository.pulls.map(({ number, state, labels, body, mergeSha, headSha }) => ({
        ...{ number, state, labels, body, mergeSha, headSha },
      })),
      issues: repository.issues,
      runs: runs.map((asked) => JSON.stringify(asked)).sort(),
      replies: repository.remarks
        .filter(({ author }) => author.id === repository.us.id)
        .map(({ on, body }) => `${on} ${body}`)
        .sort(),
      reactions: repository.reactions.map((each) => JSON.stringify(each)).sort(),
    }),
  }
}

const long = '2026-01-02T03:00:00Z'

const recovering: Partial<Attempt> = {
  task: aTask({ id: 'T-2' }),
  proposal: {
    strategy: 'DECOMPOSE',
    reason: 'task_too_complex',
    explanation: 'Too much.',
    tasks: [
      { id: 'T-2-a', title: 'Read it', details: ['Once.'], files: ['a.ts'] },
      { id: 'T-2-b', title: 'Count it', details: ['All.'], files: ['b.ts'] },
    ],
  },
}

const deleting: Partial<Attempt> = {
  task: aTask({ id: 'T-3' }),
  destructive: [anOperation()],
  draft: {
    changes: [{ action: 'create', path: 'scripts/clean.sh', content: 'rm -rf "$DIR"\n' }],
    refusals: [],
    claimsDone: false,
    summary: '',
    notes: [],
  },
}

function hashOf({ proposal, destructive, draft }: Attempt): string {
  return proposal === null
    ? proposalHash({ kind: 'destructive', operations: destructive, changes: draft?.changes ?? [] })
    : proposalHash({ kind: 'recovery', strategy: proposal.strategy, tasks: proposal.tasks })
}

function openTask(repository: MemoryRepository, id: string, labels: readonly string[]): number {
  const { fingerprint } = aTask()
  const number = open(repository, `agent/${id}`, labels)
  const sha = repository.pull(number)?.headSha ?? ''
  const hash = proposalHash({ kind: 'merge', task: { id, fingerprint }, sha })
  const body = `Done.\n\n${taskMarker({ id, fingerprint })}\n`
  repository.changePull(number, { body })
  repository.say(
    repository.us,
    number,
    `<!-- executor:report -->\nReport.\n\n${proposalMarker({ task: id, sha, hash, at: long })}\n`,
  )
  return number
}

function openProposal(
  repository: MemoryRepository,
  workspace: Services['ports']['workspace'],
  attempt: Attempt,
): number {
  const { id } = attempt.task
  const number = open(repository, `executor/recovery/${id}`, [label.recovery])
  const sha = repository.pull(number)?.headSha ?? ''
  const mark = proposalMarker({ task: id, sha, hash: hashOf(attempt), at: long })
  repository.changePull(number, { body: `Proposed.\n\n${taskMarker(attempt.task)}\n${mark}\n` })
  void workspace.park(id, writeParked(attempt))
  return number
}

const open = (repository: MemoryRepository, head: string, labels: readonly string[]): number =>
  repository.open(repository.us, {
    ...{ head, base: 'main', title: head, body: '', labels },
    draft: false,
    reviewers: [],
    assignees: [],
  })

/** These services, with something that happens right after the call of this number, counted from 1. */
export function interrupted(
  { ports, discussion }: Services,
  after: number,
  happens: () => void,
): { readonly services: Services; readonly calls: () => number } {
  let calls = 0
  const count = <T extends object>(port: T): T =>
    new Proxy(port, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return async (...given: unknown[]) => {
          const result: unknown = await Reflect.apply(member, target, given)
          calls += 1
          if (calls === after) happens()
          return result
        }
      },
    })
  const wrapped = { ...ports, forge: count(ports.forge), workspace: count(ports.workspace) }
  const { settings, clock } = ports
  return {
    services: { ports: { ...wrapped, settings, clock }, discussion: count(discussion) },
    calls: () => calls,
  }
}
