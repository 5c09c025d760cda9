import { throttling } from '@octokit/plugin-throttling'
import { Octokit as Plain } from '@octokit/rest'

/** All that GitHub can be asked for, writes included: known to the client and to the acts of effects. */
export type Octokit = Plain

export const PacedOctokit = Plain.plugin(throttling)

type Reads<Group> = Pick<Group, Extract<keyof Group, `get${string}` | `list${string}`>>

/** What may be asked of GitHub by anybody here. */
export type ReadingClient = {
  readonly [Group in 'actions' | 'checks' | 'issues' | 'pulls' | 'repos']: Reads<Plain[Group]>
}
