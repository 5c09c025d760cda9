/**
 * Says on standard error, when the process ends, what processor time its main thread had used when each process and
 * connection was started: `node --import ./bench/cpu-timeline.mjs dist/cli.cjs run …`. Unlike the clock, it is the same
 * beside other work.
 */
import { ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'

const marks = []

function mark(name) {
  const { user, system } = process.threadCpuUsage()
  marks.push(`${((user + system) / 1000).toFixed(1).padStart(8)} ms  ${name}`)
}

function marking(prototype, method, nameOf) {
  const original = prototype[method]
  prototype[method] = function (...given) {
    mark(nameOf(...given))
    return original.apply(this, given)
  }
}

/** The program with its first word that is no option: `git cat-file`. */
function nameOfProcess({ args: [program, ...args] }) {
  const words = args.filter((each, index) => !each.startsWith('-') && args[index - 1] !== '-c')
  return `${program} ${program === 'git' ? (words[0] ?? '') : (words.at(-1) ?? '')}`
}

mark('node')
marking(ChildProcess.prototype, 'spawn', nameOfProcess)
marking(Socket.prototype, 'connect', () => 'connect')
process.on('exit', () => {
  mark('exit')
  process.stderr.write(`${marks.join('\n')}\n`)
})
