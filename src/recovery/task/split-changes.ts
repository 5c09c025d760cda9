/** Tells the changes of a group's tasks apart: for a commit each, and to take out those of a task that fails. */

import { applyPatch, structuredPatch } from 'diff'
import {
  type ChangeSet,
  changeBetween,
  changesOf,
  contentAfter,
  contentBefore,
  type FileChange,
} from '../../../packages/change/change.ts'
import { inScope } from '../../../packages/judge/judge.ts'
import { membersOf, type Task, taskPaths } from '../../../packages/task/task.ts'
import type { Attempt, MemberChanges } from '../../core/domain/attempt.ts'

type Tried = Pick<Attempt, 'task' | 'draft' | 'attributed'>

/**
 * Each member's changes, in order, each on what those before it left; `null` when a file cannot be told apart: several
 * tasks changed it and the answer did not say how, or a repair did.
 */
export function splitChanges(attempt: Tried): readonly MemberChanges[] | null {
  const members = membersOf(attempt.task)
  const changes = new Map<string, FileChange[]>(members.map(({ id }) => [id, []]))
  for (const change of changesOf(attempt.draft)) {
    const links = linksOf(change.path, attempt)
    const last = links.at(-1)
    const inOrder = members.flatMap(({ id }) => links.filter((link) => link.id === id))
    const isWhole =
      contentAfter(last?.change ?? change) === contentAfter(change) &&
      links.length > 0 &&
      links.every((link, index) => link === inOrder[index])
    const owners = ownersOf(change.path, attempt)
    const [only, ...others] = owners
    if (isWhole) for (const { id, change: own } of links) changes.get(id)?.push(own)
    else if (only !== undefined && others.length === 0) changes.get(only)?.push(change)
    else return null
  }
  return members.map(({ id }) => ({ id, changes: changes.get(id) ?? [] }))
}

/** The draft's changes without those of some members; `null` when they cannot be told apart. */
export function changesWithout(attempt: Tried, out: ReadonlySet<string>): ChangeSet | null {
  const left: FileChange[] = []
  for (const change of attempt.draft?.changes ?? []) {
    const owners = ownersOf(change.path, attempt)
    if (owners.length === 0) return null
    if (!owners.some((id) => out.has(id))) left.push(change)
    else if (!owners.every((id) => out.has(id))) {
      const kept = linksOf(change.path, attempt).filter(({ id }) => !out.has(id))
      const text = reapply(contentBefore(change), kept)
      if (text === null) return null
      const content = withRepairs(text.content, change, attempt)
      const rest = changeBetween(change.path, contentBefore(change), content)
      if (rest !== null) left.push(rest)
    }
  }
  return left
}

/** What repairs changed since the answer, as far as it does not concern what was left out. */
function withRepairs(
  text: string | undefined,
  change: FileChange,
  attempt: Tried,
): string | undefined {
  const [answered] = linksOf(change.path, attempt).slice(-1)
  const before = answered && contentAfter(answered.change)
  const after = contentAfter(change)
  if (text === undefined || before === undefined || after === undefined) return text
  return structuredPatch('', '', before, after, '', '', { context: 0 }).hunks.reduce(
    (now, hunk) => {
      const patch = { ...unnamed, hunks: [hunk] }
      const patched = applyPatch(now, patch)
      return patched === false ? now : patched
    },
    text,
  )
}

const unnamed = { oldFileName: '', newFileName: '', oldHeader: undefined, newHeader: undefined }

/** The members whose changes of a file are the whole change, by the answer, else by the task's words. */
export function ownersOf(path: string, { task, attributed = [] }: Tried): readonly string[] {
  const said = attributed.filter(({ changes }) => changes.some((change) => change.path === path))
  if (said.length > 0) return said.map(({ id }) => id)
  const members = membersOf(task)
  const claiming = members.filter(({ files }) => files.length > 0 && inScope(path, files))
  const naming = claiming.length > 0 ? claiming : members.filter((each) => names(each, path))
  return naming.map(({ id }) => id)
}

const names = (task: Task, path: string): boolean => taskPaths(task).includes(path)

const linksOf = (path: string, { attributed = [] }: Tried) =>
  attributed.flatMap(({ id, changes }) =>
    changes.filter((change) => change.path === path).map((change) => ({ id, change })),
  )

/** A file after some of its changes, one after the other; `null` when one does not fit without those left out. */
export function reapply(
  start: string | undefined,
  links: readonly { readonly change: FileChange }[],
): { readonly content: string | undefined } | null {
  let content = start
  for (const { change } of links) {
    const [before, after] = [contentBefore(change), contentAfter(change)]
    if (content === before) content = after
    else if (content === undefined || before === undefined || after === undefined) return null
    else {
      const patched = patch(content, before, after)
      if (patched === null) return null
      content = patched
    }
  }
  return { content }
}

/** The text with the change from one text to another; lines beside it may be others. */
function patch(text: string, before: string, after: string): string | null {
  for (const context of [1, 0]) {
    const patched = applyPatch(text, structuredPatch('', '', before, after, '', '', { context }))
    if (patched !== false) return patched
  }
  return null
}
