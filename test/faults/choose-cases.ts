/** So many of a list, the same ones for the same seed; with `keyOf`, one of each kind before any second one. */
export function choose<T>(
  all: readonly T[],
  count: number,
  seed: number,
  keyOf: (one: T) => string = () => '',
): readonly T[] {
  const groups = [...Map.groupBy(shuffle(all, seed), keyOf).values()]
  const chosen: T[] = []
  for (let round = 0; chosen.length < Math.min(count, all.length); round += 1) {
    for (const group of groups) {
      const one = group[round]
      if (one !== undefined && chosen.length < count) chosen.push(one)
    }
  }
  return chosen
}

function shuffle<T>(all: readonly T[], seed: number): readonly T[] {
  const shuffled = [...all]
  let state = seed
  for (let at = shuffled.length - 1; at > 0; at -= 1) {
    // The constants of Numerical Recipes.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const other = state % (at + 1)
    const [one, two] = [shuffled[at], shuffled[other]]
    if (one !== undefined && two !== undefined) {
      shuffled[at] = two
      shuffled[other] = one
    }
  }
  return shuffled
}
