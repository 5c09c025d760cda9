/**
 * Plants each bug in the sources, in memory and in this one process, and plays the part of the harness
 * that must meet it: `node test/faults/run-mutants.ts`, with words of a name for that one alone.
 */
import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import { type CallWorld, openCallWorld } from './github-calls.ts'
import { type Mutant, mutants } from './mutants.ts'
import { playPart } from './quick-parts.ts'

const root = new URL('../../', import.meta.url)

/** What stands for the outside is the same for all; the rest of sources and harness is read anew. */
const isShared = (url: string): boolean =>
  !url.startsWith(root.href) || /\/(?:node_modules|simulators)\//.test(url)

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

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    const mark = new URL(context.parentURL ?? root.href).searchParams.get('mutant')
    if (mark === null || isShared(found.url)) return found
    return { ...found, url: `${found.url}?mutant=${mark}` }
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

/** The part as it is with that bug in the sources. */
async function playWith(mark: string, mutant: Mutant, world: CallWorld): Promise<string | null> {
  const parts: { playPart: typeof playPart } = await import(`./quick-parts.ts?mutant=${mark}`)
  return parts.playPart(mutant.part, mutant, world)
}

/** Nothing is found where nothing was planted: what is found else is the bug's. */
async function main(): Promise<number> {
  await using world = await openCallWorld()
  for (const mutant of mutants) plant(mutant, sourceOf(new URL(mutant.file, root).href))
  let missed = 0
  for (const [number, mutant] of mutants.entries()) {
    if (!mutant.name.includes(process.argv[2] ?? '')) continue
    const sound = await playPart(mutant.part, mutant, world)
    const found = await playWith(`${number}`, mutant, world)
    const isMet = sound === null && found !== null
    missed += isMet ? 0 : 1
    const words = sound === null ? (found ?? 'NOT MET') : `met though nothing is planted: ${sound}`
    console.log(`${isMet ? 'met' : 'MISSED'}: ${mutant.name}\n    ${words.slice(0, 300)}`)
  }
  console.log(`${mutants.length - missed} of ${mutants.length} planted bugs are met.`)
  return missed === 0 ? 0 : 1
}

process.exitCode = await main()
