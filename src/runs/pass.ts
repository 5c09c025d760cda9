import type { AdoptedIssue } from '../core/domain/answer.ts'
import type { Attempt } from '../core/domain/attempt.ts'
import type { Asked, RunState } from '../core/domain/run-state.ts'
import type { Task } from '../core/domain/task.ts'
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
import type { Standing } from '../roadmap/standing/find-standing.ts'
import { fenced, neutraliseLine } from '../text/markdown/neutralise.ts'
import type { CommentCommand } from './triggers/parse-command.ts'

/** What the use cases that serve events work through: a run's ports, and what people say. */
export interface Services {
  readonly ports: Ports
  readonly discussion: Discussion
}

/** What was true when this pass began. Whatever a decision rests on is read anew. */
export interface CommandContext {
  readonly self: string
  readonly overview: Overview
  /** Comments and review comments of the last fortnight, ours included. */
  readonly remarks: readonly Remark[]
  /** How the tasks stand, found out when somebody wants to know. */
  readonly standing: () => Promise<{
    readonly tasks: readonly Task[]
    readonly results: RunState['tasks']['results']
  }>
}

/** What a remark is on, and so what its command is about. */
export type CommandTarget =
  | { readonly kind: 'task' | 'needs_human'; readonly id: string; readonly pull: PullRequest }
  /** A proposal; `attempt` is what waits for the answer, `null` when it is not kept any more. */
  | {
      readonly kind: 'recovery' | 'destructive'
      readonly id: string
      readonly pull: PullRequest
      readonly attempt: Attempt | null
    }
  /** `adopted`: an issue of ours. */
  | { readonly kind: 'issue'; readonly number: number; readonly adopted: boolean }
  | { readonly kind: 'dashboard'; readonly number: number }

export type PullTarget = Extract<CommandTarget, { readonly pull: PullRequest }>

/** A command of somebody who may give it, on something of ours. */
export interface Order<T extends CommandTarget = CommandTarget> {
  readonly command: CommentCommand
  readonly remark: Remark
  readonly target: T
}

/** What becomes of a command. Replies are Markdown, without markers. */
export type Ordered =
  /** Not ours to answer: nothing is written anywhere. */
  | { readonly status: 'ignored'; readonly reason: string }
  | {
      readonly status: 'refused'
      readonly reply: string
      /** The author may not command at all: said once, then never again. */
      readonly outsider?: true
      /** It was not understood: 😕 instead of 👎. */
      readonly puzzled?: true
    }
  | {
      readonly status: 'done'
      readonly reply: string
      /** Something was merged or closed: what is true has to be found out anew. */
      readonly changed: boolean
    }
  /** Something is waited for; the remark stays unanswered, and its reply is replaced later. */
  | {
      readonly status: 'later'
      readonly reply: string
      /** The commit that was approved: no other one is merged for this remark. */
      readonly approved?: string
    }
  /** The caller runs this, then answers with `reply`; in each of `threads`, too. */
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
export const closed = refused('This is closed. `/retry` has the task done anew.')
/** GitHub did not do it: for now, where it could not be reached, and then the remark waits for its answer. */
export const notDone = ({ code }: ForgeRefusal, reply: string): Ordered =>
  code === 'forge_unreachable'
    ? { status: 'later', reply: `${reply} I try it again on my next round.` }
    : refused(reply)
export const done = (reply: string, changed = false): Ordered => ({
  status: 'done',
  reply,
  changed,
})

/** What is true when a part of a pass begins, read at once. */
export interface Seen extends CommandContext {
  readonly base: string
  /** Ours, in any state, newest first. */
  readonly pullRequests: readonly PullRequest[]
  readonly issues: readonly AdoptedIssue[]
  readonly standing: () => Promise<Standing>
}

/** Comments are looked through so far back, in seconds. */
export const fortnight = 14 * 24 * 3600

const enough: ReadonlySet<Permission> = new Set(['admin', 'maintain', 'write'])

/** Whether somebody may write to this repository now. In doubt: no. */
export async function mayCommand(
  person: Author,
  discussion: Pick<Discussion, 'permissionOf'>,
): Promise<boolean> {
  return !person.isBot && enough.has(await discussion.permissionOf(person))
}

/** A login in a reply: nobody is called by it. */
export const loginText = ({ login }: { readonly login: string }): string =>
  `\`${login.replaceAll(/[^\w[\]-]/g, '')}\``

/** Words of others within a sentence of ours. */
export const quoted = (text: string): string => neutraliseLine(text.slice(0, 300))

export const toCopy = (command: string): string => fenced(command)

export const short = (sha: string): string => `\`${sha.slice(0, 7)}\``

/** Why the forge did not do what it was asked to. */
export const forgeSaid = (detail: string): string => `GitHub says: ${quoted(detail)}`
