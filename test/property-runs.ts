import fc from 'fast-check'

const most = 200
const all = process.env.EXECUTOR_ALL_RUNS !== undefined && process.env.EXECUTOR_ALL_RUNS !== ''

// A push is judged by what it changed, so `npm test` tries the same cases each time; `npm run test:full`
// tries others each night. A seed that a property fails with is printed in both.
if (!all) fc.configureGlobal({ seed: 1 })

/** How often a property is tried: at most 200 times, and all of them where EXECUTOR_ALL_RUNS is set. */
export const runs = (wanted: number): number => (all ? wanted : Math.min(wanted, most))
