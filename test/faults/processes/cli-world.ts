/** The bundled command line in a repository on this disk, which stays as a process leaves it. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startModelServer } from '../../../packages/github-simulator/model/start-model-server.ts'
import { createProject, leftovers, type Project } from '../../e2e/cli/bench.ts'
import { type EndState, plainWords } from '../end-state.ts'
import { type ProcessWorld, type Started, withoutFigures } from './process-world.ts'
import { createModelOfWork, project as files, loopProject } from './scripted-work.ts'
import type { FileStrike } from './strike-files.ts'
import { createCountingGit, type GitStrike } from './strike-git.ts'

/** What goes wrong in one process; what is not given goes right, and is counted. */
export interface CliStrike {
  readonly git?: GitStrike
  readonly file?: Pick<FileStrike, 'at' | 'fault'>
}

export interface CliWorld extends ProcessWorld {
  readonly project: Project
  /** Without a strike neither git nor files are watched. */
  start(strike?: CliStrike): Started
}

const preload = fileURLToPath(new URL('strike-files.ts', import.meta.url))

export interface CliWork {
  /** With `strategy: tools`. */
  readonly withTools?: boolean
  /** Tasks at a time, each from the work that it depends on; without it, each from the one before. */
  readonly lanes?: number
}

export async function openCliWorld({ withTools = false, lanes }: CliWork = {}): Promise<CliWorld> {
  const model = createModelOfWork()
  const server = await startModelServer({ script: model.script })
  const project = createProject(withTools ? loopProject : files)
  const strategy = { EXECUTOR_STRATEGY: 'tools', EXECUTOR_REFLECT_AFTER: '1' }
  const sideBySide = { EXECUTOR_PARALLEL: String(lanes), EXECUTOR_STACK: 'auto' }
  const watch = watchCalls(project)
  return {
    ...{ model, project },
    start(strike) {
      const began = performance.now()
      const asked = model.paid.length
      const running = project.start(['run'], {
        ...{ OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'a-key-for-loopback' },
        OPENAI_MODEL: 'scripted',
        ...(withTools && strategy),
        ...(lanes !== undefined && sideBySide),
        ...(strike && watch.arm(strike)),
      })
      const timers: NodeJS.Timeout[] = []
      const kill = (name: NodeJS.Signals) => running.process.kill(name)
      const ended = running.ended.then(({ code, stdout, stderr }) => {
        timers.forEach(clearTimeout)
        return {
          code,
          said: `${stdout}${stderr}`,
          requests: model.paid.slice(asked).map((key) => `model ${key}`),
          calls: strike ? watch.calls() : { git: [], files: [] },
          milliseconds: performance.now() - began,
        }
      })
      return {
        ended,
        said: running.said,
        cancel() {
          kill('SIGINT')
          timers.push(setTimeout(kill, 7_500, 'SIGTERM'), setTimeout(kill, 10_000, 'SIGKILL'))
        },
        vanish: () => void kill('SIGKILL'),
      }
    },
    endOf: async () => endOf(project),
    async recorded() {
      const folder = join(project.path, '.executor', 'journal')
      const names = existsSync(folder) ? readdirSync(folder) : []
      const lines = names.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
      return lines.filter((line) => /"kind":"answered".*\}$/.test(line)).length
    },
    async [Symbol.asyncDispose]() {
      await server.close()
      project[Symbol.dispose]()
      watch.close()
    },
  }
}

/** Watches what one process asks of git and writes to files. */
function watchCalls({ root, path }: Project) {
  const folder = mkdtempSync(join(tmpdir(), 'calls-'))
  const git = createCountingGit(folder)
  const log = join(folder, 'files')
  const plain = (call: string): string =>
    call
      .replaceAll(path, 'PROJECT')
      .replaceAll(root, '')
      .replaceAll(/repositories\/\w+/g, 'repositories/OURS')
      .replaceAll(uuid, 'UUID')
      .replaceAll(/run-\d{8}-\d{6}-\w+/g, 'RUN')
      .replaceAll(/\d{4}-\d\d-\d\d/g, 'DAY')
  return {
    /** The variables that a process needs to be watched. */
    arm(strike: CliStrike): Readonly<Record<string, string>> {
      git.arm(strike.git ?? null)
      const { at, fault } = strike.file ?? { at: -1, fault: 'fails' }
      return {
        PATH: `${folder}:${process.env.PATH}`,
        NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import ${preload}`,
        EXECUTOR_FILE_STRIKE: JSON.stringify({ below: root, log, at, fault } satisfies FileStrike),
      }
    },
    calls: () => ({
      git: git.calls(),
      files: existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').map(plain) : [],
    }),
    close: () => rmSync(folder, { recursive: true }),
  }
}

const uuid = /[0-9a-f]{8}-[0-9a-f-]{27}/g

/** Branches, what is the user's, what our folder holds; a lock or a task's folder should not be left. */
function endOf(project: Project): EndState {
  const { git, path } = project
  const plain = withoutFigures(plainWords({ pulls: [], issues: [] }))
  const ends: Record<string, string> = {}
  for (const ref of git('for-each-ref', '--format=%(refname)').split('\n')) {
    ends[ref] = git('ls-tree', '-r', ref)
    ends[`message of ${ref}`] = plain(git('log', '-1', '--format=%B', ref))
  }
  ends['checked out'] = git('symbolic-ref', 'HEAD')
  ends['not committed'] = git('status', '--porcelain')
  ends.damage = git('fsck', '--connectivity-only', '--no-dangling')
  ends['left over'] = leftovers(project).join('\n')
  const own = readdirSync(join(path, '.executor'), { recursive: true, encoding: 'utf8' })
  const names = own.map((name) => plain(name.replaceAll(uuid, 'UUID')))
  // What a kill leaves of the lock goes when it is old, what it leaves of the database when that is closed;
  // and a fix that is not remembered is found anew.
  ends['.executor'] = [...new Set(names)]
    .filter((name) => !/^lock\.UUID$|^history\.db-|^memory\.json$/.test(name))
    .sort()
    .join('\n')
  if (names.includes('report.json')) {
    ends.report = project
      .report()
      .tasks.map(({ id, outcome }) => `${id} ${outcome}`)
      .toSorted()
      .join('\n')
  }
  if (names.includes('todos.json')) ends['todos.json'] = JSON.stringify(project.todos())
  return ends
}
