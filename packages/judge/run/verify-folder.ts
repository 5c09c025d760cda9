import { posix } from 'node:path'
import {
  type ChangeSet,
  type Folder,
  mergeChangeSets,
  openTree,
  type Tree,
  type Trees,
} from '../../change/change.ts'
import {
  isKnownTool,
  missingProgramIn,
  notFound,
  notRunnable,
  type Tried,
} from '../../diagnosis/diagnosis.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { isTestFile } from '../../source/source.ts'
import { earlier, ranTests } from '../compare/read-outcome.ts'
import { onFiles, replaceSuites } from '../detect/detect-suites.ts'
import { withPackagePrograms } from '../detect/report-line.ts'
import { type Suite, suiteIn } from '../detect/suite.ts'
import type { JudgePorts, Scope } from '../judging.ts'
import { registriesOf } from '../prepare/named-registries.ts'
import { openProject, type Project, versionFiles } from '../prepare/open-project.ts'
import { planDependencies } from '../prepare/plan-dependencies.ts'
import { buildCache, setUpFirst } from '../prepare/prepare-dependencies.ts'
import type { FailedPreparation } from '../prepare/run-installer.ts'
import type { CommandReport, TestReport } from '../results/test-report.ts'
import { partByReach } from './reach.ts'
import {
  freshFailures,
  isGreen,
  longestRun,
  type RunInput,
  requestFor,
  runSecondTime,
  runSuites,
} from './run-suites.ts'

export type Verification =
  | {
      readonly status: 'verified'
      readonly report: TestReport
      readonly notes: readonly string[]
      /** Remedies tried until the dependencies were installed. */
      readonly tried?: readonly Tried[]
    }
  /** The project's dependencies could not be installed, so no test could show anything. */
  | NotPrepared

export type NotPrepared = { readonly status: 'not_prepared' } & Omit<FailedPreparation, 'status'>

export const reportOf = (found: Verification): TestReport | null =>
  found.status === 'verified' ? found.report : null

/** Seconds for an accept command on the unchanged tree: nothing waits longer for it. */
const longestEarlyAccept = 60
/** Seconds for a few files that are only checked. */
const longestLook = 120

export interface VerifyOptions {
  /** Only the suites of this role. */
  readonly only?: Suite['role'] | undefined
  /** Of a tree with the same manifests; its own where absent. */
  readonly project?: Project | undefined
  /** The change in the folder, and the tests' result without it. */
  readonly change?: {
    readonly paths: readonly string[]
    readonly before: () => Promise<Verification>
  }
  /** Runs failures that may be chance only once, and marks them as `once`. */
  readonly defersSecondRun?: boolean
  /** An earlier report: reruns only what it marks as `once`. */
  readonly again?: TestReport | undefined
  /** Only tests in these files, if their runner accepts files; limited to two minutes. */
  readonly files?: readonly string[] | undefined
  /** Runs the tests that are left of a tree, so that nothing more is left out. */
  readonly isRest?: boolean
  /** A command that runs instead of everything that verifies, and what progress calls it; as written, if nothing. */
  readonly look?: { readonly argv: readonly string[]; readonly display?: string } | undefined
  /** Command lines that replace those that cannot run; no others run then. */
  readonly instead?: ReadonlyMap<string, string> | undefined
  /** Replaces the setup command. */
  readonly setup?: string | undefined
  /** Called once what the tests need is installed (true) or cannot be (false). */
  readonly prepared?: (isReady: boolean) => void
  /** Called when the tests start. */
  readonly begins?: () => void
  /** Ends whatever still runs once no result is needed. */
  readonly signal?: AbortSignal | undefined
}

type Needs = Pick<JudgePorts, 'workspace' | 'sandbox' | 'settings' | 'clock'>

/**
 * Runs everything that verifies a task in one folder: prepares dependencies (once per lock file),
 * detects the suites from the files there, and runs them one after the other. Suites that the
 * change can reach run first, the others only if these break nothing.
 *
 * @param tree what the folder holds; a setup command runs without its changes
 */
export async function verifyFolder(
  folder: Folder,
  tree: Pick<Tree, 'changes' | 'paths' | 'read'>,
  task: Pick<Scope, 'verify' | 'accept'>,
  ports: Needs,
  choice: VerifyOptions = {},
): Promise<Verification> {
  const { paths } = tree
  const { only, change, instead, setup, look, files, signal } = choice
  const { prepared: tell, begins, defersSecondRun = false, again, isRest = false } = choice
  const { sandbox, verify: settings } = ports.settings
  const verify = setup === undefined ? settings : { ...settings, setupCommand: setup }
  const project = choice.project ?? (await openProject(tree, task, verify))
  const { repository, suites: detected } = project
  const own = verify.mode === 'agent' && task.verify === null
  const wanted = own ? 'accept' : only
  const chosen = detected.filter(({ role }) => wanted === undefined || role === wanted)
  const replaced = instead === undefined ? chosen : replaceSuites(chosen, instead)
  const every = look === undefined ? replaced : [lookSuite(look)]
  const known = new Set(files && paths.flatMap(foldersOf))
  const suites =
    files === undefined
      ? every
      : every.flatMap((each) => onFiles(repository, each, files, (path) => known.has(path)))
  if (suites.length === 0) return { status: 'verified', report: { commands: [] }, notes: [] }
  const has = (name: string) => ports.sandbox.has(name)
  const plans = await planDependencies(repository, verify, has, detected)
  const registries = plans.length === 0 ? [] : await registriesOf(folder.sha, paths, ports)
  const prepared = await setUpFirst(plans, folder, tree.changes, { registries, signal }, ports)
  const { lack, notes, tried } = prepared
  if (lack !== undefined) tell?.(false)
  if (lack !== undefined && (signal?.aborted || !(await mayRunWithout(lack, change)))) {
    return { ...lack, status: 'not_prepared' }
  }
  const generated = versionFiles(repository)
  // They are there already where the tests run again.
  if (generated.length > 0) await ports.workspace.write(folder, generated)
  const place = { folder: folder.path, mounts: prepared.mounts, env: prepared.env, signal }
  const atMost = (seconds: number) => Math.min(verify.timeoutSeconds ?? longestRun, seconds)
  const input: RunInput = {
    ...{ ...place, network: sandbox.network, defersSecondRun },
    timeoutSeconds:
      files === undefined && look === undefined ? verify.timeoutSeconds : atMost(longestLook),
    purpose: files === undefined ? undefined : 'to see it fail',
    ...(change === undefined
      ? { acceptSeconds: atMost(longestEarlyAccept) }
      : { before: async () => reportOf(await change.before()) }),
  }
  const tests = suites.filter(({ role }) => role === 'tests')
  tell?.(lack === undefined && (await canStart(tests, input, ports)))
  const isOne = new Set(tests.map(({ directory }) => directory)).size < 2
  const { near, far } =
    change === undefined || isOne
      ? { near: tests, far: [] }
      : partByReach(tests, change.paths, repository)
  const isStart = change === undefined && files === undefined && look === undefined
  const built = await buildCache(repository, place, isStart, ports)
  if (lack === undefined) begins?.()
  const whole = { ...input, ...built }
  const ran = await (again === undefined
    ? runNearFirst(near, far, suites, whole, ports)
    : runSecondTime(suites, again, whole, ports))
  const isWhole = files === undefined && look === undefined && again === undefined && !isRest
  const hiding = { suites, sha: folder.sha, tree, task, signal, before: input.before }
  const report = isWhole ? await addHidden(ran, hiding, ports) : ran
  if (lack === undefined) return { status: 'verified', report, notes, tried }
  if (!isTested(report)) return { ...lack, status: 'not_prepared' }
  return { status: 'verified', report: { ...report, unprepared: lack.reason }, notes, tried }
}

/**
 * Lets tests run without what failed to install, as many need none of it. Not when another setup
 * command may replace the failed one, nor when only the change cannot be installed.
 */
async function mayRunWithout(
  { setup, error }: FailedPreparation,
  change: VerifyOptions['change'],
): Promise<boolean> {
  if (setup !== null && error.isWrongCommand) return false
  if (change === undefined) return true
  const before = await change.before()
  return before.status === 'not_prepared' || before.report.unprepared !== undefined
}

/** True when a test command passes or has a passing test, or when there are none. */
const isTested = ({ commands }: TestReport): boolean => {
  const tests = commands.filter(({ role }) => role === undefined)
  const isRun = ({ exitCode, counts }: CommandReport) => exitCode === 0 || (counts?.passed ?? 0) > 0
  return tests.length === 0 || tests.some(isRun)
}

/** `a/b/c.js` → itself, `a/b`, `a`. */
const foldersOf = (path: string): readonly string[] =>
  path === '.' ? [] : [path, ...foldersOf(posix.dirname(path))]

const lookSuite = ({ argv, display }: NonNullable<VerifyOptions['look']>): Suite =>
  suiteIn('.', display ?? argv.join(' '), {
    ...{ runner: 'accept', role: 'accept', command: { argv } },
  })

/** Always runs lint and accept commands: a repair needs to know everything that it must fix. */
async function runNearFirst(
  near: readonly Suite[],
  far: readonly Suite[],
  suites: readonly Suite[],
  input: RunInput,
  ports: Needs,
): Promise<TestReport> {
  const first = await runSuites(near, input, ports)
  const red = first.commands.filter((each) => !isGreen(each))
  const before = far.length > 0 && red.length > 0 ? ((await input.before?.()) ?? null) : null
  const isBroken = red.some((each) => each.timedOut || freshFailures(before, each).length > 0)
  const others = suites.filter((suite) => !near.includes(suite))
  const left = isBroken ? others.filter((suite) => !far.includes(suite)) : others
  const rest = await runSuites(left, input, ports)
  const commands = [...first.commands, ...rest.commands]
  return isBroken && far.length > 0
    ? { commands, notRun: far.map(({ display }) => display) }
    : { commands }
}

/** Runners that compile the tests of a module together, and run none where one file does not compile. */
const together: ReadonlySet<Suite['runner']> = new Set(['junit', 'go', 'dotnet'])

/**
 * Adds the results of the other tests where none ran because test files do not compile. Without them, a change would be
 * blamed for tests that are red behind such a file, or would prove nothing. They run in a folder without those files.
 * With a change, only files that did not compile before it either are left out.
 */
async function addHidden(
  report: TestReport,
  { suites, sha, tree, task, signal, before }: Hiding,
  ports: Needs,
): Promise<TestReport> {
  const known = await before?.()
  const broken = report.commands.filter(
    (command) =>
      isBuildOfTests(command) &&
      suites.some(({ display, runner }) => display === command.command && together.has(runner)) &&
      (before === undefined || freshFailures(known ?? null, command).length === 0),
  )
  const files = broken.flatMap(({ failures }) => failures.flatMap(({ file }) => file ?? []))
  if (files.length === 0) return report
  const texts = await tree.read([...new Set(files)])
  const without = [...texts].map(
    ([path, was]) => ({ action: 'delete', path, before: was }) as const,
  )
  const changes = mergeChangeSets(tree.changes, without)
  const choice = { only: 'tests', isRest: true, signal } as const
  const others = reportOf(await verifyCommit('others', { sha, task }, changes, ports, choice))
  return {
    ...report,
    commands: report.commands.map((first) => {
      const rest = broken.includes(first) ? earlier(others, first) : null
      if (rest === null || ranTests(rest) === 0) return first
      const own = first.failures.flatMap(({ file }) => file ?? [])
      return {
        ...rest,
        exitCode: first.exitCode,
        tail: first.tail,
        seconds: first.seconds + rest.seconds,
        failures: [...first.failures, ...rest.failures],
        without: [...new Set(own)],
      }
    }),
  }
}

interface Hiding {
  readonly suites: readonly Suite[]
  readonly sha: string
  readonly tree: Pick<Tree, 'changes' | 'read'>
  readonly task: Pick<Scope, 'verify' | 'accept'>
  readonly signal: AbortSignal | undefined
  /** The report without the change, where there is one. */
  readonly before: RunInput['before']
}

/** No test ran, since files of tests do not compile. */
const isBuildOfTests = (report: CommandReport): boolean =>
  report.role === undefined &&
  report.exitCode !== 0 &&
  ranTests(report) === 0 &&
  report.failures.length > 0 &&
  report.failures.every(({ file }) => file !== null && isTestFile(file))

type Place = Pick<RunInput, 'folder' | 'mounts' | 'env' | 'network' | 'signal'>

/** Seconds for a program to print its version. */
const longestStart = 30
const notStarted: readonly (number | null)[] = [notRunnable, notFound, null]

/** Finds the first word and, with arguments, runs it: a path alone does not show that it starts. */
const tryProgram = `command -v "$1" >/dev/null || exit ${notFound}; test $# -eq 1 || exec "$@"`

/** Returns false when no suite can start in this folder because a program is missing. */
async function canStart(
  suites: readonly Suite[],
  place: Place,
  ports: Pick<JudgePorts, 'sandbox'>,
): Promise<boolean> {
  for (const suite of suites) {
    if ((await findNotStarting(suite, place, ports)).length === 0) return true
  }
  return suites.length === 0
}

/** Finds the programs of a suite that do not start, with their last line of output. */
export async function findNotStarting(
  suite: Suite,
  place: Place,
  { sandbox }: { readonly sandbox: Pick<Sandbox, 'run'> },
): Promise<readonly { readonly name: string; readonly lastLine: string }[]> {
  const found = []
  for (const words of programsOf(suite)) {
    const shell = withPackagePrograms(tryProgram, suite.directory)
    const { exitCode, stderr } = await sandbox.run({
      ...requestFor(suite, place),
      name: words.join(' '),
      command: { argv: ['sh', '-c', shell, 'sh', ...words] },
      ...{ timeoutSeconds: longestStart, collect: [] },
    })
    const lastLine = stderr.trim().split('\n').at(-1) ?? ''
    const lacks = missingProgramIn(lastLine)
    if (lacks !== null || notStarted.includes(exitCode)) {
      found.push({ name: lacks ?? words[0] ?? '', lastLine })
    }
  }
  return found
}

/** The programs that it starts, except the project's own; known ones with `--version`. */
function programsOf(suite: Suite): readonly (readonly string[])[] {
  const line = suite.otherwise === null ? lineOf(suite.plain ?? suite) : ''
  const named = line.split('&&').flatMap((part) => {
    const [, start] = /^\s*(?:\w+=\S*\s+|npx\s+)*(?!cd\s)(\S.*?)\s*$/.exec(part) ?? []
    const module = /^(?:python3 -m|bundle exec) [\w.-]+/.exec(start ?? '')?.[0]
    const [program] = (module ?? start ?? '').split(/\s/)
    if (program === undefined || !/^[\w.@+-]+$/.test(program)) return []
    return [module ?? program]
  })
  const isVersioned = (each: string) => each.includes(' ') || isKnownTool(each)
  return [...new Set([...suite.needs, ...named])].map((each) => [
    ...each.split(' '),
    ...(isVersioned(each) ? ['--version'] : []),
  ])
}

/** The command as a person would type it, or as a script has it. */
function lineOf({ command, display, runner }: Suite): string {
  if ('argv' in command) return command.argv.join(' ')
  return runner === 'npm-script' || runner === 'command'
    ? command.shell.replace(/^export PATH="[^"]*"; /, '')
    : display
}

/**
 * Verifies a commit with changes on top, in a folder of its own that is deleted afterwards. Runs
 * nothing when the changes cannot be written.
 *
 * @param kind starts the folder's name
 */
export async function verifyCommit(
  kind: string,
  { sha, task }: { readonly sha: string; readonly task: Pick<Scope, 'verify' | 'accept'> },
  changes: ChangeSet,
  ports: Needs,
  choice: VerifyOptions,
): Promise<Verification> {
  const name = takeName(`${kind}-${sha.slice(0, 12)}`, ports)
  try {
    const folder = await ports.workspace.checkOut(name, sha)
    const written = changes.length === 0 ? null : await ports.workspace.write(folder, changes)
    if (written?.status === 'refused')
      return { status: 'verified', report: { commands: [] }, notes: [] }
    const tree = await openTree(sha, ports.workspace)
    const changed = changes.length === 0 ? tree : tree.with(changes)
    return await verifyFolder(folder, changed, task, ports, choice)
  } finally {
    await ports.workspace.discard(name)
    folders.get(ports.workspace)?.delete(name)
  }
}

/** Folders of commits in which something runs now. */
const folders = new WeakMap<Trees, Set<string>>()

/** The name, with a number where tasks that run side by side verify the same commit. */
function takeName(wanted: string, { workspace }: Pick<JudgePorts, 'workspace'>): string {
  const taken = folders.get(workspace) ?? new Set()
  folders.set(workspace, taken)
  let name = wanted
  for (let number = 2; taken.has(name); number += 1) name = `${wanted}-${number}`
  taken.add(name)
  return name
}
