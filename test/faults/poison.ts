import { runOnce } from './memory-cases.ts'
import { createMemoryWorld } from './memory-world.ts'
import { night, scenarios } from './scenarios.ts'

/** A task that kills every process that works on it: given up after three starts, and the next one runs. */
export async function checkPoison(): Promise<readonly string[]> {
  const [scenario] = scenarios
  const world = createMemoryWorld(scenario ?? { roadmap: '' })
  const starts = 8
  let deaths = 0
  for (let start = 0; start < starts; start += 1) {
    const { error } = await runOnce(
      world,
      night.happens(world),
      (call, text) => call === 'model.complete draft' && text.includes('TASK T-1:'),
    )
    if (error === null) break
    deaths += 1
  }
  const ended = world.store.saved.at(-1)
  const verdict = ended?.tasks.results['T-1']?.verdict
  return deaths === 3 && verdict === 'failed'
    ? []
    : [`it killed ${deaths} processes, and its verdict is ${verdict}`]
}
