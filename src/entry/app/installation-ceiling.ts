import type { InstallationSpending } from '../../core/ports/installation-spending.ts'
import type { JobResult } from '../../core/ports/job-queue.ts'
import type { Amount } from '../../core/ports/ledger.ts'

/** The most that an installation may spend in a day; `null` is no limit. */
export interface Ceiling {
  readonly tokens: number | null
  readonly dollars: number | null
}

const dayOf = (now: string): string => now.slice(0, 10)

const midnightAfter = (now: string): string => {
  const start = Date.parse(`${dayOf(now)}T00:00:00.000Z`)
  return new Date(start + 86_400_000).toISOString()
}

/** Puts a job off until tomorrow when its installation has used up the day's ceiling. */
export async function waitForTomorrow(
  installation: number,
  { tokens, dollars }: Ceiling,
  { spending, now }: { readonly spending: InstallationSpending; readonly now: string },
): Promise<JobResult | null> {
  if (tokens === null && dollars === null) return null
  const spent = await spending.on(installation, dayOf(now))
  const isOver = (unit: keyof Amount, most: number | null) => most !== null && spent[unit] >= most
  if (!isOver('tokens', tokens) && !isOver('dollars', dollars)) return null
  const most = isOver('tokens', tokens) ? `${tokens} tokens` : `$${dollars}`
  const reason = `installation ${installation} has used up the ${most} that the operator allows it in a day`
  return { status: 'again', reason, notBefore: midnightAfter(now) }
}
