import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { takingTurns } from '../text/text.ts'
import type { SyntaxChecker, SyntaxLanguage } from './syntax-checker.ts'
import type { SyntaxAnswer, SyntaxQuestion } from './wasm-syntax-child.ts'

/** Slower parsers count as hung; 5,000 lines take 50 ms, or 900 ms for Java. */
const TIMEOUT_MS = 10_000

/** In the same folder, as a source or bundled. */
const CHILD = new URL(
  import.meta.url.endsWith('.ts') ? './wasm-syntax-child.ts' : './wasm-syntax-child.mjs',
  import.meta.url,
)

/**
 * Parsers compiled to wasm, and others too heavy for this process, in one child process. It starts
 * with the first text and loads each language on first use, has no environment variables, and does
 * not keep this process alive. After a crash the text is tried once more in a new child. A text
 * that hangs is given up, since it would hang the next child too while others wait.
 * `--liftoff-only`: without it some modules take gigabytes or hang at exit.
 */
export function createWasmSyntaxChecker(
  options: { readonly child?: URL; readonly timeoutMs?: number } = {},
): SyntaxChecker & { close(): Promise<void> } {
  const { child: program = CHILD, timeoutMs = TIMEOUT_MS } = options
  let child: ChildProcess | null = null
  let closed = false
  let questions = 0
  const inTurn = takingTurns()

  const check = async (
    language: SyntaxLanguage,
    text: string,
  ): ReturnType<SyntaxChecker['check']> => {
    let reason = 'the parser was closed'
    for (let attempt = 1; attempt <= 2 && !closed; attempt += 1) {
      if (!child?.connected) child = start(program)
      questions += 1
      const answer = await ask(child, { id: questions, language, text }, timeoutMs)
      if ('broken' in answer) {
        reason = answer.broken
        if (answer.isLate) break
      } else if ('failure' in answer) return { status: 'unavailable', reason: answer.failure }
      else return { status: 'checked', problems: answer.problems }
    }
    return { status: 'unavailable', reason }
  }

  return {
    check: (language, text) => inTurn(() => check(language, text)),
    async close() {
      closed = true
      if (child) await kill(child)
    },
  }
}

function start(program: URL): ChildProcess {
  const child = fork(fileURLToPath(program), [], {
    execArgv: ['--liftoff-only'],
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // An `error` event between two requests would otherwise be unhandled.
  return child.on('error', () => undefined)
}

interface NoAnswer {
  readonly broken: string
  readonly isLate: boolean
}

/** Returns the answer, or the reason for none, in which case the child is dead. */
function ask(
  child: ChildProcess,
  question: SyntaxQuestion,
  timeoutMs: number,
): Promise<SyntaxAnswer | NoAnswer> {
  return new Promise((resolve) => {
    const settle = async (answer: SyntaxAnswer | NoAnswer) => {
      clearTimeout(timer)
      child.off('error', onError).off('exit', onExit).off('message', onMessage)
      if ('broken' in answer) await kill(child)
      child.unref()
      child.channel?.unref()
      resolve(answer)
    }
    const fail = (broken: string, isLate = false) => settle({ broken, isLate })
    const onError = (error: Error) => fail(`the parser could not be reached: ${error.message}`)
    const onExit = (code: number | null, signal: string | null) =>
      fail(`the parser ended with ${signal ?? code}`)
    const onMessage = (answer: SyntaxAnswer) => answer.id === question.id && settle(answer)
    const late = `the parser did not answer within ${timeoutMs} ms`
    const timer = setTimeout(() => fail(late, true), timeoutMs)
    child.on('error', onError).on('exit', onExit).on('message', onMessage)
    child.ref()
    child.channel?.ref()
    child.send(question, () => undefined)
  })
}

/** Resolves when the process is gone. */
async function kill(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.ref()
  child.kill('SIGKILL')
  await gone
}
