import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Holder } from '../../adapters/durable-store/lease.ts'
import { openSharedState } from '../../adapters/durable-store/shared-state.ts'
import { openDurableStore } from '../../adapters/durable-store.ts'
import { createFileMemory } from '../../adapters/file-store/memory-file.ts'
import { createFileStore } from '../../adapters/file-store.ts'
import { createGitWorkspace, type GitWorkspaceOptions } from '../../adapters/git-workspace.ts'
import { type ApiCalls, type GitHubRepository, openClient } from '../../adapters/octokit/client.ts'
import { askRunLiveness } from '../../adapters/octokit/workflows.ts'
import { createOctokitDiscussion } from '../../adapters/octokit-discussion.ts'
import { createOctokitForge } from '../../adapters/octokit-forge.ts'
import type { Log } from '../../adapters/pino-log.ts'
import { createSystemClock } from '../../adapters/system.ts'
import type { Telemetry } from '../../adapters/telemetry/signals.ts'
import { openTelemetry } from '../../adapters/telemetry.ts'
import type { Discussion } from '../../core/ports/discussion.ts'
import type { Forge } from '../../core/ports/forge.ts'
import type { OwnTexts } from '../../core/ports/own-texts.ts'
import type { Pace } from '../../core/ports/pace.ts'
import type { Workspace } from '../../core/ports/workspace.ts'
import { watchDiscussion } from '../observe/watch-ports.ts'
import { redactDiscussion } from '../redact/redact-ports.ts'
import { compose, type Session, type SessionRequest } from './compose.ts'
import { workPlace } from './compose-local.ts'

/** The place of a workflow run according to the runner's environment, also on GitHub Enterprise. */
export interface WorkflowPlace {
  readonly owner: string
  readonly repo: string
  readonly serverUrl: string
  readonly apiUrl: string
  /** The default branch; `null` asks GitHub. */
  readonly base: string | null
  /** The checkout, which has the installed dependencies and receives the report. */
  readonly workspace: string
  /** The workflow file of this run, `.github/workflows/executor.yml`. */
  readonly workflowPath?: string | undefined
  readonly runId?: string | undefined
  /** 1 for the first attempt; earlier ones have ended. */
  readonly runAttempt?: number
  /** False without a checkout whose objects could be shared: then everything is fetched from GitHub. */
  readonly checkedOut: boolean
  /** A private folder, new for each job. */
  readonly temporary: string
}

/** Called before every request, since an App's token expires after an hour. */
export type Token = () => Promise<string> | string

/** Opens the executor's own clone beside the checkout. `identity` signs commits; reading needs none. */
export async function openCheckout(
  place: WorkflowPlace,
  token: Token,
  identity = { name: '', email: '' },
  more: Pick<GitWorkspaceOptions, 'effects' | 'index'> = {},
): Promise<Workspace> {
  const options = checkoutOptions(place, token, identity)
  return createGitWorkspace({ ...options, ...more, work: workPlace(options.home) })
}

function checkoutOptions(
  place: WorkflowPlace,
  token: Token,
  identity: GitWorkspaceOptions['identity'],
): Omit<GitWorkspaceOptions, 'effects' | 'index'> {
  const remote = `${place.serverUrl}/${place.owner}/${place.repo}.git`
  return {
    source: place.checkedOut ? place.workspace : remote,
    remote,
    token,
    base: place.base,
    home: join(place.temporary, 'roadmap-executor', 'repository'),
    identity,
    clock: createSystemClock(),
  }
}

export interface GitHubSession extends Session {
  readonly discussion: Discussion
  readonly apiCalls: Readonly<ApiCalls>
}

interface GitHubSessionRequest extends SessionRequest {
  readonly place: WorkflowPlace
  readonly token: Token
  /** The executor's login, if the token may not ask for it. */
  readonly login?: string
  /** Counts the writes of everything that shares the token's installation. */
  readonly writes?: Pace | undefined
  readonly log: (line: string) => void
  /** The log of runs; by default a file beside the report. */
  readonly lines?: Log
  /** The App's telemetry, shared by all its jobs; by default the session opens its own. */
  readonly telemetry?: Telemetry
  readonly notice?: (sentence: string) => void
}

/** The ports of a workflow run: GitHub as the forge, no person to ask, state on the runner's disk. */
export async function composeGitHub(request: GitHubSessionRequest): Promise<GitHubSession> {
  const { place, settings, token, dryRun = false } = request
  const { owner, repo, apiUrl, workflowPath, runId, workspace: root, temporary } = place
  const { answers, retentionDays } = settings.state
  const client = Promise.withResolvers<GitHubRepository>()
  const own = Promise.withResolvers<OwnTexts>()
  const session = await compose(request, {
    ...{ root, checkedOut: place.checkedOut, cache: join(temporary, 'roadmap-executor') },
    ...{ secrets: [await token()], log: request.log, lines: request.lines },
    openTelemetry: async () =>
      dryRun ? null : (request.telemetry ?? (await openTelemetry(process.env))),
    person: { present: false, ask: async () => null },
    async openState({ directory, clock, random, redact }) {
      const memory = createFileMemory({ directory, clock })
      const keepAnswers = answers !== 'off'
      const { store, leases, texts, close } = openDurableStore({
        openDisk: (heard) => createFileStore({ directory, clock, heard, keepAnswers }),
        shared: await openSharedState(checkoutOptions(place, token, settings.commit), random),
        ...{ memory, roadmap: settings.roadmap, shareAnswers: answers === 'ref', retentionDays },
        holder: holderOf(place),
        ask: async (run) => askRunLiveness(await client.promise, run),
        ...{ clock, random },
        notice: (sentence) => (request.notice ?? request.log)(redact(sentence)),
      })
      own.resolve(texts)
      return { store, leases, memory, close }
    },
    async openCode({ clock, log, directory, note }, effects) {
      const about = { owner, repo, token, apiUrl, workflowPath, runId, login: request.login }
      const pace = !isThisMachine(apiUrl)
      const repository = openClient({
        ...{ ...about, clock, pace, writes: request.writes, log, effects },
        texts: await own.promise,
      })
      client.resolve(repository)
      const workspace = await openCheckout(place, token, settings.commit, {
        effects,
        index: dryRun ? undefined : { directory, clock, note },
      })
      const forge = { ...createOctokitForge(repository), ...runLogOf(place) }
      return { forge, workspace }
    },
  })
  const repository = await client.promise
  const discussion = watchDiscussion(createOctokitDiscussion(repository), session.watch)
  return {
    ...session,
    discussion: redactDiscussion(discussion, session.secrets),
    apiCalls: repository.calls,
  }
}

const runLogOf = ({ serverUrl, owner, repo, runId }: WorkflowPlace): Pick<Forge, 'runLog'> =>
  runId === undefined ? {} : { runLog: `${serverUrl}/${owner}/${repo}/actions/runs/${runId}` }

/** A workflow run, or this machine, which serves one job of a repository at a time. */
const holderOf = ({ runId, runAttempt = 1, temporary }: WorkflowPlace): Holder =>
  runId === undefined
    ? { kind: 'machine', name: `${hostname()}:${temporary}` }
    : { kind: 'workflow', run: runId, attempt: runAttempt }

/** Returns true for a server on this machine, which needs no rate limit. */
export const isThisMachine = (url: string): boolean =>
  ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)
