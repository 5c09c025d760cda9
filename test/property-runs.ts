const most = 200

/** How often a property is tried: at most 200 times, and all of them where EXECUTOR_ALL_RUNS is set. */
export const runs = (all: number): number =>
  process.env.EXECUTOR_ALL_RUNS ? all : Math.min(all, most)
