import type { GitHubServer } from '../../packages/github-simulator/github/server.ts'
import type { PaceLimit } from '../../src/core/ports/pace.ts'
import type { Plan } from './plan.ts'

/** What differs from one branch, one pull request and one comment for each task. */
export async function findWrong(
  server: Pick<GitHubServer, 'state'>,
  { jobs }: Plan,
): Promise<{ readonly lost: number; readonly twice: number }> {
  let lost = 0
  let twice = 0
  for (const { repository, payload } of jobs) {
    const [owner = '', name = ''] = repository.split('/')
    const { refs, pulls, comments } = await server.state(owner, name)
    const own = pulls.filter(({ head }) => head === `agent/${payload.task}`)
    const said = comments.filter(({ body }) => body.includes(`receipt ${payload.task} `))
    const isHere = `refs/heads/agent/${payload.task}` in refs && own.length > 0 && said.length > 0
    if (!isHere) lost += 1
    if (own.length > 1 || said.length > 1) twice += 1
  }
  return { lost, twice }
}

/** The most writes of one installation in any window of this many seconds. */
export function mostInWindow(
  requests: GitHubServer['requests'],
  { seconds }: Pick<PaceLimit, 'seconds'>,
): number {
  const writes = requests.filter(({ kind, writes }) => kind === 'rest' && writes)
  const byOwner = Map.groupBy(writes, ({ path }) => path.split('/')[2])
  let most = 0
  for (const own of byOwner.values()) {
    const times = own.map(({ at }) => at)
    let first = 0
    times.forEach((time, index) => {
      while (time - (times[first] ?? time) >= seconds * 1000) first += 1
      most = Math.max(most, index - first + 1)
    })
  }
  return most
}
