import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Start } from './kept-child.ts'

export interface Played {
  /** -1 when a signal ended it. */
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** What has nothing to play at the moment. */
const idle: ChildProcess[] = []

/** A start of the bundle that nobody interrupts, in a process that has played others. */
export async function playInKeptProcess(start: Omit<Start, 'end'>): Promise<Played> {
  const child = idle.pop() ?? keep()
  const end = randomUUID()
  const outputs = [child.stdout, child.stderr].map((stream) => readUntil(stream, `\n${end}\n`))
  const settled = new AbortController()
  const { signal } = settled
  const ended = Promise.race([
    once(child, 'message', { signal }).then(([{ code }]) => Number(code)),
    once(child, 'exit', { signal }).then(([code]) => Number(code ?? -1)),
  ]).finally(() => settled.abort())
  hold(child, true)
  child.send({ ...start, end })
  const [code, stdout = '', stderr = ''] = await Promise.all([ended, ...outputs])
  if (child.exitCode === null && child.signalCode === null) {
    hold(child, false)
    idle.push(child)
  }
  return { code, stdout, stderr }
}

function keep(): ChildProcess {
  return fork(fileURLToPath(new URL('./kept-child.ts', import.meta.url)), {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    cwd: '/',
  })
}

/** An idle one keeps nobody waiting, and ends with us. */
function hold(child: ChildProcess, isHeld: boolean): void {
  const how = isHeld ? 'ref' : 'unref'
  child[how]()
  child.channel?.[how]()
  for (const stream of [child.stdout, child.stderr]) {
    if (stream && how in stream) Reflect.get(stream, how).call(stream)
  }
}

/** All before `end`, or before the process ended. */
function readUntil(stream: NodeJS.ReadableStream | null, end: string): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const read = (piece: string) => {
      text += piece
      if (text.endsWith(end)) done(text.slice(0, -end.length))
    }
    const closed = () => done(text)
    const done = (found: string) => {
      stream?.off('data', read).off('close', closed)
      resolve(found)
    }
    stream?.setEncoding('utf8').on('data', read).on('close', closed)
  })
}
