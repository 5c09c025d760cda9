import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { AppInstallation } from '../../../adapters/probot-app.ts'

/** What GitHub shows of this App to one person. */
export interface PersonsAccess {
  readonly installations: readonly AppInstallation[]
  /** `owner/name` in lower case. */
  readonly repositories: readonly string[]
}

/** Seconds for which a person keeps an access that GitHub has withdrawn. */
const keptSeconds = 60
const mostKept = 500
const perPage = 100
/** Of one list; GitHub gives an App no more than 100 × 100 repositories. */
const mostPages = 100
const patienceMilliseconds = 10_000

const installationsShape = z.object({
  installations: z.array(
    z.object({
      id: z.number(),
      html_url: z.string(),
      account: z.object({ login: z.string().optional(), slug: z.string().optional() }).nullable(),
    }),
  ),
})
const repositoriesShape = z.object({ repositories: z.array(z.object({ full_name: z.string() })) })

/**
 * Asks GitHub with the person's own token, which is what decides. `null`: the token is no longer valid.
 *
 * @throws Error if GitHub does not answer
 */
export type AskAccess = (token: string) => Promise<PersonsAccess | null>

export function createAskAccess(apiUrl: string, now: () => number): AskAccess {
  const kept = new Map<string, { readonly until: number; readonly access: PersonsAccess }>()
  return async (token) => {
    const key = createHash('sha256').update(token).digest('hex')
    const known = kept.get(key)
    if (known !== undefined && known.until > now()) return known.access
    kept.delete(key)
    const access = await ask(apiUrl, token)
    if (access === null) return null
    const [oldest] = kept.keys()
    if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest)
    kept.set(key, { until: now() + keptSeconds * 1000, access })
    return access
  }
}

async function ask(apiUrl: string, token: string): Promise<PersonsAccess | null> {
  const list = `${apiUrl}/user/installations`
  const all = await readAll(list, token, (body) => installationsShape.parse(body).installations)
  if (all === null) return null
  const installations = all.map(({ id, html_url: url, account }) => ({
    ...{ id, url },
    account: account?.login ?? account?.slug ?? '',
  }))
  const repositories: string[] = []
  for (const { id } of installations) {
    const some = await readAll(
      `${list}/${id}/repositories`,
      token,
      (body) => repositoriesShape.parse(body).repositories,
    )
    for (const { full_name: name } of some ?? []) repositories.push(name.toLowerCase())
  }
  return { installations, repositories }
}

/** All pages of a list; `null` where GitHub refuses. */
async function readAll<T>(
  url: string,
  token: string,
  read: (body: unknown) => readonly T[],
): Promise<readonly T[] | null> {
  const all: T[] = []
  for (let number = 1; number <= mostPages; number += 1) {
    const answer = await askGitHub(`${url}?per_page=${perPage}&page=${number}`, token)
    if ([401, 403, 404].includes(answer.status)) return null
    if (!answer.ok) throw new Error(`GitHub answered ${answer.status}`)
    const page = read(await answer.json())
    all.push(...page)
    if (page.length < perPage) break
  }
  return all
}

export const askGitHub = (url: string, token: string): Promise<Response> =>
  fetch(url, {
    headers: {
      ...{ accept: 'application/vnd.github+json', 'user-agent': 'roadmap-executor' },
      authorization: `Bearer ${token}`,
    },
    signal: AbortSignal.timeout(patienceMilliseconds),
  })
