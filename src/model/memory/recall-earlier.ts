import { importedFiles } from '../../../packages/source/source.ts'
import type { Task } from '../../../packages/task/task.ts'
import {
  estimateTokens,
  identifiersIn,
  showText,
  splitWords,
  tellingWords,
} from '../../../packages/text/text.ts'
import type { Attempt, ContextFile } from '../../core/domain/attempt.ts'
import { taskIdOfBranch } from '../../core/domain/branches.ts'
import type { StateFacts } from '../../core/domain/change-state.ts'
import type { TaskResult } from '../../core/domain/verdict.ts'
import type { Workspace } from '../../core/ports/workspace.ts'
import {
  describeFact,
  type EarlierWork,
  earlierWork,
  type Fact,
  textId,
  visibleNames,
} from './earlier-work.ts'

/** Characters of one fact. */
const longestFact = 240
/** The number of finished tasks to read, newest first. */
const mostWorks = 40

const lead = 'Earlier tasks added these; use them instead of writing them again:'

type Known = StateFacts<'tasks.results' | 'learned.forgotten'>

/**
 * Says in at most 150 tokens what earlier tasks made that concerns this one, most useful first; empty when nothing
 * does. A fact counts only if its file is at the start commit as the task left it, and nothing shows it already.
 */
export async function recallEarlier(
  state: Known,
  { task, start, plan }: Pick<Attempt, 'task' | 'start' | 'plan'>,
  shown: readonly ContextFile[],
  workspace: Pick<Workspace, 'ancestor' | 'changedBetween' | 'readFiles'>,
): Promise<string> {
  const results = withoutRest(Object.values(state.tasks.results)).filter(({ id }) => id !== task.id)
  const works: EarlierWork[] = []
  for (const result of results.toReversed().slice(0, mostWorks)) {
    const work = await earlierWork(result, workspace)
    if (work !== null) works.push(work)
  }
  const facts = await stillTrue(works, start.sha, workspace)
  const forgotten = new Set(state.learned.forgotten)
  const linkOf = linksTo(task, plan?.files ?? [], shown)
  const ranked = facts
    .filter(({ fact }) => !forgotten.has(fact.id) && !isShown(fact, shown))
    .map(({ fact, work }) => ({ fact, link: linkOf(fact, work) }))
    .filter(({ link }) => link > 0)
    .toSorted((a, b) => b.link - a.link)
    .map(({ fact }) => fact)
  return write(
    ranked.filter(({ kind }) => kind === 'made'),
    facts.map(({ fact }) => fact),
  )
}

/** The results without those of the other tasks of a group, whose work is one: the first stands for all. */
const withoutRest = (results: readonly TaskResult[]): readonly TaskResult[] =>
  results.filter(({ id, branch, sha, pullRequest }) => {
    const first = branch === null ? null : taskIdOfBranch(branch)
    const isRestOf = (other: TaskResult) =>
      other.id === first && other.sha === sha && other.pullRequest?.number === pullRequest?.number
    return first === id || !results.some(isRestOf)
  })

interface Held {
  readonly fact: Fact
  readonly work: EarlierWork
}

/** Drops each fact whose file is not there, or changed since, and each name that is gone. */
async function stillTrue(
  works: readonly EarlierWork[],
  sha: string,
  workspace: Pick<Workspace, 'readFiles'>,
): Promise<readonly Held[]> {
  const paths = [...new Set(works.flatMap(({ texts }) => [...texts.keys()]))]
  if (paths.length === 0) return []
  const texts = await workspace.readFiles(sha, paths)
  const left = new Map([...texts].map(([path, text]) => [path, textId(text)]))
  const isAsLeft = (path: string) => works.some((work) => work.texts.get(path) === left.get(path))
  return works.flatMap((work) =>
    work.facts.flatMap((fact): readonly Held[] => {
      const text = texts.get(fact.path)
      if (text === undefined || !isAsLeft(fact.path)) return []
      if (fact.kind === 'tested') return [{ fact, work }]
      const there = new Set(visibleNames(fact.path, text).map(({ form }) => form))
      const names = fact.names.filter(({ form }) => there.has(form))
      return names.length === 0 ? [] : [{ fact: { ...fact, names }, work }]
    }),
  )
}

/** True when the prompt shows the file, or all of these names in its outline. */
function isShown({ path, names }: Fact, shown: readonly ContextFile[]): boolean {
  const file = shown.find((each) => each.path === path)
  return file !== undefined && (file.whole || names.every(({ name }) => file.text.includes(name)))
}

/** Weights of what a fact shares with the task: it is named, the task needs its task, code shown imports it, words. */
const named = 10
const needed = 5
const imported = 3

function linksTo(
  task: Task,
  planned: readonly string[],
  shown: readonly ContextFile[],
): (fact: Fact, work: EarlierWork) => number {
  const { title, details, files, accept, headings, subtasks, dependsOn } = task
  const prose = [title, details, ...files, ...accept, ...subtasks.map((each) => each.title)].join(
    '\n',
  )
  const words = tellingWords([prose, ...headings, ...planned].join('\n'))
  const marks = new Set(identifiersIn(prose))
  return ({ path, names }, work) => {
    // A short word of prose is no name.
    const isNamed =
      prose.includes(path) ||
      planned.includes(path) ||
      names.some(({ name }) => name.length > 3 && marks.has(name))
    const isImported = shown.some(
      ({ path: from, text }) => importedFiles(from, text, (target) => target === path).length > 0,
    )
    const own = tellingWords([path, work.title].join('\n')).concat(
      names.flatMap(({ name }) => splitWords(name)),
    )
    const shared = [...new Set(own)].filter((word) => words.some((each) => areAlike(word, each)))
    return (
      (isNamed ? named : 0) +
      (dependsOn.includes(work.task) ? needed : 0) +
      (isImported ? imported : 0) +
      shared.length
    )
  }
}

/** `round` and `rounded`, `retry` and `retried`; shorter words only when they are equal. */
function areAlike(a: string, b: string): boolean {
  if (a === b) return a.length > 2
  let common = 0
  while (common < a.length && a[common] === b[common]) common += 1
  return common >= 4 && common >= Math.max(a.length, b.length) / 2
}

/** Writes as many facts as fit, and after them the test of the first. */
function write(facts: readonly Fact[], all: readonly Fact[]): string {
  const [first] = facts
  if (first === undefined) return ''
  const test = all.find(({ kind, task }) => kind === 'tested' && task === first.task)
  let text = lead
  for (const fact of [...facts, ...(test === undefined ? [] : [test])]) {
    const next = `${text}\n- ${describeFact(fact, longestFact)}`
    if (hasRoomFor(next)) text = next
  }
  return text === lead ? '' : showText('', text).text
}

/** Tokens of the section of what earlier tasks made, its heading included. */
const mostTokens = 150

const withHeading = (facts: string): string => `EARLIER\n${facts}`

/** True when a prompt has room for these facts. */
const hasRoomFor = (facts: string): boolean => estimateTokens(withHeading(facts)) <= mostTokens

/** The section of a prompt; empty without facts, and for facts that a saved state cannot have from here. */
export function showRecalled({ recalled = '' }: Pick<Attempt, 'recalled'>): string {
  const isOurs = hasRoomFor(recalled) && !/[^\P{C}\n]/u.test(recalled)
  return recalled === '' || !isOurs ? '' : withHeading(recalled)
}
