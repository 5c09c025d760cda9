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

/** Of a token's life: what it begins has ten minutes to end, where GitHub gives an hour. */
const usablePart = 5 / 6

/** Tokens by what they are for, each made anew well before it expires; asked for together, made once. */
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
