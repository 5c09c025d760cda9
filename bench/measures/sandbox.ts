import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sandbox, SandboxKind } from '../../packages/sandbox/port.ts'
import { createProcessSandbox } from '../../packages/sandbox/process-sandbox.ts'
import type { Row } from '../row.ts'
import { smallProject } from '../scenarios.ts'
import { median, timed } from '../statistics.ts'
import { environment, makeRepository, runProgram, type Workshop } from '../workshop.ts'

const pairs = 9
const test = ['node', '--test']

/** Milliseconds that each kind may add; `unshare` has no target. */
const kinds: readonly (readonly [kind: SandboxKind, limit?: number])[] = [
  ['bubblewrap', 80],
  ['other-user', 150],
  ['unshare'],
]

/** The tests of a small project in each kind of sandbox that this machine has, beside the bare command. */
export async function measureSandbox(
  workshop: Workshop,
  progress: (line: string) => void,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const [kind, limit] of kinds) {
    progress(kind)
    const cacheDirectory = await mkdtemp(join(workshop.directory, 'sandbox-'))
    const sandbox = createProcessSandbox({
      mode: 'auto',
      checkout: null,
      cacheDirectory,
      only: kind,
    })
    if ((await sandbox.ability().catch(() => null)) === null) progress(`${kind} is not there`)
    else rows.push(await costRow(workshop, sandbox, kind, limit))
  }
  return rows
}

async function costRow(
  workshop: Workshop,
  sandbox: Sandbox,
  kind: SandboxKind,
  limit: number | undefined,
): Promise<Row> {
  const folder = await makeRepository(workshop, smallProject)
  const inSandbox = async () => {
    const { exitCode, stderr } = await sandbox.run({
      ...{ command: { argv: test }, folder, directory: '.', env: {}, network: false },
      ...{ mounts: [], timeoutSeconds: 60, collect: [] },
    })
    if (exitCode !== 0) throw new Error(`The tests failed in ${kind}:\n${stderr}`)
  }
  const bare = () => runProgram(test, folder, environment(workshop.directory))
  const added: number[] = []
  const floor: number[] = []
  for (let pair = 0; pair < pairs; pair += 1) {
    const [alone = Number.NaN] = await timed(1, bare)
    const [ours = Number.NaN] = await timed(1, inSandbox)
    floor.push(alone)
    added.push(ours - alone)
  }
  return {
    figure: `a test run in ${kind}, over the bare command (the floor: the bare command)`,
    unit: 'ms',
    measured: median(added),
    floor: median(floor),
    samples: added,
    ...(limit !== undefined && { limit }),
  }
}
