import { isTaskId } from '../../../packages/task/task.ts'
import type { Remark } from '../../core/ports/discussion.ts'

/** Every command as people type it, and what it needs. */
const kinds = {
  approve: 'approval',
  decompose: 'run',
  rewrite: 'run',
  defer: 'closing',
  skip: 'closing',
  retry: 'run',
  reject: 'closing',
  edit: 'run',
  revise: 'run',
  allow: 'run',
  run: 'run',
  cancel: 'closing',
  rollback: 'undo',
  status: 'words',
  help: 'words',
} as const

export type CommandName = keyof typeof kinds

export const commandNames = Object.keys(kinds) as readonly CommandName[]

/** The request in a comment. Its author is not checked yet. */
export type CommentCommand =
  /** `sha`: up to 40 lower-case hex digits, as written. */
  | { readonly name: 'approve'; readonly sha: string | null }
  | { readonly name: 'rewrite' | 'revise'; readonly text: string }
  /** The Markdown below the command. */
  | { readonly name: 'edit'; readonly list: string }
  | { readonly name: 'allow'; readonly path: string }
  /** `id`: of `/retry` and `/skip`, one task of a group; words that are no id are prose. */
  | { readonly name: 'run' | 'retry' | 'skip'; readonly id: string | null }
  | { readonly name: 'rollback'; readonly withDependents: boolean }
  | {
      readonly name: Exclude<
        CommandName,
        'approve' | 'rewrite' | 'revise' | 'edit' | 'allow' | 'run' | 'retry' | 'skip' | 'rollback'
      >
    }
  /** One of our commands with an argument that makes no sense. */
  | { readonly name: 'malformed'; readonly of: CommandName; readonly problem: string }
  /** Looks like a command, but is unknown to us. */
  | { readonly name: 'unknown'; readonly word: string }

/** What a command needs: only words when there is nothing to carry out. */
export const kindOfCommand = ({ name }: CommentCommand): (typeof kinds)[CommandName] =>
  name === 'malformed' || name === 'unknown' ? 'words' : kinds[name]

/** Folders at the root of a file system: such a word is a path. */
const folders = new Set(
  'bin boot dev etc home lib media mnt opt proc root sbin srv sys tmp usr var'.split(' '),
)

/**
 * Commands of other bots: Prow, rebase and backport actions, Azure Pipelines, Cloud Build, review bots. They get no
 * answer from us, however near they are to our own (`/retest`).
 */
const commandsOfOtherBots = new Set(
  `area ask assign auto-cc autosquash azp backport bark benchmark build cc check-cla check-dco cherry-pick cherrypick
  ci close deploy describe easycla fixup gcbrun gemini good-first-issue hold honk improve joke kind label lgtm
  lifecycle lock meow merge milestone ok-to-test override packit pony preview priority project publish rebase
  refresh release release-note release-note-none reopen rerun retest retitle retrigger review shrug sig snapshot
  squash stage test transfer triage unassign uncc unhold unlock verify-owners wg woof`.split(/\s+/),
)

/**
 * The command at the start of a comment, or `null`. It is the first word of the first line that is not blank, in
 * ASCII letters of any case, as plain text: not quoted, not in code, not in a list, not part of a longer word.
 * Everything else is prose.
 */
export function parseCommand(body: string): CommentCommand | null {
  const start = /^(?:[ \t]*(?:\n|\r\n|\r(?!\n)))* {0,3}(?=\/)/.exec(body.slice(0, 1_000))
  if (start === null) return null
  const text = body.slice(start[0].length)
  const end = text.search(/[\r\n]/)
  const line = end === -1 ? text : text.slice(0, end)
  const first = /^\/([A-Za-z][A-Za-z_-]{0,29})(?![^ \t])/.exec(line)
  if (first?.[1] === undefined) return null
  const word = first[1].toLowerCase()
  const name = commandNames.find((each) => each === word)
  const rest = line.slice(first[0].length).trim()
  if (name === undefined) return meansCommand(word) ? { name: 'unknown', word } : null
  const below = end === -1 ? '' : text.slice(end).replaceAll(/\r\n?/g, '\n')
  return withArguments(name, rest, below)
}

function withArguments(name: CommandName, rest: string, below: string): CommentCommand {
  const malformed = (problem: string): CommentCommand => ({ name: 'malformed', of: name, problem })
  switch (name) {
    case 'approve':
      if (rest === '') return { name, sha: null }
      return /^[0-9a-fA-F]{1,40}$/.test(rest)
        ? { name, sha: rest.toLowerCase() }
        : malformed('it takes nothing, or the 40 digits of a commit')
    case 'run':
      if (rest === '') return { name, id: null }
      return isTaskId(rest)
        ? { name, id: rest }
        : malformed('it takes nothing, or the id of a task')
    case 'retry':
    case 'skip':
      return { name, id: isTaskId(rest) ? rest : null }
    case 'rollback':
      return rest === '' || rest === 'with-dependents'
        ? { name, withDependents: rest !== '' }
        : malformed('it takes nothing, or with-dependents')
    case 'allow': {
      const path = /^`([^`]+)`$/.exec(rest)?.[1] ?? rest
      return path === '' ? malformed('it takes the path of one file') : { name, path }
    }
    case 'rewrite':
    case 'revise':
      return { name, text: `${rest}${below}`.trim() }
    case 'edit':
      return { name, list: `${rest}${below}`.replace(/^\s*\n/, '').trimEnd() }
    default:
      return { name }
  }
}

/**
 * Whether an unknown word is meant as one of our commands: not a folder, not another bot's command, and not an
 * inflected form (`/approved`, `/running`), which is prose.
 */
function meansCommand(word: string): boolean {
  if (folders.has(word) || commandsOfOtherBots.has(word) || word.startsWith('remove-')) return false
  if (commandNames.some((name) => word.startsWith(name.replace(/[ey]$/, '')))) return false
  return /^[a-z][a-z-]+$/.test(word)
}

/**
 * The command in a remark, or `null`. A review without a written command gives one by its verdict: "Approve" is
 * `/approve`, "Request changes" is `/revise` with its words.
 */
export function commandOf(
  remark: Pick<Remark, 'kind' | 'body' | 'verdict'>,
): CommentCommand | null {
  const written = parseCommand(remark.body)
  if (remark.kind !== 'review' || isSpelt(remark)) return written
  if (remark.verdict === 'approved') return { name: 'approve', sha: null }
  if (remark.verdict === 'changes_requested') return { name: 'revise', text: remark.body.trim() }
  return written
}

/** False for a review's bare verdict: it may not be meant for us, and gets no refusal. */
export const isSpelt = ({ body }: Pick<Remark, 'body'>): boolean => {
  const written = parseCommand(body)
  return written !== null && written.name !== 'unknown'
}
