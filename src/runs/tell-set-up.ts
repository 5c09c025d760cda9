import type { Ports, SandboxRequest } from '../core/ports.ts'
import { lastLines } from '../text/diagnosis/plain-text.ts'

/** Of the end of what an installer said. */
const mostLines = 5

/** The ports, with somebody told of what is installed: when it begins, and how it ended. */
export function tellSetUp(ports: Ports, say: (sentence: string) => void): Ports {
  const { sandbox } = ports
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
  return { ...ports, sandbox: { ...sandbox, prepare } }
}
