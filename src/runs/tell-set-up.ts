import type { SandboxRequest } from '../core/ports/sandbox.ts'
import type { Ports } from '../core/ports.ts'
import type { Observer } from '../graph/run-graph.ts'
import { lastLines } from '../text/diagnosis/plain-text.ts'

/** Of the end of what an installer said. */
const mostLines = 5

/** The ports, with somebody told of what is installed, when and how it ended, and of each request to the model. */
export function tellSetUp(ports: Ports, observer: Observer | undefined): Ports {
  const { sandbox, model } = ports
  const say = (sentence: string) => observer?.noticed?.(sentence)
  const prepare = async (request: SandboxRequest) => {
    const { name } = request
    if (name === undefined) return sandbox.prepare(request)
    say(`  what the tests need is set up: ${name} …`)
    const run = await sandbox.prepare(request)
    const took = `${Math.round(run.seconds)} s`
    if (run.exitCode === 0) {
      say(`    ${name}: done in ${took}`)
      return run
    }
    say(`    ${name} failed after ${took}:`)
    for (const line of lastLines(`${run.stdout}\n${run.stderr}`, mostLines)) say(`      ${line}`)
    return run
  }
  const complete: Ports['model']['complete'] = (request) => {
    observer?.asking?.()
    return model.complete(request)
  }
  return { ...ports, sandbox: { ...sandbox, prepare }, model: { ...model, complete } }
}
