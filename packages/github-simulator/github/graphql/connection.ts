import { GraphQLError, type GraphQLResolveInfo } from 'graphql'

export interface Page {
  readonly first?: number | null
  readonly last?: number | null
  readonly after?: string | null
  readonly before?: string | null
}

/** An error with the `type` that GitHub gives beside the message. */
export const failed = (type: string, message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { type } })

/** The context of one query. */
export interface QueryContext {
  /** Returns whether this connection hides its newest entry. */
  isBehind(connection: string): boolean
}

/** What a field's resolver gets after its arguments. */
export type RestOfField = readonly [context: QueryContext, info: GraphQLResolveInfo]

/** A field that pages through a list; cursors are good as long as their item is in it. */
export function connection<T extends { readonly id: number | string }>(
  all: readonly T[],
  present: (item: T) => object,
): (page: Page, ...rest: RestOfField) => object {
  return (page, { isBehind }, { fieldName }) => {
    checkPage(page, fieldName)
    const items = isBehind(fieldName) ? withoutNewest(all) : all
    const from = page.after == null ? 0 : indexOf(items, page.after) + 1
    const before = page.before == null ? -1 : indexOf(items, page.before)
    const between = items.slice(from, before === -1 ? items.length : before)
    const ahead = page.first == null ? between : between.slice(0, page.first)
    const chosen = page.last == null ? ahead : ahead.slice(Math.max(0, ahead.length - page.last))
    const [first, last] = [chosen[0], chosen.at(-1)]
    return {
      nodes: chosen.map(present),
      totalCount: items.length,
      pageInfo: {
        startCursor: first === undefined ? null : cursorOf(first.id),
        endCursor: last === undefined ? null : cursorOf(last.id),
        hasNextPage: last !== undefined && items.indexOf(last) < items.length - 1,
        hasPreviousPage: first !== undefined && items.indexOf(first) > 0,
      },
    }
  }
}

function checkPage({ first, last }: Page, name: string): void {
  const asked = first ?? last
  if (asked == null) {
    throw failed(
      'MISSING_PAGINATION_BOUNDARIES',
      `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`,
    )
  }
  if (asked <= 100) return
  throw failed(
    'EXCESSIVE_PAGINATION',
    `Requesting ${asked} records on the \`${name}\` connection exceeds the \`${first == null ? 'last' : 'first'}\` limit of 100 records.`,
  )
}

const cursorOf = (id: number | string): string => Buffer.from(`cursor:${id}`).toString('base64')

function indexOf(items: readonly { readonly id: number | string }[], cursor: string): number {
  const index = items.findIndex(({ id }) => cursorOf(id) === cursor)
  if (index !== -1) return index
  throw failed('INVALID_CURSOR_ARGUMENTS', `\`${cursor}\` does not appear to be a valid cursor.`)
}

function withoutNewest<T extends { readonly id: number | string }>(
  items: readonly T[],
): readonly T[] {
  const newest = Math.max(...items.map(({ id }) => Number(id)))
  return items.filter(({ id }) => id !== newest)
}
