/** What is played of each change: forms that are right, and half as many that are not, as far as they go. */
export interface Written {
  readonly name: string
  readonly answer: string
}

/**
 * Each right form is drawn with a chance of `share` per cent; of the wrong ones as many come as make a third of
 * all. With 100 per cent all of both come.
 *
 * @param random from 0 up to 1
 */
export function drawForms(
  right: readonly Written[],
  wrong: readonly Written[],
  share: number,
  random: () => number,
): readonly Written[] {
  const drawn = right.filter(() => 100 * random() < share)
  const order = wrong.map((form) => ({ form, at: random() })).toSorted((a, b) => a.at - b.at)
  const most = share >= 100 ? wrong.length : Math.ceil(drawn.length / 2)
  return [...drawn, ...order.slice(0, most).map(({ form }) => form)]
}
