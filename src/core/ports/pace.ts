/** At most `most` writes in any `seconds`. */
export interface PaceLimit {
  readonly most: number
  readonly seconds: number
}

/**
 * Books the next write at the earliest time that the limits allow, and returns the seconds until then. Books nothing when
 * that is more than `patience` seconds away. A booking counts whether or not it is used.
 */
export type Pace = (patience: number) => Promise<number>

/** The pace that everything writing as one installation shares. */
export type InstallationPace = (installation: number) => Pace

/** A write is sent at most this late, in seconds; a later one books again. */
export const bookingSeconds = 2

/** GitHub's limits for content creation, with a second between writes. Windows are longer by the time that a booking holds. */
export const githubWrites: readonly PaceLimit[] = [
  { most: 1, seconds: 1 },
  { most: 80, seconds: 60 + bookingSeconds },
  { most: 500, seconds: 3600 + bookingSeconds },
]
