import { findLacking, type Peer, type PeerWork, workAsPeer } from '../peer-work.ts'
import type { Row } from '../row.ts'
import { type SmallScenario, smallTasks } from '../scenarios.ts'
import { median } from '../statistics.ts'
import { promptTokens, workToTheEnd } from '../work.ts'
import { environment, runProgram, type Workshop } from '../workshop.ts'

/** How long the model thinks, and how many pairs that is worth; the most that the executor may take of the other's time. */
const latencies = [
  { seconds: 0, pairs: 3, limits: { S1: 1, S3: 1 } },
  { seconds: 1.5, pairs: 2, limits: { S1: 0.5, S2: 0.5, S3: 0.5 } },
] as const

interface Pair {
  readonly executor: PeerWork
  readonly peer: PeerWork
}

/** S1, S2 and S3 by the executor and another program, in turns: the same work, the same scripted model. */
export async function measurePeers(
  workshop: Workshop,
  progress: (line: string) => void,
  peers: readonly Peer[],
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const peer of peers) {
    const label = `${peer.name} ${await versionOf(workshop, peer)}`
    progress(label)
    for (const scenario of smallTasks) {
      for (const latency of latencies) {
        const pairs: Pair[] = []
        for (let pair = 0; pair < latency.pairs; pair += 1) {
          pairs.push(await workAsPair(workshop, peer, scenario, latency.seconds))
        }
        const limits: Readonly<Record<string, number>> = latency.limits
        rows.push(...timeRows(label, scenario, latency.seconds, pairs, limits[scenario.name]))
        if (latency.seconds === 0) rows.push(...countRows(label, scenario, pairs))
        progress(`${scenario.name} at ${latency.seconds} s`)
      }
    }
  }
  return rows
}

async function versionOf(workshop: Workshop, { name, path }: Peer): Promise<string> {
  const { directory } = workshop
  const { stdout, stderr } = await runProgram(
    [path, '--version'],
    directory,
    environment(directory),
  )
  const [version] = /\d+\.\d+\.\d+/.exec(stdout) ?? []
  if (version === undefined) throw new Error(`${name} does not say its version: ${stdout}${stderr}`)
  return version
}

async function workAsPair(
  workshop: Workshop,
  peer: Peer,
  scenario: SmallScenario,
  latencySeconds: number,
): Promise<Pair> {
  const other = await workAsPeer(workshop, peer, scenario, latencySeconds)
  const executor = await workToTheEnd(workshop, 'executor', scenario, { latencySeconds })
  const lacking = await findLacking(executor.root, workshop.directory, scenario)
  if (lacking !== null) throw new Error(`executor failed at ${scenario.name}: ${lacking}`)
  return { executor, peer: other }
}

function timeRows(
  name: string,
  scenario: SmallScenario,
  latency: number,
  pairs: readonly Pair[],
  limit: number | undefined,
): readonly Row[] {
  const what = `${scenario.name}, the model thinks ${latency} s`
  const seconds = pairs.map(({ executor }) => executor.seconds)
  const ratios = pairs.map(({ executor, peer }) => executor.seconds / peer.seconds)
  return [
    {
      figure: `${what}: wall time (floor: ${name})`,
      unit: 's',
      measured: median(seconds),
      floor: median(pairs.map(({ peer }) => peer.seconds)),
      samples: seconds,
    },
    {
      figure: `${what}: wall time over ${name}'s, median of pairs`,
      unit: '×',
      measured: median(ratios),
      samples: ratios,
      ...(limit !== undefined && { limit }),
    },
  ]
}

/** The same in each pair. */
function countRows(name: string, scenario: SmallScenario, [pair]: readonly Pair[]): readonly Row[] {
  if (pair === undefined) return []
  const { executor, peer } = pair
  return [
    {
      figure: `${scenario.name}: model requests (floor: ${name})`,
      unit: '',
      measured: executor.requests.length,
      floor: peer.requests.length,
    },
    {
      figure: `${scenario.name}: prompt tokens, whole task (floor: ${name})`,
      unit: 'tokens',
      measured: promptTokens(executor.requests),
      floor: promptTokens(peer.requests),
    },
  ]
}
