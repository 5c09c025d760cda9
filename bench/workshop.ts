/** Where everything is measured: a directory of its own, away from this repository. */
import { spawn } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

export interface Workshop {
  readonly directory: string
  /** `floor.ts`, as JavaScript. */
  readonly floor: string
  close(): Promise<void>
}

export interface ProgramRun {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
  readonly seconds: number
  /** Peak resident memory of the process itself in MB; 0 unless it was asked for. */
  readonly peakMemory: number
}

export const project = fileURLToPath(new URL('..', import.meta.url))

export async function openWorkshop(): Promise<Workshop> {
  const directory = await mkdtemp(join(tmpdir(), 'executor-bench-'))
  const floor = join(directory, 'floor.mjs')
  await copyFile(join(project, 'bench/floor.ts'), floor)
  const close = () => rm(directory, { recursive: true, force: true })
  return { directory, floor, close }
}

/** A repository with one commit. */
export async function makeRepository(
  { directory }: Workshop,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const root = await mkdtemp(join(directory, 'repository-'))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
  }
  const steps = [
    ['init', '--quiet', '--initial-branch=main'],
    ['add', '--all'],
    ['commit', '--quiet', '--message=Start'],
  ]
  for (const step of steps) {
    const { exitCode, stderr } = await runProgram(['git', ...step], root, environment(directory))
    if (exitCode !== 0) throw new Error(`git ${step[0]}: ${stderr}`)
  }
  return root
}

/**
 * What a program is given: this very Node, a home of its own, and none of the certificates that
 * would make Node's start slower.
 */
export function environment(home: string): Readonly<Record<string, string>> {
  return {
    PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}`,
    HOME: home,
    XDG_CACHE_HOME: join(home, '.cache'),
    OPENAI_API_KEY: 'sk-scripted-0123456789',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Bench',
    GIT_AUTHOR_EMAIL: 'bench@example.org',
    GIT_COMMITTER_NAME: 'Bench',
    GIT_COMMITTER_EMAIL: 'bench@example.org',
  }
}

/** Says its own peak on file descriptor 3 when it ends: exact, and only of this process. */
const memoryReporter =
  'data:text/javascript,import{writeSync}from"node:fs";process.on("exit",()=>writeSync(3,`${process.resourceUsage().maxRSS}`))'

/** `argv` begins with a program, or with a script to be run by this Node. */
export async function runProgram(
  argv: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  options: { readonly reportMemory?: boolean } = {},
): Promise<ProgramRun> {
  const [program = '', ...args] = argv
  const isScript = /\.[cm]js$/.test(program)
  const reporter = options.reportMemory ? ['--import', memoryReporter] : []
  const command = isScript ? process.execPath : program
  const started = performance.now()
  const child = spawn(command, isScript ? [...reporter, program, ...args] : args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const [exitCode, stdout, stderr, kilobytes] = await Promise.all([
    new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', resolve)
    }),
    ...[1, 2, 3].map((index) => read(child.stdio[index])),
  ])
  const seconds = (performance.now() - started) / 1000
  const peakMemory = Number(kilobytes) / 1024
  return { exitCode, stdout: stdout ?? '', stderr: stderr ?? '', seconds, peakMemory }
}

const read = (stream: unknown): Promise<string> =>
  stream !== null && typeof stream === 'object' && Symbol.asyncIterator in stream
    ? text(stream as NodeJS.ReadableStream)
    : Promise.resolve('')
