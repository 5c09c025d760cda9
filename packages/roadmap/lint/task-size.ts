import { amountOf, type Task } from '../../task/task.ts'
import { clip, codeSpans, pathsIn, visibleText, withoutCodeSpans } from '../../text/text.ts'
import { proseLines, readLabel } from '../document/read-fields.ts'
import type { LintContext, RuleMatch } from './finding.ts'

const mostCharacters = 500
const mostCommas = 5
const mostAnds = 3

/**
 * Finds a task that is probably several: more than 500 characters, five commas or three "and" in its text. Metadata,
 * code and comments do not count.
 */
export function findOversized(task: Task, places: TaskPlaces): RuleMatch | null {
  const prose = proseOf(task)
  const words = withoutCodeSpans(prose)
  const commas = words.match(/[,，、]/g)?.length ?? 0
  const ands = words.match(/\band\b/gi)?.length ?? 0
  const reasons = [
    prose.length > mostCharacters ? `${prose.length} characters` : '',
    commas > mostCommas ? `${commas} commas` : '',
    ands > mostAnds ? `"and" ${ands} times` : '',
  ].filter((reason) => reason !== '')
  if (reasons.length === 0) return null
  return {
    ...places.ofTask(task),
    message: `${task.id} is probably several tasks: ${reasons.join(', ')}.`,
    fix: 'Split it into tasks of one change each; **Depends on** keeps them in order.',
  }
}

/** Finds a `Budget` below the task's forecast: the task would cost money and not be finished. */
export function findSmallBudget(
  task: Task,
  places: TaskPlaces,
  { forecast }: Pick<LintContext, 'forecast'>,
): RuleMatch | null {
  const expected = forecast.get(task.id)
  if (expected === undefined || task.budget === null) return null
  const units = ['tokens', 'dollars'] as const
  const short = units.flatMap((unit) => {
    const [allowed, needed] = [task.budget?.[unit] ?? null, expected[unit]]
    if (allowed === null || needed === null || allowed >= needed) return []
    return [`about ${amountOf(unit, needed)}, but its Budget allows ${amountOf(unit, allowed)}`]
  })
  if (short.length === 0) return null
  return {
    ...places.ofField(task, 'budget'),
    message: `${task.id} will probably take ${short.join('; ')}.`,
    fix: 'Raise the Budget, split the task, or name fewer files in it.',
  }
}

/** A title with this many words is a sentence and need not contain a known verb. */
const enoughWords = 5

const list = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

/** Verbs that roadmaps use, in English; and the most common ones of a few other languages. */
const verbs = list(`
  accept add adjust adopt allow analyse analyze animate annotate apply archive ask assign attach
  audit authenticate authorize automate avoid backup batch benchmark block build bump bundle cache
  calculate call cap catch change check clean cleanup clear close collect combine compile complete
  compress compute configure connect convert copy correct count cover create cut debounce decode
  decouple dedupe define delete deliver deny deploy deprecate derive describe design detect develop
  disable display document download draw drop edit emit enable encode encrypt end enforce enhance
  ensure escape establish evaluate exclude execute expand expose export extend extract fetch fill
  filter find finish fix flag flatten follow format forward generate get give group guard handle hash
  hide highlight hook implement import improve include increase index init initialize inject inline
  insert install instrument integrate introduce invalidate investigate isolate join keep label launch
  limit link lint list listen load localize lock log make map mark measure memoize merge migrate
  minify mock model modernize modify monitor mount move name normalize notify open optimise optimize
  order organise organize output package paginate parse pass patch persist pin polish port prepare
  present preserve prevent print process profile prompt protect provide prune publish pull push put
  query queue raise read rebuild receive record redesign redirect reduce refactor refine register
  reject release reload remove rename render reorder reorganize replace report request require reset
  resize resolve respond restore restrict restructure retry return reuse revert review rewrite roll
  rotate round route run sanitize save say scaffold scale schedule scan seal search secure seed select
  send separate serialize serve set setup share ship show shrink sign simplify skip sort specify speed
  split start stop store stream streamline strip stub style submit subscribe support suppress swap
  switch sync tag test throttle throw tidy time track transform translate trim tune turn type unify
  unit update upgrade upload use validate verify version view warn watch wire wrap write
  ajouter corriger créer supprimer agregar crear eliminar corregir adicionar criar remover corrigir
  aggiungere creare hinzufügen erstellen entfernen toevoegen maken`)

/** Words that could occur in any task. */
const empty = list(`
  a able about actually app application all also always an and another any anything are area areas around as aspects
  at basic be been best better bit both bug bugs but by can change changes clean cleaner cleanup code
  codebase complete completely correct correctly current design detail details different do doc docs
  documentation done easier easy effective efficient enhancement enhancements entire etc every everything existing
  experience fast faster feature features final finally fix fixes for from functionality general
  generally get good great group have how if improvement improvements in into is issue issues it its
  just later like logic lot lots maintainability make many minor misc miscellaneous modern more most
  much my necessary need needed needs new next nice nicer now of off ok old on one only optimal
  optimisation optimization or other our out overall part parts perfect performance please possible
  problem problems project proper properly quality quickly product readability reliable refactor refactoring reliability
  rest robust scalability security several should simple so some something soon stability stuff
  structure such support sure system tbd test testing tests that the their them then there these they
  thing things this those tidy to todo touches two until up update updates usability ux ui various very
  want was way we well what when where which while whole will wip with work working works you your`)

const joins = list('and or then to also')

/**
 * Finds a task that does not say what to change: no file, no code, no subtask, no command that must pass, and either
 * no word names its subject ("Make everything better"), or it has fewer than five words and no verb ("Login page"). A
 * verb with an object is enough ("Add login page"). The known verbs are English, so text in other scripts is not
 * checked for one.
 */
export function findVague(task: Task, places: TaskPlaces): RuleMatch | null {
  if (task.files.length + task.accept.length + task.subtasks.length > 0) return null
  const prose = proseOf(task)
  if (codeSpans(prose).length > 0 || pathsIn(prose).length > 0) return null
  const words = prose.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'’_-]*/gu) ?? []
  const missing = missingFrom(words)
  if (missing === null) return null
  return {
    ...places.ofTask(task),
    message: `${task.id} ${quotedTitle(task.title)} names no file, and ${missing}.`,
    fix: 'Say what should be true at the end, and name the file: Add `src/user.ts` with a User class.',
  }
}

function missingFrom(words: readonly string[]): string | null {
  const telling = words.filter((word) => !empty.has(word) && !verbs.has(word))
  // In "Add search" the second verb is the object of the first; in "fix and improve" it is not.
  const objects = words.filter(
    (word, at) => at > 0 && !empty.has(word) && !joins.has(words[at - 1] ?? ''),
  )
  if (telling.length === 0 && objects.length === 0) return 'no word says what to change'
  const isForeign = words.some((word) => /[^\x00-\x7F’]/.test(word) && !verbs.has(word))
  const hasVerb = words.some(
    (word) => verbs.has(word) || verbs.has(word.replace(/(?:s|ed|ing)$/, '')),
  )
  if (words.length >= enoughWords || isForeign || hasVerb) return null
  return 'its few words include no verb'
}

/** The title and details of a task, without metadata, code blocks and comments. */
const proseOf = ({ title, details }: Task): string =>
  [title, ...proseLines(visibleText(details))].join('\n')

interface Place {
  readonly line: number
  readonly column: number
}

/** Finds positions of tasks in their document. */
export class TaskPlaces {
  readonly #lines: readonly string[]

  constructor(lines: readonly string[]) {
    this.#lines = lines
  }

  /** The task's bullet. */
  ofTask({ line }: Pick<Task, 'line'>): Place {
    const text = this.#lines[line - 1] ?? ''
    return { line, column: text.length - text.trimStart().length + 1 }
  }

  /** The first verbatim occurrence of these words in the task; its start when there is none. */
  ofWords(task: Task, words: string): Place {
    const line = this.#lineOf(task, (text) => text.includes(words))
    if (line === null) return this.ofTask(task)
    return { line, column: (this.#lines[line - 1] ?? '').indexOf(words) + 1 }
  }

  /** The line of its metadata with this name. */
  ofField(task: Task, name: 'budget'): Place {
    const line = this.#lineOf(task, (text) => readLabel(text)?.name === name)
    return this.ofTask({ line: line ?? task.line })
  }

  #lineOf({ line: first, endLine }: Task, isMeant: (text: string) => boolean): number | null {
    const found = this.#lines.slice(first - 1, endLine).findIndex(isMeant)
    return found < 0 ? null : first + found
  }
}

/** A title as messages quote it. */
const quotedTitle = (title: string): string => JSON.stringify(clip(title, 60))
