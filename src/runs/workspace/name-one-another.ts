import type { TaskSet } from '../../publish/report/workspace-report.ts'
import {
  type SetMerging,
  setMarker,
  writeSetComment,
} from '../../publish/report/write-set-comment.ts'
import type { SetMember } from './merge-set.ts'

/**
 * Lets the open pull requests of a set name one another, in one comment on each.
 *
 * @param states by task, for people
 */
export async function nameOneAnother(
  set: TaskSet,
  members: readonly SetMember[],
  merging: SetMerging & { readonly states?: Readonly<Record<string, string>> },
  say: (sentence: string) => void,
): Promise<void> {
  const opened = members.flatMap(({ task, pullRequest, forge }) =>
    pullRequest?.state === 'open' ? { task, number: pullRequest.number, forge } : [],
  )
  if (members.length < 2 || opened.length === 0) return
  const parts = members.map(({ task, pullRequest }) => ({
    ...{ task, url: pullRequest?.url ?? null },
    state: merging.states?.[task] ?? '',
  }))
  const body = writeSetComment(set, parts, merging)
  for (const { task, number, forge } of opened) {
    const done = await forge.upsertComment(number, setMarker(set), body)
    if (done.status === 'refused') say(`! ${task}: ${done.detail}`)
  }
}
