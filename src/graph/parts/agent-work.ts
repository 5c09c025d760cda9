import { type Folder, openTree } from '../../../packages/change/change.ts'
import { lastLines, plainText } from '../../../packages/diagnosis/diagnosis.ts'
import { packagesOf, readDifference } from '../../../packages/judge/judge.ts'
import type { ReachedRun } from '../../../packages/sandbox/sandbox.ts'
import type { AgentWork } from '../../core/domain/agent-work.ts'
import type { Attempt } from '../../core/domain/attempt.ts'
import type { OpenRelay } from '../../core/ports/relay.ts'
import type { Ports } from '../../core/ports.ts'
import { shortenFile } from '../../model/prompts/compose-prompt.ts'

type Needs = Pick<Ports, 'workspace' | 'sandbox' | 'settings' | 'clock'>

/**
 * Lets the agent work in a fresh folder with the attempt's change so far, and reads what it left there. The folder is
 * removed in any case.
 */
export async function workInFolder(
  attempt: Attempt,
  prompt: string,
  relay: OpenRelay,
  ports: Needs,
): Promise<AgentWork> {
  const { workspace, settings } = ports
  const name = `agent-${attempt.task.id}`
  const folder = await workspace.checkOut(name, attempt.start.sha)
  try {
    const changes = attempt.draft?.changes ?? []
    const written = await workspace.write(folder, changes)
    if (written.status === 'refused') return useless(`${written.path}: ${written.reason}`, '')
    const tree = (await openTree(attempt.start.sha, workspace)).with(changes)
    const { mounts, env } = await (await packagesOf(tree)).lend(folder, ports)
    const variables = { ...env, ...relay.env, EXECUTOR_TASK: attempt.task.id }
    const pieces = inPieces(prompt)
    const run = await ports.sandbox.runReaching(
      {
        ...{ command: { argv: startOf(settings.agent.command ?? '', pieces, relay) } },
        name: 'the agent',
        ...{ folder: folder.path, directory: '.', network: false, mounts, collect: [] },
        env: { ...variables, ...pieces },
        ...{ timeoutSeconds: settings.agent.seconds, signal: relay.signal },
      },
      { port: relay.port, hosts: settings.agent.network },
    )
    return await readWork(folder, run, ports)
  } finally {
    await workspace.discard(name)
  }
}

/** Linux limits a variable to 128 KiB: with four bytes for each of these characters, it fits. */
const piece = /[\s\S]{1,30000}/gu

const inPieces = (prompt: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (prompt.match(piece) ?? ['']).map((text, at) => [`EXECUTOR_PROMPT_${at}`, text]),
  )

/** Writes the settings into the fresh home, then starts the agent with the prompt on its standard input. */
const scriptFor = (names: readonly string[]): string =>
  [
    'while [ $# -gt 1 ]; do',
    '  mkdir -p "$HOME/$(dirname "$1")" && printf %s "$2" >"$HOME/$1" || exit 125; shift 2',
    'done',
    `printf %s ${names.map((name) => `"$${name}"`).join(' ')} | { unset ${names.join(' ')}; exec sh -c "$1"; }`,
  ].join('\n')

const startOf = (
  command: string,
  pieces: Readonly<Record<string, string>>,
  { homeFiles }: OpenRelay,
): readonly string[] => [
  ...['sh', '-c', scriptFor(Object.keys(pieces)), 'agent'],
  ...Object.entries(homeFiles).flat(),
  command,
]

/** Of what an agent says, in characters. */
const longestSummary = 1_500
/** Of its output where it fails, in lines. */
const mostLines = 15

async function readWork(folder: Folder, run: ReachedRun, ports: Needs): Promise<AgentWork> {
  const said = plainText(run.stdout).trim()
  const problem = problemOf(run, ports.settings.agent.seconds)
  const reached = reachOf(run, ports.settings.agent.network)
  if (problem !== null) {
    const output = plainText(run.stderr).trim() || said
    const [last] = lastLines(output, 1)
    const why = last === undefined ? problem : `${problem}: ${last}`
    return { ...useless(why, lastLines(output, mostLines).join('\n')), reached }
  }
  const { workspace } = ports
  const entries = await workspace.diff(folder)
  const { changes, beyond } = await readDifference(
    entries,
    (paths) => workspace.readFiles(folder.sha, paths),
    (paths) => workspace.readFolder(folder, paths),
  )
  if (beyond.some(({ kind }) => kind === 'size')) {
    return { ...useless(`the agent changed ${entries.length} files`, ''), reached }
  }
  const tried = run.refused.length === 0 ? [] : [`the agent was refused ${run.refused.join(', ')}`]
  const notes = [...beyond.map(({ path, what }) => `${path} ${what}, which was left out`), ...tried]
  const summary = lastWords(said)
  return { changes, summary, notes, problem: null, output: '', reached }
}

const useless = (problem: string, output: string): AgentWork => ({
  ...{ changes: [], summary: '', notes: [], problem, output, reached: null },
})

function problemOf({ exitCode, timedOut, ended }: ReachedRun, seconds: number): string | null {
  if (timedOut) return `the agent was stopped after ${Math.round(seconds / 60)} minutes`
  if (ended !== undefined) return `the agent was stopped: it ${ended}`
  return exitCode === 0 ? null : `the agent ended with exit code ${exitCode ?? 'unknown'}`
}

function reachOf({ reached }: ReachedRun, hosts: readonly string[]): string | null {
  if (reached === 'machine') return 'everything that this machine can reach (sandbox: off)'
  if (hosts.includes('*')) return 'all of the internet (agent-network)'
  return hosts.length === 0 ? null : `${hosts.join(', ')} (agent-network)`
}

/** The last paragraph, which is what agents say at their end. */
function lastWords(said: string): string {
  const last = said.split(/\n\s*\n/).at(-1) ?? ''
  return shortenFile(last, longestSummary)
}
