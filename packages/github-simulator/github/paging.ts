import type { Call, Reply } from './exchange.ts'

export interface Page {
  readonly number: number
  readonly size: number
  /** How many items come before it. */
  readonly skip: number
}

/** GitHub gives 30 a page unless asked, and never more than 100. */
export function pageOf(call: Call): Page {
  const number = Math.max(1, Number(call.query.page ?? 1))
  const size = Math.min(100, Math.max(1, Number(call.query.per_page ?? 30)))
  return { number, size, skip: (number - 1) * size }
}

/** A list of texts as `since`, `sort` and `direction` ask; the oldest first when they do not. */
export function inOrder<
  T extends { readonly createdAt: string; readonly updatedAt: string; readonly id: number },
>({ query }: Pick<Call, 'query'>, items: readonly T[]): readonly T[] {
  const { since, sort = 'created', direction = query.sort === undefined ? 'asc' : 'desc' } = query
  const time = (item: T): string => (sort === 'updated' ? item.updatedAt : item.createdAt)
  const ascending = items
    .filter((item) => since === undefined || Date.parse(item.updatedAt) >= Date.parse(since))
    .toSorted((a, b) => time(a).localeCompare(time(b)) || a.id - b.id)
  return direction === 'asc' ? ascending : ascending.toReversed()
}

/** One page of a list, with the `Link` header clients walk by. */
export function paged<T>(call: Call, items: readonly T[], present: (item: T) => unknown): Reply {
  const { skip, size } = pageOf(call)
  const body = items.slice(skip, skip + size).map(present)
  return { status: 200, body, headers: linkHeader(call, items.length) }
}

export function linkHeader(call: Call, total: number): Record<string, string> {
  const { number, size } = pageOf(call)
  const last = Math.max(1, Math.ceil(total / size))
  const link = (page: number, relation: string): string => {
    const url = new URL(call.url)
    url.searchParams.set('page', `${page}`)
    return `<${url.href}>; rel="${relation}"`
  }
  const links = [
    ...(number > 1 ? [link(number - 1, 'prev')] : []),
    ...(number < last ? [link(number + 1, 'next'), link(last, 'last')] : []),
    ...(number > 1 ? [link(1, 'first')] : []),
  ]
  return links.length === 0 ? {} : { link: links.join(', ') }
}
