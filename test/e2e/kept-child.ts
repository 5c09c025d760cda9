/**
 * A process that plays one start of the bundle after the other. What a start loads is loaded once, as in
 * the App; all else is as if each had a process of its own: its environment, its directory, its outputs,
 * its exit code, and that it ends when nothing is left to do.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** One start. Its outputs end with `end`, a line of its own. */
export interface Start {
  /** A file of `dist/` that does its work when it is loaded. */
  readonly entry: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly end: string
}

const require = createRequire(import.meta.url)
let current: Start | null = null

// Each start says when it wants to be told of a signal, and the end of the process is ours.
process.setMaxListeners(0)
process.on('disconnect', () => process.exit())
process.on('message', (start: Start) => {
  current = start
  // From now on nothing but the program itself keeps this process.
  process.channel?.unref()
  process.exitCode = undefined
  process.argv = [process.execPath, start.entry, ...start.args]
  for (const name of Object.keys(process.env)) delete process.env[name]
  for (const [name, value] of Object.entries(start.env)) {
    if (value !== undefined) process.env[name] = value
  }
  process.chdir(start.cwd)
  delete require.cache[require.resolve(start.entry)]
  require(start.entry)
})

process.on('beforeExit', (code) => {
  if (current === null) return
  const { end } = current
  current = null
  for (const pid of children()) process.kill(pid, 'SIGKILL')
  forget(process, before.process)
  forget(process.stdout, before.stdout)
  process.chdir('/')
  process.channel?.ref()
  process.stdout.write(`\n${end}\n`)
  process.stderr.write(`\n${end}\n`)
  process.send?.({ code })
})

const before = { process: listenersOf(process), stdout: listenersOf(process.stdout) }

type Listeners = ReadonlyMap<string | symbol, readonly unknown[]>

function listenersOf(emitter: NodeJS.EventEmitter): Listeners {
  return new Map(emitter.eventNames().map((name) => [name, emitter.rawListeners(name)]))
}

/** Takes off what a start has put on; what it does at the end of the process stays for that end. */
function forget(emitter: NodeJS.EventEmitter, known: Listeners): void {
  for (const name of emitter.eventNames()) {
    if (name === 'exit' || name === 'beforeExit') continue
    for (const listener of emitter.rawListeners(name)) {
      if (known.get(name)?.includes(listener) !== true) emitter.off(name, listener as () => void)
    }
  }
}

/** They would end with the process. */
function children(): readonly number[] {
  return readdirSync('/proc/self/task').flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number),
  )
}
