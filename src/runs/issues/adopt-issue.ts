import { issueTasks } from '../../../packages/roadmap/roadmap.ts'
import { isToDo, type RoadmapProblem } from '../../../packages/task/task.ts'
import type { AdoptedIssue } from '../../core/domain/answer.ts'
import { label } from '../../core/domain/identity.ts'
import { isBefore } from '../../core/domain/instant.ts'
import type { OpenIssue, Overview } from '../../core/ports/discussion.ts'
import { issueMarker, writeIssueProblems } from '../../publish/report/write-issue-comment.ts'
import { loadRoadmap } from '../../tasks/load-roadmap.ts'
import { mayCommand, type Services } from '../pass.ts'
import type { LabelledIssue } from '../triggers/trigger.ts'
import {
  loadAdopted,
  parkedNameOf,
  readAdopted,
  tasksWithoutSandbox,
  writeAdopted,
} from './adopted-issues.ts'

export type Adopted =
  /** Its words are stored; its tasks can run, with `readAdopted` of the parked texts. */
  | { readonly status: 'adopted'; readonly issue: AdoptedIssue; readonly ids: readonly string[] }
  /** Its words are not tasks; its sticky comment says why, and nothing is stored. */
  | { readonly status: 'refused'; readonly problems: readonly RoadmapProblem[] }
  /** Nothing is written. */
  | { readonly status: 'ignored'; readonly reason: string }

/** In one issue. */
const mostTasks = 50

/**
 * Adopts an issue's words as tasks, as they were when a writer labelled it: the person who labelled it vouches for
 * them. Checks them before a run costs anything.
 */
export async function adoptIssue(labelled: LabelledIssue, services: Services): Promise<Adopted> {
  const { leases } = services.ports
  const name = `issue-${labelled.number}`
  const taken = await leases.take(name)
  if (taken.status === 'held') return ignored(taken.by)
  const adopted = await adopt(labelled, services)
  await (adopted.status === 'ignored' ? leases.release(name) : leases.settle(name))
  return adopted
}

async function adopt(labelled: LabelledIssue, services: Services): Promise<Adopted> {
  const { ports, discussion } = services
  const { number, title, body, labelledBy, at } = labelled
  const now = await discussion.labelling(number, label.issue)
  if (now === null) return ignored('the label was removed again')
  if (now.by.id !== labelledBy.id) return ignored('someone else set the label meanwhile')
  if (!(await mayCommand(labelledBy, discussion))) {
    return ignored('the person who set the label may not write here')
  }
  const known = readAdopted(await ports.workspace.parked()).find((each) => each.number === number)
  if (known !== undefined && isBefore(at, known.at)) return ignored('a later label was adopted')
  const issue: AdoptedIssue = { number, title, body, by: labelledBy.login, at }
  const { ids, problems } = await lintIssue(issue, services)
  const quoted = problems.length > 0 ? null : await quoteCommands(issue, ports)
  if (problems.length > 0 || quoted?.status === 'quoted') {
    const [refusing, commands] =
      quoted?.status === 'quoted' ? [[unconfirmed(quoted.line)], quoted.commands] : [problems, []]
    const words = writeIssueProblems(issue, refusing, commands)
    await ports.forge.upsertComment(number, issueMarker, words)
    return { status: 'refused', problems: refusing }
  }
  const kept = quoted?.status === 'confirmed' ? { ...issue, confirmed: true } : issue
  await ports.workspace.park(parkedNameOf(number), writeAdopted(kept))
  return { status: 'adopted', issue: kept, ids }
}

/** Parks an issue's commands that were quoted for a writer. */
const quotedNameOf = (number: number): string => `quoted-${number}`

/**
 * Without a sandbox, an issue's commands run with our own rights: they are quoted, and a writer who sets the label
 * after that confirms them, while they stay the same.
 */
async function quoteCommands(
  issue: AdoptedIssue,
  ports: Services['ports'],
): Promise<
  | { readonly status: 'none' | 'confirmed' }
  | { readonly status: 'quoted'; readonly line: number; readonly commands: readonly string[] }
> {
  const [first, ...others] = await tasksWithoutSandbox(issue, ports)
  if (first === undefined) return { status: 'none' }
  const commands = [first, ...others].flatMap(({ verify, accept }) =>
    verify === null ? accept : [verify, ...accept],
  )
  const name = quotedNameOf(issue.number)
  const known = (await ports.workspace.parked()).get(name)?.split('\n')
  const isSame = known?.[0] === JSON.stringify(commands)
  if (isSame && isBefore(known[1] ?? '', issue.at)) {
    await ports.workspace.park(name, null)
    return { status: 'confirmed' }
  }
  if (!isSame) {
    const text = `${JSON.stringify(commands)}\n${ports.clock.now()}\n`
    await ports.workspace.park(name, text)
  }
  return { status: 'quoted', line: first.line, commands }
}

const unconfirmed = (line: number): RoadmapProblem =>
  problem(
    line,
    'The commands below would run without a sandbox, because this machine has none.',
    'Install bubblewrap there. Or read the commands, and if they may run, remove the label and add it again.',
    'unsandboxed-commands',
  )

const ignored = (reason: string): Adopted => ({ status: 'ignored', reason })

/**
 * Adopts labelled issues whose event was lost. An issue edited after labelling is not what the writer vouched for:
 * reports that once.
 */
export async function adoptSwept(
  { issues }: Pick<Overview, 'issues'>,
  services: Services,
): Promise<readonly Adopted[]> {
  const { ports, discussion } = services
  const known = new Set((await loadAdopted(ports)).map(({ number }) => number))
  const adopted: Adopted[] = []
  for (const issue of issues.filter(({ number }) => !known.has(number))) {
    const labelling = await discussion.labelling(issue.number, label.issue)
    if (labelling === null) continue
    const { by, at, renamedAt } = labelling
    const labelled = { ...pick(issue), labelledBy: by, at }
    if (isSince(issue.editedAt, at) || isSince(renamedAt, at)) {
      if (!(await mayCommand(by, discussion))) continue
      const words = writeIssueProblems({ by: by.login }, [editedSince])
      await ports.forge.upsertComment(issue.number, issueMarker, words)
      adopted.push({ status: 'refused', problems: [editedSince] })
    } else adopted.push(await adoptIssue(labelled, services))
  }
  return adopted
}

const pick = ({ number, title, body }: OpenIssue) => ({ number, title, body })

/** True in doubt. */
const isSince = (changedAt: string | null, labelledAt: string): boolean =>
  changedAt !== null && !isBefore(changedAt, labelledAt)

/** Finds the problems that would stop a run at once, before there is one. */
async function lintIssue(
  issue: AdoptedIssue,
  { ports }: Services,
): Promise<{ readonly ids: readonly string[]; readonly problems: readonly RoadmapProblem[] }> {
  const { settings, workspace } = ports
  const read = issueTasks(issue, settings)
  const ids = read.tasks.filter(isToDo).map(({ id }) => id)
  const { base } = await workspace.view()
  const roadmap = await loadRoadmap({ roadmap: { base, path: settings.roadmap } }, ports)
  const taken = new Set(roadmap?.tasks.map(({ id }) => id.toLowerCase()))
  const clashes = read.tasks.filter(({ id }) => taken.has(id.toLowerCase()))
  const problems = [
    ...read.problems.filter(({ severity }) => severity === 'error'),
    ...clashes.map(({ id, line }) =>
      problem(line, `The roadmap also has a task ${id}.`, 'Give this task another id.'),
    ),
    ...(ids.length === 0 ? [problem(1, 'Every box is ticked.', 'Leave one box open.')] : []),
    ...(ids.length > mostTasks ? [tooMany(ids.length)] : []),
  ]
  return { ids, problems }
}

const tooMany = (count: number): RoadmapProblem =>
  problem(
    1,
    `${count} tasks are too many for one issue.`,
    `Use at most ${mostTasks}, or put them into the roadmap.`,
  )

function problem(
  line: number,
  message: string,
  fix: string,
  rule: RoadmapProblem['rule'] = 'issue',
): RoadmapProblem {
  return { rule, severity: 'error', line, column: 1, message, fix }
}

const editedSince = problem(
  1,
  'The title or text was edited after the label was added, so no one has approved the current text.',
  'Read it again, then remove the label and add it again.',
  'edited-since',
)
