import { isBefore, secondsBefore } from '../../core/domain/instant.ts'
import type { Remark } from '../../core/ports/discussion.ts'
import { commandOf } from '../triggers/command-of.ts'
import { type CommentCommand, kindOfCommand } from '../triggers/parse-command.ts'

/**
 * How many such commands the author gave in the hour before this one. Counted by when they were
 * said, so that it is the same however late and in whatever order they are read.
 */
export function countRecent(
  remark: Remark,
  others: readonly Remark[],
  isSuch: (command: CommentCommand, remark: Remark) => boolean,
): number {
  const from = secondsBefore(remark.createdAt, 3600)
  return others.filter((other) => {
    const command = commandOf(other)
    return (
      command !== null &&
      other.author.id === remark.author.id &&
      isEarlier(other, remark) &&
      isBefore(from, other.createdAt) &&
      isSuch(command, other)
    )
  }).length
}

/** Answered with words alone. */
const isTalk = (command: CommentCommand): boolean =>
  kindOfCommand(command) === 'words' && command.name !== 'malformed'

/** So often an hour each person is talked to. */
const mostTalk = 5

/** One more would be a way to have a repository filled with words. */
export function isRepeatedTalk(remark: Remark, others: readonly Remark[]): boolean {
  const command = commandOf(remark)
  return command !== null && isTalk(command) && countRecent(remark, others, isTalk) >= mostTalk
}

const isEarlier = (one: Remark, other: Remark): boolean =>
  isBefore(one.createdAt, other.createdAt) ||
  (one.createdAt === other.createdAt && one.kind === other.kind && one.id < other.id)
