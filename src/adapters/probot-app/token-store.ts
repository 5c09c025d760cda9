export interface InstallationToken {
  readonly token: string
  /** ISO 8601, UTC. */
  readonly expiresAt: string
}

interface TokenSource<Scope> {
  /** ISO 8601, UTC. */
  readonly now: () => string
  readonly create: (scope: Scope) => Promise<InstallationToken>
}

/** A token is handed out for this part of its hour, so that work has ten minutes left. */
const usablePart = 5 / 6

/** Caches tokens by scope, replaces each well before it expires, and shares concurrent requests. */
export function createTokenStore<Scope>({ now, create }: TokenSource<Scope>): {
  token(scope: Scope): Promise<string>
} {
  const kept = new Map<string, { readonly token: string; readonly until: number }>()
  const making = new Map<string, Promise<string>>()
  const time = () => Date.parse(now())

  const make = async (key: string, scope: Scope): Promise<string> => {
    const start = time()
    const { token, expiresAt } = await create(scope)
    const until = start + (Date.parse(expiresAt) - start) * usablePart
    for (const [other, { until: end }] of kept) if (end <= start) kept.delete(other)
    kept.set(key, { token, until })
    return token
  }
  return {
    async token(scope) {
      const key = JSON.stringify(scope)
      const known = kept.get(key)
      if (known !== undefined && time() < known.until) return known.token
      const running = making.get(key)
      if (running !== undefined) return running
      const made = make(key, scope).finally(() => making.delete(key))
      making.set(key, made)
      return made
    },
  }
}
