/** A finished commit whose branch someone else has moved: keeps it, tells people, and forgets it when it is settled. */

import { isSettled, type Task } from '../../../packages/task/task.ts'
import { clip, oneLine, showText } from '../../../packages/text/text.ts'
import { branchOf, keptRefOf, taskIdOfKeptRef } from '../../core/domain/branches.ts'
import { overtakenMarker, tasksOfTip } from '../../core/domain/identity.ts'
import type { Overtaken, Side } from '../../core/domain/overtaken.ts'
import type { TaskResult } from '../../core/domain/verdict.ts'
import type { BranchTip, ComparedSide, RepositoryView } from '../../core/ports/workspace.ts'
import type { Ports } from '../../core/ports.ts'
import { findOwnWork, type OwnWork } from '../../tasks/standing/find-own-work.ts'
import { writeOvertaken } from '../report/write-overtaken.ts'

type Needs = Pick<Ports, 'workspace' | 'forge'>

/** Compares our kept commit with the present tip of its branch; `null` for a deleted branch. */
export async function compareOvertaken(
  task: string,
  ours: string,
  theirs: string | null,
  { workspace, forge }: Needs,
): Promise<Overtaken> {
  const { base } = await workspace.view()
  const other = theirs ?? base.sha
  const found = await workspace.compare({ ours, theirs: other, base: base.sha })
  const { merge } = found
  const picks = Math.max(1, found.ours.count)
  const first = await workspace.ancestor(ours, picks - 1)
  const second = first === null ? null : await secondParent(first, workspace)
  const hasSecond = second !== null && (await workspace.contains(other, second))
  const hunk = merge.status === 'conflict' ? merge.hunk : null
  const shown = hunk !== null && theirs !== null ? hunkOf(hunk, theirs, ours) : undefined
  return {
    ...{ task, forge: forge.kind, branch: branchOf(task), ref: keptRefOf(task, ours) },
    ours: sideOf(ours, found.ours),
    theirs:
      theirs === null
        ? sideOf(null, { commits: [], count: 0, files: [] })
        : sideOf(theirs, found.theirs),
    merge: theirs === null ? 'deleted' : merge.status,
    conflicts: merge.status === 'conflict' ? merge.paths.slice(0, mostPaths).map(line) : [],
    ...(shown && { hunk: shown }),
    picks,
    mainline: second === null ? 0 : hasSecond ? 2 : 1,
  }
}

const secondParent = async (
  sha: string,
  workspace: Pick<Ports['workspace'], 'ancestor' | 'history'>,
): Promise<string | null> => {
  const parent = await workspace.ancestor(sha, 1)
  const [commit] = await workspace.history(sha, parent === null ? {} : { without: parent })
  return commit?.parents[1] ?? null
}

const mostCommits = 5
const mostFiles = 10
const mostPaths = 20
const longestLine = 160
const hunkLines = 30
const linesAround = 3

/** One line without hidden text, keys and line breaks. */
const line = (text: string): string => clip(oneLine(showText('', text).text), longestLine)

function sideOf(sha: string | null, { commits, count, files }: ComparedSide): Side {
  const shown = commits.slice(0, mostCommits)
  return {
    sha,
    commits: shown.map((each) => ({
      sha: each.sha,
      author: line(each.author),
      title: line(each.title),
    })),
    moreCommits: count - shown.length,
    files: files
      .slice(0, mostFiles)
      .map((file) => ({ ...file, path: line(file.path), from: line(file.from) })),
    moreFiles: Math.max(0, files.length - mostFiles),
  }
}

/**
 * Cut only after keys are masked: a key may begin before the conflict. One that the conflict is in cannot be masked,
 * and is not shown.
 */
function hunkOf(
  { path, text }: { readonly path: string; readonly text: string },
  theirs: string,
  ours: string,
): Overtaken['hunk'] {
  const shownText = showText(path, text).text
  if (shownText.includes('PRIVATE KEY')) return undefined
  const lines = shownText.split('\n')
  const start = lines.findIndex((each) => each.startsWith(`<<<<<<< ${theirs}`))
  if (start === -1) return undefined
  const end = lines.findIndex((each, at) => at > start && each.startsWith(`>>>>>>> ${ours}`))
  const from = Math.max(0, start - linesAround)
  const cut = lines.slice(from, (end === -1 ? lines.length : end + 1) + linesAround)
  const named = cut.map((each) =>
    clip(
      each
        .replace(`<<<<<<< ${theirs}`, '<<<<<<< theirs')
        .replace(`>>>>>>> ${ours}`, '>>>>>>> ours'),
      longestLine,
    ),
  )
  const shown = named.length > hunkLines ? [...named.slice(0, hunkLines), '…'] : named
  return { path: line(path), text: shown.join('\n') }
}

/** Comments on the open pull request of the branch, once: later calls update the comment. */
export const tellOvertaken = (
  overtaken: Overtaken,
  ports: Needs,
): Promise<TaskResult['pullRequest']> => comment(overtaken.branch, writeOvertaken(overtaken), ports)

async function comment(
  branch: string,
  body: string,
  { forge }: Needs,
): Promise<TaskResult['pullRequest']> {
  const all = await forge.pullRequests('known')
  const open = all.find(({ head, state }) => head === branch && state === 'open')
  if (open !== undefined) await forge.upsertComment(open.number, overtakenMarker, body)
  return open === undefined ? null : { number: open.number, url: open.url }
}

/**
 * Looks after kept commits at the start of a run: forgets those that their branch or the base has got, and those of
 * tasks that are settled; compares the others again for the comment.
 */
export async function tendKept(
  view: RepositoryView,
  tasks: readonly Task[],
  ports: Needs,
): Promise<OwnWork> {
  const found = await findOwnWork(view, ports.workspace)
  const closed = new Set(tasks.filter(isSettled).map(({ id }) => id))
  const isOver = (tip: BranchTip) => tasksOfTip(tip).every(({ id }) => closed.has(id))
  await forgetAll([...found.settled, ...[...found.kept.values()].filter(isOver)], ports)
  const kept = new Map([...found.kept].filter(([, tip]) => !isOver(tip)))
  for (const [id, { sha }] of ports.forge.kind === 'local' ? [] : kept) {
    const tip = view.branches.find(({ name }) => name === branchOf(id))
    await tellOvertaken(await compareOvertaken(id, sha, tip?.sha ?? null, ports), ports)
  }
  return { ...found, kept }
}

/** Forgets the kept commits of a task, after the branch got newer work. */
export async function forgetKept(task: string, ports: Needs): Promise<void> {
  const { branches } = await ports.workspace.view()
  await forgetAll(
    branches.filter(({ name }) => taskIdOfKeptRef(name) === task),
    ports,
  )
}

/** Says so first: a kill between the two repeats both. */
async function forgetAll(settled: readonly BranchTip[], ports: Needs): Promise<void> {
  for (const { name, sha } of settled) {
    const task = taskIdOfKeptRef(name)
    if (task === null) continue
    await comment(branchOf(task), 'Resolved: nothing waits beside this branch any more.', ports)
    await ports.workspace.keep(task, sha, 'forget')
  }
}
