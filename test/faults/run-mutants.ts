/**
 * Plants each bug in the sources, in memory and in this one process, and plays the part of the harness
 * that must meet it: `node test/faults/run-mutants.ts`, with words of a name for that one alone.
 */
import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { CallWorld } from './github-calls.ts'
import { type Mutant, mutants } from './mutants.ts'
import type { Found, playPart } from './quick-parts.ts'
import { createTally } from './tally.ts'

const root = new URL('../../', import.meta.url)

/** What stands for the outside is the same for all; the rest of sources and harness is read anew. */
const isShared = (url: string): boolean =>
  !url.startsWith(root.href) || /\/(?:node_modules|packages)\//.test(url)

const stripped = new Map<string, string>()
function sourceOf(url: string): string {
  const known = stripped.get(url) ?? readFileSync(fileURLToPath(url), 'utf8')
  stripped.set(url, known)
  return known
}

const plain = new Map<string, string>()
function plainSourceOf(url: string): string {
  const known = plain.get(url) ?? stripTypeScriptTypes(sourceOf(url))
  plain.set(url, known)
  return known
}

/** Who imports a file, of those that were read without a bug. */
const importers = new Map<string, Set<string>>()

/** The file, and all that would be otherwise with it: the rest is not read anew. */
function reachOf({ file }: Mutant): ReadonlySet<string> {
  const reach = new Set([new URL(file, root).href])
  for (const each of reach) for (const one of importers.get(each) ?? []) reach.add(one)
  return reach
}
const reaches = new Map<string, ReadonlySet<string>>()

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    const { searchParams } = new URL(context.parentURL ?? root.href)
    const mark = searchParams.get('mutant') ?? new URL(found.url).searchParams.get('mutant')
    if (isShared(found.url)) return found
    if (mark === null) {
      const known = importers.get(found.url) ?? new Set()
      importers.set(found.url, known.add(context.parentURL ?? ''))
      return found
    }
    const url = found.url.replace(/\?.*$/, '')
    return reaches.get(mark)?.has(url) ? { ...found, url: `${url}?mutant=${mark}` } : found
  },
  load(url, context, next) {
    const { searchParams } = new URL(url)
    const mark = searchParams.get('mutant')
    if (mark === null || !/\.ts\?/.test(url)) return next(url, context)
    const file = url.replace(/\?.*$/, '')
    const mutant = mutants[Number(mark)]
    const isMutated = mutant !== undefined && file === new URL(mutant.file, root).href
    const source = isMutated
      ? stripTypeScriptTypes(plant(mutant, sourceOf(file)))
      : plainSourceOf(file)
    return { format: 'module', source, shortCircuit: true }
  },
})

/** @throws Error when the text is not there exactly once: the list has to follow the sources */
function plant({ find, replace, file }: Mutant, source: string): string {
  const places = source.split(find).length - 1
  if (places !== 1) throw new Error(`${file} has the text ${places} times: ${find}`)
  return source.replace(find, () => replace)
}

interface Parts {
  readonly playPart: typeof playPart
}

/** The part as it is with that bug in the sources. */
async function playWith(mark: string, mutant: Mutant, world: CallWorld): Promise<Found> {
  reaches.set(mark, reachOf(mutant))
  const parts: Parts = await import(`./quick-parts.ts?mutant=${mark}`)
  return parts.playPart(mutant.part, mutant, world)
}

/** What meets the bug finds nothing where none is planted. */
async function main(): Promise<void> {
  const sound: Parts = await import('./quick-parts.ts')
  const { openCallWorld } = await import('./github-calls.ts')
  await using world = await openCallWorld()
  const tally = createTally()
  for (const mutant of mutants) plant(mutant, sourceOf(new URL(mutant.file, root).href))
  for (const [number, mutant] of mutants.entries()) {
    if (!mutant.name.includes(process.argv[2] ?? '')) continue
    const found = await playWith(`${number}`, mutant, world)
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
