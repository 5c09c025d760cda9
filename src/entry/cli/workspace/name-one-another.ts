import { setMarker, writeSetComment } from '../../../publish/report/write-set-comment.ts'
import type { SetMember } from '../../../runs/workspace/merge-set.ts'
import type { Terminal } from '../terminal.ts'
import { type OpenedWorkspace, setMembers } from './open-workspace-file.ts'

/** Lets the open pull requests of each set name one another, in one comment on each. */
export async function nameOneAnother(
  workspace: OpenedWorkspace,
  terminal: Pick<Terminal, 'say'>,
): Promise<void> {
  for (const set of workspace.sets) {
    const members = await setMembers(workspace, set)
    const opened = members.filter(isOpen)
    if (members.length < 2 || opened.length === 0) continue
    const parts = members.map(({ task, pullRequest }) => ({ task, url: pullRequest?.url ?? null }))
    const body = writeSetComment(set, parts)
    for (const { task, pullRequest, forge } of opened) {
      if (pullRequest === null) continue
      const done = await forge.upsertComment(pullRequest.number, setMarker(set), body)
      if (done.status === 'refused') terminal.say(`! ${task}: ${done.detail}`)
    }
  }
}

const isOpen = ({ pullRequest }: SetMember): boolean => pullRequest?.state === 'open'
