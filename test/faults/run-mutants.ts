/**
 * Plants each bug in the sources, in memory and in this one process, and plays the part of the harness
 * that must meet it: `node test/faults/run-mutants.ts`, with words of a name for that one alone.
 */
import { plantBugs } from '../plant-bugs.ts'
import type { CallWorld } from './github-calls.ts'
import { type Mutant, mutants } from './mutants.ts'
import type { Found, playPart } from './quick-parts.ts'
import { createTally } from './tally.ts'

const bugs = plantBugs(mutants)

interface Parts {
  readonly playPart: typeof playPart
}

/** The part as it is with that bug in the sources. */
async function playWith(number: number, mutant: Mutant, world: CallWorld): Promise<Found> {
  const parts: Parts = await import(bugs.with(number, new URL('quick-parts.ts', import.meta.url)))
  return parts.playPart(mutant.part, mutant, world)
}

/** What meets the bug finds nothing where none is planted. */
async function main(): Promise<void> {
  const sound: Parts = await import('./quick-parts.ts')
  // What a bug reaches is known of modules that are loaded.
  const { loadNodes } = await import('../../src/graph/nodes.ts')
  await loadNodes()
  const { openCallWorld } = await import('./github-calls.ts')
  await using world = await openCallWorld()
  const tally = createTally()
  bugs.check()
  for (const [number, mutant] of mutants.entries()) {
    if (!mutant.name.includes(process.argv[2] ?? '')) continue
    const found = await playWith(number, mutant, world)
    const at = found === null ? {} : { at: found.at }
    const without =
      found === null ? null : await sound.playPart(mutant.part, { ...mutant, ...at }, world)
    const words =
      without === null ? (found?.words ?? 'NOT MET') : `nothing is planted: ${without.words}`
    const isMet = found !== null && without === null
    console.log(`${isMet ? 'met' : 'MISSED'}: ${mutant.name}\n    ${words.slice(0, 300)}`)
    tally.count('planted bugs', mutant.part)
    if (!isMet) tally.fail(`${mutant.name}: ${words}`)
  }
  const { counted } = tally
  const met = mutants.length - counted.failures.length
  console.log(`${met} of ${mutants.length} planted bugs are met.`)
  process.send?.(counted, () => process.disconnect?.())
  process.exitCode = met === mutants.length ? 0 : 1
}

await main()
