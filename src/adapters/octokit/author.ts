import type { Author } from '../../core/ports/discussion.ts'

/** An account as the REST API shows it; `null` when it is gone. */
export interface RestUser {
  readonly id: number
  readonly login: string
  readonly type?: string
}

/** An account as GraphQL shows it, by `actorFields`. */
export interface GraphqlActor {
  readonly __typename: string
  readonly login: string
  readonly databaseId?: number | null
}

export const actorFields =
  'author { __typename login ... on User { databaseId } ... on Bot { databaseId } }'

/** Nobody: no permission is ever found for it. */
const ghost: Author = { id: 0, login: 'ghost', isBot: true }

/**
 * Whoever wrote through an App is taken for a bot, a person included: what a third program says in
 * somebody's name is not their word. GitHub tells it of comments in conversations only.
 */
export function authorOfRest(user: RestUser | null, viaApp: boolean): Author {
  if (user === null) return ghost
  const isBot = user.type === 'Bot' || user.login.endsWith('[bot]') || viaApp
  return { id: user.id, login: user.login, isBot }
}

/** GraphQL names bots without the ending that the REST API gives them. */
export function authorOfGraphql(actor: GraphqlActor | null): Author {
  if (actor === null) return ghost
  const { login, databaseId } = actor
  const isBot = actor.__typename === 'Bot' || login.endsWith('[bot]')
  const name = isBot && !login.endsWith('[bot]') ? `${login}[bot]` : login
  return { id: databaseId ?? 0, login: name, isBot }
}
