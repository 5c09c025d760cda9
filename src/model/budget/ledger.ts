import { takingTurns } from '../../../packages/text/text.ts'
import { addUsage, type Usage } from '../../core/domain/usage.ts'
import type { Amount, Ledger } from '../../core/ports/ledger.ts'

/** @param start what the run had spent before its lanes began */
export function openLedger(start: Usage): Ledger {
  const inTurn = takingTurns()
  const held = new Set<Amount>()
  let spent = start
  let freed = Promise.withResolvers<void>()
  const reserved = (): Amount => ({
    tokens: [...held].reduce((sum, { tokens }) => sum + tokens, 0),
    dollars: [...held].reduce((sum, { dollars }) => sum + dollars, 0),
  })
  const settle = (amount: Amount, usage: Usage, book: () => Promise<void>): Promise<void> =>
    inTurn(async () => {
      try {
        await book()
      } finally {
        spent = addUsage(spent, usage)
        held.delete(amount)
        freed.resolve()
        freed = Promise.withResolvers()
      }
    })
  return {
    async reserve(plan) {
      for (;;) {
        const [found, isFreed] = await inTurn(async () => {
          const made = await plan({ spent, reserved: reserved() })
          if (made !== null) held.add(made.most)
          return [made, freed.promise] as const
        })
        if (found !== null) {
          return {
            plan: found.plan,
            settle: (usage, book = async () => {}) => settle(found.most, usage, book),
          }
        }
        await isFreed
      }
    },
    book(usage) {
      spent = addUsage(spent, usage)
    },
  }
}
