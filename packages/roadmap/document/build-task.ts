import type { RoadmapProblem, Task, TaskBudget } from '../../task/task.ts'
import {
  codeSpans,
  isPathWord,
  normalisePath,
  pathsIn,
  plainWords,
  staysInside,
  trimMarks,
  withoutCodeSpans,
} from '../../text/text.ts'
import { type FoundTask, fieldAbove } from './find-tasks.ts'
import { type NamedTask, numberAbove } from './identify-tasks.ts'
import type { Box } from './list-item.ts'
import { type Field, type FieldName, isAboveCode } from './read-fields.ts'

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
  const about = found.sections.findLast(({ intro }) => intro !== null)?.intro?.text
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
    ...(about === undefined ? {} : { about }),
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
const readOwner = (value: string): string | null =>
  ownerNamed((readName(value.slice(0, 200)) ?? '').replace(/^@/, ''))

const ours =
  /^(?:(?:(?:roadmap-)?executor|(?:(?:ai|coding|an?)[- ]?)?agent|ai|(?:an? )?bot)(?:\[bot\])?|none|nobody|anyone|unassigned|tbd|-+)?$/i

/** The person of this name; `null` where it names none, or a program such as this one. */
export const ownerNamed = (name: string): string | null =>
  ours.test(name.trim()) ? null : name.trim()

/** The name in back-ticks, else the plain text. */
const readName = (value: string): string | null =>
  codeSpans(value)[0] ?? (plainWords(withoutCodeSpans(value)) || null)

const programs =
  /^(?:\.{1,2}\/\S+|\/(?:usr|bin|opt)\/\S+|npm|npx|node|yarn|pnpm|bun|bunx|deno|tsx|tsc|python3?|pytest|uv|poetry|tox|go|cargo|make|just|mvn|gradle|bash|sh|ruby|bundle|rake|rspec|php|composer|dotnet|swift|mix|vitest|jest|eslint|prettier|biome|ruff|mypy|ctest|cmake|zig|dart|flutter|sbt|docker|curl|grep|test|diff)(?:\s|$)/

/** A program, perhaps behind settings or `!`: words of code, paths of sources and numbers are none. */
const program =
  /^(?:[A-Z_][A-Z\d_]*=\S*\s+)*(?:!\s+|\[{1,2}\s)?[~@]?[\p{L}_./[][^\s(){}<>"',;=]*(?=\s|$)/u
const sources =
  /^\S+\.(?:md|jsonc?|ya?ml|toml|css|html?|txt|[cm]?tsx?|jsx|vue|svelte|rs|go|java|kt|cs|c|h|cc|cpp|hpp)$/
const values = /^(?:true|false|null|undefined|none|nil|ok|yes|no|NaN)$/i
const calls = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|SELECT|INSERT|UPDATE)\b/
const operators = /\s(?:[=!]==?|=>|<=|≤|≥|→)\s/

/** Words around commands that say no more than that they are to pass. */
const glue =
  /\b(?:run(?:s|ning)?|both|all|the|commands?|tests?|checks?|must|should|will|pass(?:es|ing)?|succeeds?|exits?|returns?|with|code|status|0|zero|is|are|be|green|clean|works?|still|and|then|also|in|from|project|root|without|no|errors?|warnings?|locally|ci|after|before|plus|und|et|y|e)\b/gi

const verdict =
  /\s+(?:(?:must|should|still|all)\s+)*(?:pass(?:es)?|succeeds?|is green|works|runs (?:clean|green)|exits? (?:with )?(?:code |status )?0)[.!]?$/i
const sentence = /\s(?:sure|that|it|is|are|should|must|the|when|if|a|an|to the)\s/i

/** The commands of a value, and the code in it that is none. */
interface ReadCommands {
  readonly commands: readonly string[]
  readonly others: readonly string[]
}

/** Reads commands in back-ticks, else the lines that start with a program's name. */
function readCommands(value: string): ReadCommands {
  const quoted = codeSpans(value.replace(/(exits? (?:with )?(?:code |status )?)`0`/gi, '$1 0'))
  if (quoted.length === 0) {
    const lines = value.split('\n').map((line) => line.trim().replace(verdict, ''))
    const commands = lines.filter((line) => programs.test(line) && !sentence.test(line))
    return { commands, others: [] }
  }
  const around = withoutCodeSpans(value)
    .replace(/\([^()]*\)/g, ' ')
    .replace(glue, ' ')
  const isList = !/[\p{L}\p{N}]/u.test(around)
  const isCommand = (code: string) => programs.test(code) || (isList && looksLikeCommand(code))
  return {
    commands: quoted.filter(isCommand),
    others: quoted.filter((code) => !isCommand(code)),
  }
}

const looksLikeCommand = (code: string): boolean =>
  program.test(code) &&
  ![sources, values, calls, operators].some((pattern) => pattern.test(code)) &&
  !/^\S*\(/.test(code)

const bareNames = /^(?:Makefile|Dockerfile|Gemfile|Rakefile|Procfile|LICENSE|README|CHANGELOG)$/

/**
 * Paths and globs: those in back-ticks and the targets of links, each with those that stand alone between commas;
 * without any, the words that look like paths.
 */
function readPaths(value: string): string[] {
  const plain = value.replace(
    link,
    (_, label: string, target: string) => ` \`${fileOf(target, label)}\` `,
  )
  const text = plain.replace(/\s\([^()]*\)/g, ' ')
  const marked = codeSpans(text)
  const rest = withoutCodeSpans(text)
  const words = rest.split(marked.length > 0 ? /\s*[,;\n]\s*/ : /[\s,;]+/)
  const isPath = (word: string) =>
    isPathWord(word) || (marked.length === 0 && (word.includes('/') || bareNames.test(word)))
  const others = words
    .map((word) => fromRoot(trimMarks(word.trim().replace(/^<(.*)>$/, '$1'))))
    .filter(isPath)
  return [
    ...new Set([...marked, ...others].map((path) => normalisePath(fromRoot(withoutPlace(path))))),
  ]
}

/** `[label](target "title")`. */
const link = /\[([^[\]]*)\]\(\s*<?([^()<>\s]+)>?(?:\s+["'][^"']*["'])?\s*\)/g

/** The file that a link leads to: below the root of the repository, or in a view of it on GitHub or GitLab. */
function fileOf(target: string, label: string): string {
  const file = target.replace(
    /^https?:\/\/[^/]+\/[^/]+\/[^/]+\/(?:-\/)?(?:blob|tree|edit|raw)\/[^/]+\//,
    '',
  )
  return file.startsWith('#') || file.includes('://') ? label : decoded(file).replace(/^\/+/, '')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Turns `a.py:12-40`, `a.py#L12` and `a.py?plain=1#L12` into `a.py`. */
const withoutPlace = (path: string): string =>
  path.replace(/:\d+(?:[-–]\d+)?$|(?:\?\w[^#]*)?#[\w-]*$/, '')

/** `//src/a.ts` starts at the root of the repository. */
const fromRoot = (path: string): string => path.replace(/^\/\/(?=[\w.@])/, '')
