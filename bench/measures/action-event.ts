import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Row } from '../row.ts'
import { median } from '../statistics.ts'
import { environment, project, runProgram, type Workshop } from '../workshop.ts'

const runs = 9

/** The Action, called for an event that is not for it, beside a Node that does nothing. */
export async function measureActionEvent({ directory }: Workshop): Promise<readonly Row[]> {
  let calls = 0
  const server = createServer((_request, response) => {
    calls += 1
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const env = {
    ...environment(directory),
    GITHUB_EVENT_NAME: 'watch',
    GITHUB_API_URL: `http://127.0.0.1:${port}`,
    GITHUB_REPOSITORY: 'ada/engine',
    'INPUT_GITHUB-TOKEN': 'token',
  }
  const action: number[] = []
  const nothing: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const empty = await runProgram([process.execPath, '--eval', ''], directory, env)
    const ours = await runProgram([join(project, 'dist/action.cjs')], directory, env)
    if (ours.exitCode !== 0) throw new Error(`The Action failed:\n${ours.stderr}`)
    nothing.push(empty.seconds * 1000)
    action.push(ours.seconds * 1000)
  }
  server.close()
  return [
    {
      figure: 'Action: an event that is not for it',
      unit: 'ms',
      measured: median(action),
      floor: median(nothing),
      limit: 150,
      samples: action,
    },
    { figure: 'Action: API calls for that event', unit: '', measured: calls, limit: 0 },
  ]
}
