import { mayTry, mostCorrections } from '../../../packages/diagnosis/diagnosis.ts'
import { tryCorrection, type Verifier } from '../../../packages/judge/judge.ts'
import { jsonFields, parseJson } from '../../../packages/text/text.ts'
import type { TriedRemedy } from '../../core/domain/attempt.ts'
import { attemptOf, changeState, patchAttempt } from '../../core/domain/change-state.ts'
import type { RunState } from '../../core/domain/run-state.ts'
import type { Settings } from '../../core/domain/settings.ts'
import type { Ports } from '../../core/ports.ts'
import { type ModelPorts, unlessRejected } from '../../model/ask/ask-model.ts'
import { askReadable } from '../../model/ask/ask-readable.ts'
import { correctCommandPrompt, readCorrection } from '../../model/prompts/correct-command.ts'

type Needs = ModelPorts & Pick<Ports, 'memory'>
type Verified = Awaited<ReturnType<Verifier['run']>>
type CommandTrouble = ReturnType<Verifier['findTroubles']>[number]

export interface Mended extends Verified {
  readonly state: RunState
  /** For reviewers: each command that ran in place of another. */
  readonly warnings: readonly string[]
}

type Runner = Pick<Verifier, 'tree' | 'runInstead' | 'findTroubles'>

const answerTokens = 200

/**
 * Replaces, for this attempt, a command line that cannot run: by one that worked before, else by one from the model.
 * Each is judged before it runs, in the same sandbox, on both trees. A command without a correction keeps its result.
 */
export async function mendCommands(
  state: RunState,
  found: Verified,
  runner: Runner,
  ports: Needs,
): Promise<Mended> {
  let mended: Mended = { ...found, state, warnings: [] }
  const given: string[] = []
  for (;;) {
    const [trouble] = runner.findTroubles(mended).filter(({ subject }) => !given.includes(subject))
    if (trouble === undefined) return mended
    given.push(trouble.subject)
    mended = await mendOne(mended, trouble, runner, ports)
  }
}

async function mendOne(
  start: Mended,
  trouble: CommandTrouble,
  runner: Runner,
  ports: Needs,
): Promise<Mended> {
  let { state } = start
  const refused: string[] = []
  for (let turn = 0; turn <= mostCorrections; turn += 1) {
    const proposed = await propose(state, trouble, refused, runner, ports)
    state = proposed.isOver ? remember(proposed.state, trouble, null) : proposed.state
    const { fix } = proposed
    if (fix === null) break
    const known = {
      ...{ original: trouble.subject, role: trouble.role, paths: runner.tree.paths },
      ...{ roadmap: state.roadmap.path, protectedPaths: ports.settings.protectedPaths },
    }
    const tried = await tryCorrection(fix.command, known, (line) =>
      runLine(start, trouble, line, runner),
    )
    const { objection } = tried
    if (!fix.isKnown) state = addRemedy(state, trouble, fix.command, objection === null)
    if (tried.objection === null) {
      const warnings = [...start.warnings, describe(trouble, fix, state, ports)]
      return { ...tried.ran, state: remember(state, trouble, fix.command), warnings }
    }
    refused.push(`${fix.command}: ${objection}`)
  }
  return { ...start, state }
}

/** Remembers the answer for other tasks and for a resumed run: a command is asked about once. */
const remember = (state: RunState, { subject }: CommandTrouble, fix: string | null): RunState =>
  changeState(state, { learned: { corrections: { ...state.learned.corrections, [subject]: fix } } })

interface Fix {
  readonly command: string
  readonly why: string
  /** It has worked in this attempt already. */
  readonly isKnown: boolean
}

interface Proposed {
  readonly state: RunState
  readonly fix: Fix | null
  /** No other correction exists; asking again is pointless. */
  readonly isOver?: true
}

async function propose(
  state: RunState,
  trouble: CommandTrouble,
  refused: readonly string[],
  runner: Runner,
  ports: Needs,
): Promise<Proposed> {
  const { remedies } = attemptOf(state)
  const tried = remedies.filter(({ subject }) => subject === trouble.subject)
  const worked = tried.find((each) => each.worked)
  if (worked !== undefined && refused.length === 0) {
    return { state, fix: { command: worked.fix, why: 'as before', isKnown: true } }
  }
  if (!mayTry(remedies, trouble.error.type, 'correct_command')) return { state, fix: null }
  const found = state.learned.corrections[trouble.subject]
  if (found === null) return { state, fix: null }
  if (found !== undefined && !tried.some(({ fix }) => fix === found)) {
    return { state, fix: { command: found, why: 'as before', isKnown: false } }
  }
  const remembered = await ports.memory.recall(trouble.signature)
  if (
    remembered?.strategy === 'correct_command' &&
    !tried.some(({ fix }) => fix === remembered.fix)
  ) {
    const why = `it worked ${remembered.worked} times before`
    return { state, fix: { command: remembered.fix, why, isKnown: false } }
  }
  if (tried.length >= mostCorrections) return { state, fix: null, isOver: true }
  return ask(state, trouble, refused, runner, ports)
}

/** An unreachable model, or an empty answer, leaves the command unchanged. */
async function ask(
  state: RunState,
  { subject: command, role, output }: CommandTrouble,
  refused: readonly string[],
  { tree: { paths, read } }: Runner,
  ports: Needs,
): Promise<Proposed> {
  const scripts = namesOfScripts(await read(scriptFiles.filter((path) => paths.includes(path))))
  const { task } = attemptOf(state)
  const names = topNames(paths)
  const prompt = { task, command, role, output, scripts, refused, names }
  const question = {
    purpose: 'correct',
    messages: () => correctCommandPrompt(prompt),
    maxOutputTokens: answerTokens,
    json: true,
  } as const
  const asked = await unlessRejected(askReadable(state, ports, question, readCorrection))
  if (asked === null) return { state, fix: null }
  const {
    spent: { usage, calls },
    attempt,
    learned: { windows },
  } = changeState(state, asked.patch)
  const after = changeState(state, { spent: { usage, calls }, attempt, learned: { windows } })
  if (asked.status === 'unreadable') return { state: after, fix: null, isOver: true }
  if (asked.status !== 'read') return { state: after, fix: null }
  if (asked.value.command === '') return { state: after, fix: null, isOver: true }
  return { state: after, fix: { ...asked.value, isKnown: false } }
}

/** Files and folders at the root. */
const topNames = (paths: readonly string[]): readonly string[] => [
  ...new Set(paths.map((path) => path.replace(/\/.*/, '/'))),
]

async function runLine(
  { before, after }: Verified,
  { subject, role }: CommandTrouble,
  line: string,
  { runInstead }: Runner,
): Promise<Verified> {
  if (role === 'setup') return runInstead({ setup: line })
  const found = await runInstead({ instead: new Map([[subject, line]]) })
  return {
    before: splice(before, subject, found.before),
    after: splice(after, subject, found.after),
  }
}

/** Puts the corrected command's result in place of the failed one. */
function splice(
  whole: Verified['after'],
  subject: string,
  part: Verified['after'],
): Verified['after'] {
  if (whole.status !== 'verified' || part.status !== 'verified') return part
  const { commands: instead } = part.report
  const isThere = whole.report.commands.some(({ command }) => command === subject)
  const commands = isThere
    ? whole.report.commands.flatMap((each) => (each.command === subject ? instead : [each]))
    : [...whole.report.commands, ...instead]
  return { ...whole, report: { ...whole.report, commands } }
}

function addRemedy(
  state: RunState,
  { subject, signature, error }: CommandTrouble,
  fix: string,
  worked: boolean,
): RunState {
  const { type, line: message } = error
  const tried: TriedRemedy = {
    ...{ node: 'verify_task', type, strategy: 'correct_command', signature, message, subject },
    ...{ fix: fix.slice(0, 300), worked },
  }
  const { remedies } = attemptOf(state)
  return changeState(state, patchAttempt(state, { remedies: [...remedies, tried] }))
}

function describe(
  { subject, role, error }: CommandTrouble,
  { command, why }: Fix,
  state: RunState,
  { settings }: Pick<Ports, 'settings'>,
): string {
  const reason = why === '' ? '' : ` (${why})`
  const place = placeOf(subject, role, state, settings)
  return `\`${subject}\` cannot be run: ${error.line}. Instead \`${command}\` was run, for this run only${reason}. Fix ${place}.`
}

/** The file in which a person wrote the line. */
function placeOf(
  subject: string,
  role: CommandTrouble['role'],
  state: RunState,
  { verify }: Pick<Settings, 'verify'>,
): string {
  const inConfiguration = (name: string) => `${name} in .github/executor.yml`
  if (role === 'setup') return inConfiguration('setup-command')
  if (role === 'lint') return inConfiguration('lint-command')
  if (role === 'accept') return `the task's Accept line in ${state.roadmap.path}`
  if (subject === attemptOf(state).task.verify) {
    return `the task's Verify line in ${state.roadmap.path}`
  }
  return subject === verify.testCommand
    ? inConfiguration('test-command')
    : "the project's own test command"
}

/** Files that name runnable scripts. */
const scriptFiles = ['package.json', 'composer.json', 'Makefile', 'justfile']

/** `npm run build`, `make check`: the scripts of these files, as a person types them. */
const namesOfScripts = (texts: ReadonlyMap<string, string>): readonly string[] =>
  [...texts].flatMap(([path, text]) =>
    path.endsWith('.json')
      ? scriptsOf(text).map((name) => `${path === 'package.json' ? 'npm run' : 'composer'} ${name}`)
      : targetsOf(text).map((name) => `${path === 'justfile' ? 'just' : 'make'} ${name}`),
  )

const scriptsOf = (text: string): readonly string[] =>
  Object.keys(jsonFields(jsonFields(parseJson(text)).scripts))

const targetsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^([a-zA-Z][\w-]*)(?: [\w ]*)?:(?!=)/gm)].map(([, name = '']) => name)
