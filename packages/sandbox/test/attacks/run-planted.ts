/**
 * Takes each second look away, in memory, and plays the attacks that it is there for: `node run-planted.ts`, with words
 * of a name for that one alone. One that gets through shows that the table would see the look go.
 */
import { plantBugs } from '../../../../test/plant-bugs.ts'
import { type Taken, taken } from './planted.ts'
import type * as quick from './play-group.ts'
import type { Played } from './tally.ts'

const bugs = plantBugs(taken)
const group = new URL('play-group.ts', import.meta.url)

async function throughOf(one: Taken, { playGroup }: typeof quick): Promise<readonly string[]> {
  try {
    const played = await playGroup(one)
    const isThrough = ({ isThrough: through, isOwnDoing, kind }: Played) =>
      through && !(isOwnDoing && kind === 'unsandboxed')
    return played.filter(isThrough).map(({ name }) => name)
  } catch (error) {
    return [`it throws: ${String(error).slice(0, 200)}`]
  }
}

bugs.check()
// Each reading of the sources has its own.
process.setMaxListeners(0)
const sound: typeof quick = await import(group.href)
const clean = new Map<string, readonly string[]>()
let met = 0
let played = 0
for (const [number, one] of taken.entries()) {
  if (!one.name.includes(process.argv[2] ?? '')) continue
  if (one.needsRoot && process.getuid?.() !== 0) {
    console.log(`left out, as it needs root: ${one.name}`)
    continue
  }
  played += 1
  const key = `${one.kind} ${one.play} ${one.only}`
  const without = clean.get(key) ?? (await throughOf(one, sound))
  clean.set(key, without)
  const through = await throughOf(one, await import(bugs.with(number, group)))
  const isMet = through.length > 0 && without.length === 0
  if (isMet) met += 1
  const words =
    without.length > 0 ? `nothing is taken away: ${without.join(', ')}` : through.join(', ')
  console.log(
    `${isMet ? 'met' : 'MISSED'}: ${one.name}\n    ${through.length} get through: ${words.slice(0, 300)}`,
  )
}
console.log(`${met} of ${played} looks that were taken away let an attack through.`)
process.exit(met === played ? 0 : 1)
