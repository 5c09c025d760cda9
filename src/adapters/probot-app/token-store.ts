export interface InstallationToken {
  readonly token: string
  /** ISO 8601, UTC. */
  readonly expiresAt: string
}

interface TokenSource {
  /** ISO 8601, UTC. */
  readonly now: () => string
  readonly create: (installation: number) => Promise<InstallationToken>
}

/** Of a token's life: what it begins has ten minutes to end, where GitHub gives an hour. */
const usablePart = 5 / 6

/** Tokens of installations, each made anew well before it expires; asked for together, made once. */
export function createTokenStore({ now, create }: TokenSource): {
  token(installation: number): Promise<string>
} {
  const kept = new Map<number, { readonly token: string; readonly until: number }>()
  const making = new Map<number, Promise<string>>()
  const time = () => Date.parse(now())

  const make = async (installation: number): Promise<string> => {
    const start = time()
    const { token, expiresAt } = await create(installation)
    const until = start + (Date.parse(expiresAt) - start) * usablePart
    for (const [other, { until: end }] of kept) if (end <= start) kept.delete(other)
    kept.set(installation, { token, until })
    return token
  }
  return {
    async token(installation) {
      const known = kept.get(installation)
      if (known !== undefined && time() < known.until) return known.token
      const running = making.get(installation)
      if (running !== undefined) return running
      const made = make(installation).finally(() => making.delete(installation))
      making.set(installation, made)
      return made
    },
  }
}
