/**
 * All of it: `npm run test:faults`. Every call of every scenario, every request of every operation,
 * every byte of a state, and every planted bug; what is wrong is printed, and the exit code is 1. With
 * words of a part's name, that part alone.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { partNames, playWhole } from './parts.ts'
import { type Counted, createTally } from './tally.ts'

/** A process of the harness. What it counted, it tells; its exit code counts for what it cannot tell. */
interface Part {
  readonly file: string
  readonly args: readonly string[]
}

const all: readonly Part[] = [
  ...partNames.map((name) => ({ file: 'run.ts', args: ['part', name] })),
  { file: 'run-mutants.ts', args: [] },
]

/** These run two at a time by themselves: beside others there would be more than cores. */
const last: readonly Part[] = [{ file: 'run-processes.ts', args: [] }]

const total = createTally()
let isGood = true

async function start({ file, args }: Part): Promise<void> {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child = fork(path, [...args], { execArgv: ['--disable-warning=ExperimentalWarning'] })
  child.on('message', (counted) => total.join(counted as Counted))
  const began = performance.now()
  const [code] = await once(child, 'close')
  const seconds = Math.round((performance.now() - began) / 1000)
  console.log(`${args.at(-1) ?? file}: ${seconds} s, ${code === 0 ? 'good' : 'wrong'}`)
  if (code !== 0) isGood = false
}

/** So many at a time. */
async function playSome(wanted: readonly Part[], atOnce: number): Promise<void> {
  const waiting = [...wanted]
  const work = async (): Promise<void> => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) await start(part)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

async function playAll(words: string): Promise<void> {
  const isWanted = ({ file, args }: Part) => `${file} ${args.at(-1)}`.includes(words)
  await playSome(all.filter(isWanted), Math.max(2, availableParallelism()))
  await playSome(last.filter(isWanted), 1)
  console.log(total.show('What went wrong, and how often'))
  const places = [...total.counted.places].sort(([a], [b]) => a.localeCompare(b))
  const counts = places.map(([kind, times]) => `${kind} ${times}`)
  console.log(`Places where something is written outside: ${counts.join(', ')}`)
  for (const failure of total.counted.failures) console.log(failure)
  console.log(total.sum)
  if (!isGood) process.exitCode = 1
}

const [word, name = ''] = process.argv.slice(2)
if (word === 'part') {
  const { counted } = await playWhole(name)
  process.send?.(counted, () => process.disconnect?.())
  process.exitCode = counted.failures.length === 0 ? 0 : 1
} else {
  await playAll(word ?? '')
}
