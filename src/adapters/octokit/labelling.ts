import type { Labelling } from '../../core/ports/discussion.ts'
import { authorOfGraphql, type GraphqlActor } from './author.ts'
import type { GitHubRepository } from './client.ts'
import { orNull } from './failure.ts'
import { sameName } from './pull.ts'

const query = `query labelling($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) {
    issue(number: $number) {
      labels(first: 100) { nodes { name } }
      timelineItems(last: 100, itemTypes: [LABELED_EVENT, RENAMED_TITLE_EVENT]) {
        nodes {
          ... on LabeledEvent {
            createdAt label { name }
            actor { __typename login ... on User { databaseId } ... on Bot { databaseId } }
          }
          ... on RenamedTitleEvent { createdAt }
        }
      }
    }
  }
}`

interface Found {
  readonly repository: {
    readonly issue: {
      readonly labels: { readonly nodes: readonly { readonly name: string }[] } | null
      readonly timelineItems: {
        readonly nodes: readonly {
          readonly createdAt: string
          /** None where it got another title. */
          readonly label?: { readonly name: string }
          readonly actor?: GraphqlActor | null
        }[]
      }
    }
  }
}

/** The last time that a label which is on it was put on; `null` also beyond its 100 last labels and titles. */
export async function readLabelling(
  { ask, target }: GitHubRepository,
  number: number,
  name: string,
): Promise<Labelling | null> {
  const found = await orNull(ask<Found>(query, { ...target, number }), 404)
  const { labels, timelineItems } = found?.repository.issue ?? {}
  if (!labels?.nodes.some((one) => sameName(one.name, name))) return null
  const nodes = timelineItems?.nodes ?? []
  const event = nodes.findLast(({ label }) => label && sameName(label.name, name))
  const renamed = nodes.findLast(({ label }) => label === undefined)
  if (event === undefined) return null
  const by = authorOfGraphql(event.actor ?? null)
  return { by, at: event.createdAt, renamedAt: renamed?.createdAt ?? null }
}
