import type { Task } from '../../packages/task/task.ts'
import { fenced, neutraliseLine } from '../../packages/text/text.ts'
import type { AdoptedIssue } from '../core/domain/answer.ts'
import type { Attempt } from '../core/domain/attempt.ts'
import { label } from '../core/domain/identity.ts'
import type { Asked, RunState } from '../core/domain/run-state.ts'
import type {
  Author,
  Discussion,
  Overview,
  Permission,
  Remark,
  RemarkRef,
} from '../core/ports/discussion.ts'
import type { ForgeRefusal, PullRequest } from '../core/ports/forge.ts'
import type { Ports } from '../core/ports.ts'
import type { Standing } from '../tasks/standing/find-standing.ts'
import type { BrokenGroup } from '../tasks/standing/judge-groups.ts'
import type { CommentCommand } from './triggers/parse-command.ts'

/** The services of use cases that serve events: a run's ports, and people's remarks. */
export interface Services {
  readonly ports: Ports
  readonly discussion: Discussion
  /** The set of a workspace that a task of this repository belongs to. */
  readonly sets?: (id: string) => Promise<SetMembership>
}

export type SetMembership =
  | { readonly status: 'alone' }
  /** `web:T-2` of this set is merged with the others. */
  | { readonly status: 'member'; readonly task: string; readonly set: string }
  /** The workspace cannot be read. */
  | { readonly status: 'unknown'; readonly reason: string }

/** The facts at the start of this pass. Decisions read what they rest on again. */
export interface CommandContext {
  readonly self: string
  readonly overview: Overview
  /** Comments and review comments of the last fortnight, ours included. */
  readonly remarks: readonly Remark[]
  /** The standing of the tasks, computed on demand. */
  readonly standing: () => Promise<{
    readonly tasks: readonly Task[]
    readonly results: RunState['tasks']['results']
  }>
}

/** The target of a remark, and so of its command. */
export type CommandTarget =
  | { readonly kind: 'task' | 'needs_human'; readonly id: string; readonly pull: PullRequest }
  /** A proposal; `attempt` waits for the answer, `null` when it is no longer stored. */
  | {
      readonly kind: 'recovery' | 'destructive'
      readonly id: string
      readonly pull: PullRequest
      readonly attempt: Attempt | null
    }
  /** `adopted`: the issue's words are tasks. */
  | { readonly kind: 'issue'; readonly number: number; readonly adopted: boolean }
  | { readonly kind: 'dashboard'; readonly number: number }

export type PullTarget = Extract<CommandTarget, { readonly pull: PullRequest }>

/** A permitted command on one of our issues or pull requests. */
export interface Order<T extends CommandTarget = CommandTarget> {
  readonly command: CommentCommand
  readonly remark: Remark
  readonly target: T
}

/** The outcome of a command. Replies are Markdown, without markers. */
export type Ordered =
  /** Not meant for us: writes nothing. */
  | { readonly status: 'ignored'; readonly reason: string }
  | {
      readonly status: 'refused'
      readonly reply: string
      /** The author may not command at all: told once, then ignored. */
      readonly outsider?: true
      /** Not understood: 😕 instead of 👎. */
      readonly puzzled?: true
    }
  | {
      readonly status: 'done'
      readonly reply: string
      /** A merge or a close has made earlier reads stale. */
      readonly changed: boolean
    }
  /** Waits for something; the remark stays unanswered, and its reply is replaced later. */
  | {
      readonly status: 'later'
      readonly reply: string
      /** The approved commit: no other is merged for this remark. */
      readonly approved?: string
    }
  /** The caller runs this, then answers with `reply`, in each of `threads`, too. */
  | {
      readonly status: 'run'
      readonly only: readonly string[] | null
      readonly asked: Asked
      readonly threads: readonly RemarkRef[]
      readonly reply: (state: RunState) => string
    }

export type Handler = (
  order: Order<PullTarget>,
  context: CommandContext,
  services: Services,
) => Promise<Ordered>

export const ignored = (reason: string): Ordered => ({ status: 'ignored', reason })
export const refused = (reply: string): Ordered => ({ status: 'refused', reply })
export const closed = refused('This is closed. `/retry` retries the task.')
/** GitHub refused; when it was unreachable, the remark waits for its answer. */
export const notDone = (
  { code }: { readonly code: ForgeRefusal['code'] | 'branch_protected' | 'branch_refused' },
  reply: string,
): Ordered =>
  code === 'forge_unreachable'
    ? { status: 'later', reply: `${reply} The next run tries again.` }
    : refused(reply)
export const done = (reply: string, changed = false): Ordered => ({
  status: 'done',
  reply,
  changed,
})

/** The facts at the start of a part of a pass, read together. */
export interface Seen extends CommandContext {
  readonly base: string
  /** Ours, in any state, newest first. */
  readonly pullRequests: readonly PullRequest[]
  readonly issues: readonly AdoptedIssue[]
  readonly standing: () => Promise<Standing>
  readonly broken: () => Promise<readonly BrokenGroup[]>
}

/** The label on the dashboard stops everything, except tasks that a person chose. */
export const isSwitchedOff = ({ dashboard }: Pick<Overview, 'dashboard'>): boolean =>
  dashboard?.labels.includes(label.stop) ?? false

/** How far back comments are read, in seconds. */
export const fortnight = 14 * 24 * 3600

const enough: ReadonlySet<Permission> = new Set(['admin', 'maintain', 'write'])

/** Whether a person may write to this repository now. False in doubt. */
export const mayCommand = async (
  person: Author,
  discussion: Pick<Discussion, 'permissionOf'>,
): Promise<boolean> => !person.isBot && enough.has(await discussion.permissionOf(person))

/** A login in a reply, which notifies no one. */
export const loginText = ({ login }: { readonly login: string }): string =>
  `\`${login.replaceAll(/[^\w[\]-]/g, '')}\``

/** Others' words, quoted within our own sentence. */
export const quoted = (text: string): string => neutraliseLine(text.slice(0, 300))

export const toCopy = (command: string): string => fenced(command)

export const short = (sha: string): string => `\`${sha.slice(0, 7)}\``

/** The forge's reason for a refusal. */
export const forgeSaid = (detail: string): string => `GitHub says: ${quoted(detail)}`
