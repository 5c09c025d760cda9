import type { AnyRoute } from './exchange.ts'
import { compilePath, decodePart } from './path-template.ts'
import { actionRoutes } from './resources/actions.ts'
import { checkRoutes } from './resources/checks.ts'
import { commentRoutes } from './resources/comments.ts'
import { commitRoutes } from './resources/commits.ts'
import { contentRoutes } from './resources/contents.ts'
import { installationRoutes, personsInstallationRoutes } from './resources/installations.ts'
import { issueRoutes } from './resources/issues.ts'
import { labelRoutes } from './resources/labels.ts'
import { mergeRoutes } from './resources/merging.ts'
import { peopleRoutes, viewerRoutes } from './resources/people.ts'
import { pullRoutes } from './resources/pulls.ts'
import { reactionRoutes } from './resources/reactions.ts'
import { refRoutes } from './resources/refs.ts'
import { repositoryRoutes } from './resources/repositories.ts'
import { reviewCommentRoutes } from './resources/review-comments.ts'
import { reviewRoutes } from './resources/reviews.ts'
import { timelineRoutes } from './resources/timeline.ts'

/** Every route of the server; anything else is a 404. A new resource adds its rows. */
const routes: readonly AnyRoute[] = [
  ...viewerRoutes,
  ...installationRoutes,
  ...personsInstallationRoutes,
  ...actionRoutes,
  ...repositoryRoutes,
  ...refRoutes,
  ...contentRoutes,
  ...commitRoutes,
  ...pullRoutes,
  ...mergeRoutes,
  ...checkRoutes,
  ...reviewRoutes,
  ...reviewCommentRoutes,
  ...issueRoutes,
  ...timelineRoutes,
  ...commentRoutes,
  ...reactionRoutes,
  ...labelRoutes,
  ...peopleRoutes,
]

/** `/issues/comments` is not an issue: literal parts take precedence over parameters. */
const table = routes
  .map((route) => ({ route, pattern: compilePath(route.path), open: route.path.split('{').length }))
  .toSorted((a, b) => a.open - b.open)

/** The row for a request, with the decoded parts of its path. */
export function findRoute(
  method: string,
  pathname: string,
): { readonly route: AnyRoute; readonly parameters: Record<string, string> } | null {
  for (const { route, pattern } of table) {
    if (route.method !== method) continue
    const match = pattern.exec(pathname)
    if (match === null) continue
    const parameters: Record<string, string> = {}
    for (const [name, value] of Object.entries(match.groups ?? {})) {
      parameters[name] = decodePart(value ?? '')
    }
    return { route, parameters }
  }
  return null
}
