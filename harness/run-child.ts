import { spawn } from 'node:child_process'

export interface ChildRun {
  /** `null` when a signal ended it. */
  readonly code: number | null
  readonly isTimedOut: boolean
  /** The end of what it printed, both streams in one. */
  readonly output: string
  readonly seconds: number
}

const keptCharacters = 500_000

/** Runs a program in a process group of its own, which is killed when the time is up or at the signal. */
export async function runChild(
  argv: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<ChildRun> {
  const [program = '', ...args] = argv
  const started = performance.now()
  const child = spawn(program, args, {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      output = (output + piece).slice(-keptCharacters)
    })
  }
  let isTimedOut = false
  const timer = setTimeout(() => {
    isTimedOut = true
    endGroup(child.pid)
  }, milliseconds)
  const stop = () => endGroup(child.pid)
  signal?.addEventListener('abort', stop)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  clearTimeout(timer)
  signal?.removeEventListener('abort', stop)
  // What it left behind goes with it, and so does its hold on the pipes.
  endGroup(child.pid)
  child.stdout.destroy()
  child.stderr.destroy()
  return { code, isTimedOut, output, seconds: (performance.now() - started) / 1000 }
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}
