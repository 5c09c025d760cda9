/** GitHub's maximum page size. */
export const pageSize = 100

export interface Nodes<T> {
  readonly nodes: readonly T[]
}

/** A page of a GraphQL connection. */
export interface Connection<T> extends Nodes<T> {
  readonly pageInfo: { readonly hasNextPage?: boolean; readonly endCursor?: string | null }
}

/** Yields the nodes of a connection over at most `most` pages. */
export async function* connected<T>(
  most: number,
  read: (cursor: string | null) => Promise<Connection<T>>,
): AsyncGenerator<T> {
  let cursor: string | null = null
  for (let page = 1; page <= most; page++) {
    const { nodes, pageInfo }: Connection<T> = await read(cursor)
    yield* nodes
    if (!pageInfo.hasNextPage) return
    cursor = pageInfo.endCursor ?? null
  }
}

/** The same for a REST list, whose pages have numbers. */
export const listed = <T>(
  most: number,
  read: (page: number) => Promise<readonly T[]>,
): AsyncGenerator<T> =>
  connected(most, async (cursor) => {
    const page = Number(cursor ?? 1)
    const nodes = await read(page)
    const hasNextPage = nodes.length >= pageSize
    return { nodes, pageInfo: { hasNextPage, endCursor: String(page + 1) } }
  })

/** Collects all pages. */
export async function readAll<T>(
  most: number,
  read: (page: number) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const all: T[] = []
  for await (const one of listed(most, read)) all.push(one)
  return all
}

/** Returns the first match, or `null`. */
export async function findIn<T>(
  list: AsyncIterable<T>,
  fits: (one: T) => boolean,
): Promise<T | null> {
  for await (const one of list) if (fits(one)) return one
  return null
}
