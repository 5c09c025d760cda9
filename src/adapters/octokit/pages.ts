/** Things on a page: as many as GitHub gives at once. */
export const pageSize = 100

export interface Nodes<T> {
  readonly nodes: readonly T[]
}

/** Some of a GraphQL connection, and where there is more of it. */
export interface Connection<T> extends Nodes<T> {
  readonly pageInfo: { readonly hasNextPage?: boolean; readonly endCursor?: string | null }
}

/** The nodes of a connection, page by page; `most` pages. */
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

/** The same of a list of the REST API, whose pages have numbers. */
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

/** All of them at once. */
export async function readAll<T>(
  most: number,
  read: (page: number) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const all: T[] = []
  for await (const one of listed(most, read)) all.push(one)
  return all
}

/** The first that fits, or `null`. */
export async function findIn<T>(
  list: AsyncIterable<T>,
  fits: (one: T) => boolean,
): Promise<T | null> {
  for await (const one of list) if (fits(one)) return one
  return null
}
