import type { RoadmapProblem, Task, TaskBudget } from '../../task/task.ts'
import { codeSpans, pathsIn, plainWords, staysInside, withoutCodeSpans } from '../../text/text.ts'
import { type FoundTask, fieldAbove } from './find-tasks.ts'
import { type NamedTask, numberAbove } from './identify-tasks.ts'
import type { Box } from './list-item.ts'
import { type Field, type FieldName, isAboveCode } from './read-fields.ts'
import { readCommands, readPaths } from './read-values.ts'

/** Builds a task from its parsed parts. */
export function buildTask(
  { found, ...names }: NamedTask,
  dependsOn: readonly string[],
  elsewhere: readonly string[],
): Task {
  const { title: words, details, fields, nested } = found
  const { title } = words
  const all = (name: FieldName) => fields.flatMap((f) => (f.name === name ? [f.value] : []))
  const together = readGroup(all('together')[0] ?? '')
  const group = readGroup(all('group')[0] ?? '')
  const owner = readOwner(all('owner')[0] ?? '')
  const first = (name: FieldName) => fields.find((field) => field.name === name)?.value ?? ''
  return {
    ...names,
    title,
    details,
    status: found.status,
    line: found.box.line,
    endLine: found.endLine,
    headings: found.path,
    phase: numberAbove(found, 'phase'),
    section: numberAbove(found, 'section'),
    files: shared(filesOf(all('files'), found, `${title}\n${details}`)),
    dependsOn: shared(dependsOn),
    accept: shared([...new Set(all('accept').flatMap((value) => readCommands(value).commands))]),
    verify: readCommands(first('verify')).commands[0] ?? null,
    model: readName(first('model')),
    ...(together === null ? {} : { together }),
    ...(group === null ? {} : { group }),
    ...(owner === null ? {} : { owner }),
    ...(elsewhere.length === 0 ? {} : { elsewhere }),
    priority: readPriority(first('priority') || fieldAbove(found, 'priority')) ?? 0,
    subtasks: shared(nested.map((each) => ({ title: each.title, ...placeOf(each.box) }))),
    budget: readBudget(all('budget').join(', ')),
  }
}

const none: readonly never[] = []

/** Tasks without files share one empty list, to save memory at 10,000 tasks. */
const shared = <T>(list: readonly T[]): readonly T[] => (list.length === 0 ? none : list)

const placeOf = ({ status, line }: Box) => ({ status, line })

/**
 * The task's own files, else its section's. Where the section has several tasks, only those that the task's text
 * names.
 */
function filesOf(own: readonly string[], found: FoundTask, words: string): readonly string[] {
  const inside = (values: readonly string[]) =>
    [...new Set(values.flatMap(readPaths))].filter(staysInside)
  if (own.length > 0) return inside(own)
  const shared = inside([fieldAbove(found, 'files')])
  if (shared.length === 0 || found.sections.at(-1)?.tasks === 1) return shared
  const named = pathsIn(words)
  return shared.filter((path) => named.some((name) => `/${path}`.endsWith(`/${name}`)))
}

/** Reports paths in a task's `Files` that cannot be in its write scope, and metadata that says nothing to us. */
export function findUnreadValues(named: NamedTask): RoadmapProblem[] {
  return named.found.fields.flatMap((field) => {
    const { name, value } = field
    if (name === 'files') {
      const paths = readPaths(value)
      if (paths.length > 0) return outsidePaths(named, field, paths)
      return isSaid(value) ? [unreadValue(field, 'names no file', howToName)] : []
    }
    if (name !== 'accept' && name !== 'verify') return []
    if (value.trim() === '' && isAboveCode(name, named.found.details))
      return [unreadValue(field, 'is above a block of code, which is not run', howToRun)]
    const { commands, others } = readCommands(value)
    const shown = others.map((code) => JSON.stringify(code.slice(0, 80))).join(', ')
    if (others.length > 0)
      return [unreadValue(field, `has ${shown}, which is not run: no command`, howToRun)]
    const isMissing = commands.length === 0 && isSaid(value)
    return isMissing
      ? [unreadValue(field, 'has no command, so nothing is run for it', howToRun)]
      : []
  })
}

const isSaid = (value: string): boolean =>
  /[\p{L}\p{N}]/u.test(value) &&
  !/^\W*(?:none|nothing|n\/?a|tbd|no new files|unknown)\b/i.test(value)

const howToName =
  'Write paths from the root of the repository in back-ticks: `src/app.ts`, `test/**`.'
const howToRun =
  'Write a command in back-ticks: `npm test`. Other words go below the task; the model reads them there.'

const unreadValue = ({ line, column }: Field, what: string, fix: string): RoadmapProblem => ({
  rule: 'unread-value',
  severity: 'note',
  line,
  column,
  message: `Line ${line} ${what}.`,
  fix,
})

const outsidePaths = (
  { id }: NamedTask,
  { line, column }: Field,
  paths: readonly string[],
): RoadmapProblem[] =>
  paths
    .filter((path) => !staysInside(path))
    .map((path) => ({
      rule: 'invalid-path',
      severity: 'warning',
      line,
      column,
      message: `Line ${line}: the path ${JSON.stringify(path.slice(0, 80))} of ${id} is outside the repository and is ignored.`,
      fix: 'Write paths relative to the repository root, without "..".',
    }))

/** `20k tokens, $0.10` → 20,000 and 0.1; `null` without either. */
function readBudget(text: string): TaskBudget | null {
  const value = text.slice(0, 200)
  const tokens = /(?<![\d.])(\d[\d,_]*(?:\.\d+)?|\.\d+)\s*([km]?)\s*tok/i.exec(value)
  const dollars =
    /\$\s*(\d[\d,]*(?:\.\d+)?|\.\d+)|(?<![\d.])(\d+(?:\.\d+)?|\.\d+)\s*(?:usd|dollars?)/i.exec(
      value,
    )
  if (!tokens && !dollars) return null
  return {
    tokens: tokens ? Math.round(toNumber(tokens[1]) * scale(tokens[2])) : null,
    dollars: dollars ? toNumber(dollars[1] ?? dollars[2]) : null,
  }
}

const toNumber = (digits: string | undefined): number => Number((digits ?? '').replace(/[,_]/g, ''))

const scale = (letter: string | undefined): number =>
  letter?.toLowerCase() === 'm' ? 1_000_000 : letter?.toLowerCase() === 'k' ? 1000 : 1

const priorityWords: readonly [RegExp, number][] = [
  [/\b(?:critical|urgent|highest|blocker)\b/i, -2],
  [/\b(?:high|must)\b/i, -1],
  [/\b(?:medium|normal|should)\b/i, 0],
  [/\b(?:low|could|nice)\b/i, 1],
  [/\b(?:lowest|minor|trivial|won't)\b/i, 2],
]

/** `P1`, `1` and `high` are −1, before a task without a priority, which counts as medium: 0. */
export function readPriority(value: string): number | null {
  const digits = /^\W*p?(\d{1,3})\b/i.exec(value)?.[1]
  if (digits !== undefined) return Number(digits) - 2
  return priorityWords.find(([pattern]) => pattern.test(value))?.[1] ?? null
}

/** `T-5`, or another single word; `null` for anything else. */
function readGroup(value: string): string | null {
  const name = readName(value.slice(0, 200)) ?? ''
  return /^[A-Za-z0-9#][\w.-]{0,79}$/.test(name) ? name : null
}

/** A login or a name; `null` for the executor itself and for words that name no one. */
function readOwner(value: string): string | null {
  const name = (readName(value.slice(0, 200)) ?? '').replace(/^@/, '').trim()
  return name === '' || /^(?:executor(?:\[bot\])?|none|nobody|unassigned|tbd|-+)$/i.test(name)
    ? null
    : name
}

/** The name in back-ticks, else the plain text. */
const readName = (value: string): string | null =>
  codeSpans(value)[0] ?? (plainWords(withoutCodeSpans(value)) || null)
