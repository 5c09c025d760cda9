/** The built program as a child process, in a real repository in a temporary folder. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Report } from '../../../src/publish/report/build-report.ts'
import { headOf } from '../../adapters/git-repository.ts'
import { playInKeptProcess } from '../kept-process.ts'
import { checkEvents } from './check-events.ts'

export const cli = fileURLToPath(new URL('../../../dist/cli.cjs', import.meta.url))
/** The program without its compiled code: a kept process has compiled it. */
const main = fileURLToPath(new URL('../../../dist/main.cjs', import.meta.url))

export type Files = Readonly<Record<string, string>>
export type Variables = Readonly<Record<string, string>>

export interface CliResult {
  /** -1 when a signal ended it. */
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface Start {
  /** Standard input; empty when not given, and left open for `null`. */
  readonly input?: string | null
  /** The repository when not given. */
  readonly directory?: string
}

export interface RunningCli {
  readonly ended: Promise<CliResult>
  readonly process: ChildProcess
  /** Resolves when standard error has this. */
  said(text: string): Promise<void>
}

export interface Commit {
  readonly sha: string
  readonly parent: string
  readonly title: string
  readonly trailers: Readonly<Record<string, string>>
}

export interface Project extends Disposable {
  /** Holds the repository and a cache: everything the program writes is in it. */
  readonly root: string
  readonly path: string
  /** Where the program keeps its clone and the folders of tasks. */
  readonly cache: string
  /** Of every process that works in the project. */
  readonly environment: Readonly<Record<string, string | undefined>>
  git(...args: readonly string[]): string
  put(path: string, content: string): void
  /** Commits everything there is; answers the commit. */
  commit(message?: string): string
  /** In a process of its own. */
  start(args: readonly string[], variables?: Variables, more?: Start): RunningCli
  /** In a process that has played others, if that makes no difference. */
  run(args: readonly string[], variables?: Variables, more?: Start): Promise<CliResult>
  /** Names of the branches `agent/*`, sorted. */
  branches(): readonly string[]
  /** A file's text at a branch or commit; `null` when it is not there. */
  show(at: string, path: string): string | null
  /** First parents, newest first. */
  log(range: string): readonly Commit[]
  report(): Report
  /** Id and status of each entry of todos.json. */
  todos(): Readonly<Record<string, string>>
}

/** What node, or a library when it is loaded, reads once for a process. */
const isReadAtStart = (name: string): boolean => /^(NODE_|FORCE_COLOR|OTEL_|TZ$|LANG)/.test(name)

/** No process to tidy up after each commit. */
const quick = ['--no-optional-locks', '-c', 'maintenance.auto=false', '-c', 'gc.auto=0']

/** A repository with these files committed on `main`; without files it has no commit. */
export function createProject(files: Files, name = 'project'): Project {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'executor-e2e-')))
  const path = join(root, name)
  const environment = {
    PATH: process.env.PATH,
    // Where version managers keep the tools; of git's settings there, none counts.
    HOME: process.env.HOME,
    XDG_CACHE_HOME: join(root, 'cache'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.org',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.org',
    NO_COLOR: '1',
    // One bundle, started hundreds of times.
    NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
  }
  for (const folder of [path, environment.XDG_CACHE_HOME]) mkdirSync(folder)
  const git = (...args: readonly string[]): string =>
    execFileSync('git', [...quick, ...args], {
      cwd: path,
      env: environment,
      encoding: 'utf8',
      stdio: 'pipe',
    }).replace(/\n$/, '')
  const record = (message: string): void => {
    git('add', '--all')
    git('commit', '--quiet', '--no-verify', '-m', message)
  }
  let starts = 0
  /** A run also writes its events beside the project, and each of them is checked at its end. */
  const watched = (args: readonly string[]) => {
    const file = `${root}.events/${starts++}.jsonl`
    const isWatched = args[0] === 'run' && !args.some((word) => word.startsWith('--events'))
    if (isWatched) mkdirSync(dirname(file), { recursive: true })
    const check = (result: CliResult) => {
      if (isWatched) checkEvents(file, result)
      return result
    }
    return { words: isWatched ? [...args, `--events=${file}`] : args, check }
  }
  const start: Project['start'] = (args, variables = {}, { input = '', directory = path } = {}) => {
    const { words, check } = watched(args)
    const running = startCli(words, directory, { ...environment, ...variables }, input)
    return { ...running, ended: running.ended.then(check) }
  }
  const play = async (args: readonly string[], variables: Variables, cwd: string) => {
    const { words, check } = watched(args)
    const env = { ...environment, ...variables }
    return check(await playInKeptProcess({ entry: main, args: words, cwd, env }))
  }
  const project: Project = {
    root,
    path,
    cache: environment.XDG_CACHE_HOME,
    environment,
    git,
    put(file, content) {
      mkdirSync(dirname(join(path, file)), { recursive: true })
      writeFileSync(join(path, file), content)
    },
    commit(message = 'by hand') {
      record(message)
      return headOf(path)
    },
    start,
    run: (args, variables = {}, more = {}) =>
      more.input === undefined && !Object.keys(variables).some(isReadAtStart)
        ? play(args, variables, more.directory ?? path)
        : start(args, variables, more).ended,
    branches: () =>
      git('for-each-ref', '--format=%(refname:short)', 'refs/heads/agent')
        .split('\n')
        .filter(Boolean),
    show(at, file) {
      const isThere = git('ls-tree', '--name-only', '-z', at, '--', file) !== ''
      return isThere
        ? execFileSync('git', ['show', `${at}:${file}`], {
            cwd: path,
            env: environment,
            encoding: 'utf8',
          })
        : null
    },
    log: (range) => readLog(git('log', '--first-parent', `--format=${commitFormat}`, range)),
    report: () => JSON.parse(readFileSync(join(path, '.executor/report.json'), 'utf8')),
    todos() {
      const written = readFileSync(join(path, '.executor/todos.json'), 'utf8')
      const { todos }: { todos: { id: string; status: string }[] } = JSON.parse(written)
      return Object.fromEntries(todos.map(({ id, status }) => [id, status]))
    },
    [Symbol.dispose]() {
      for (const folder of [root, `${root}.events`])
        rmSync(folder, { recursive: true, force: true })
    },
  }
  git('init', '--quiet', '--template=', '--initial-branch=main')
  for (const [file, content] of Object.entries(files)) project.put(file, content)
  if (Object.keys(files).length > 0) record('start')
  return project
}

function startCli(
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  input: string | null,
): RunningCli {
  const child = spawn(process.execPath, [cli, ...args], { cwd, env, stdio: 'pipe' })
  child.stdin.on('error', () => {})
  if (input !== null) child.stdin.end(input)
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    stderr += piece
  })
  const ended = Promise.all([once(child, 'close'), text(child.stdout)]).then(
    ([[code], stdout]) => ({ code: Number(code ?? -1), stdout, stderr }),
  )
  const said = async (words: string) => {
    while (!stderr.includes(words)) await once(child.stderr, 'data')
  }
  return { ended, process: child, said }
}

const commitFormat = '%H%x00%P%x00%s%x00%(trailers:only,unfold,separator=%x02)%x01'

function readLog(output: string): readonly Commit[] {
  return output
    .split('\x01')
    .map((each) => each.trim())
    .filter(Boolean)
    .map((each) => {
      const [sha = '', parent = '', title = '', trailers = ''] = each.split('\0')
      const pairs = trailers.split('\x02').map((line) => line.split(/: (.*)/s).slice(0, 2))
      return { sha, parent, title, trailers: Object.fromEntries(pairs) }
    })
}

/** Command lines of processes that work in this project, the program's own among them. */
export function processesOf({ root }: Project): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
        const isOurs = line.includes(root) || readlinkSync(`/proc/${pid}/cwd`).startsWith(root)
        return isOurs ? [line] : []
      } catch {
        return []
      }
    })
}

/** What the program should not hold when it has ended: its lock, folders of tasks. */
export function leftovers({ path, cache }: Project): readonly string[] {
  const folders = execFileSync('find', [cache, '-path', '*/folders/*', '-print'], {
    encoding: 'utf8',
  })
  const lock = join(path, '.executor/lock')
  return [...folders.split('\n').filter(Boolean), ...(existsSync(lock) ? [lock] : [])]
}
