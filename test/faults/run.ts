/**
 * All of it: `npm run test:faults`. Every call of every scenario, every request of every operation,
 * every byte of a state, and every planted bug; what is wrong is printed, and the exit code is 1.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { checkCutState, checkLock, checkTornJournal } from './disk-cases.ts'
import { checkEffect, describeEffect, effectCases } from './effect-cases.ts'
import { casesOfCalls, checkCall, describeCall, openCallWorld } from './github-calls.ts'
import { casesOf, check, describeCase, distinct, playUndisturbed } from './memory-cases.ts'
import { checkPoison } from './poison.ts'
import { scenarios } from './scenarios.ts'
import { checkForeignCommit, checkForeignMarker, checkForeignPull } from './strangers.ts'
import { createTally, type Tally } from './tally.ts'

const progress = 500

function note(tally: Tally, level: string, fault: string, what: string, wrong: readonly string[]) {
  tally.count(level, fault)
  if (wrong.length > 0) tally.fail(`${what}\n    ${wrong.join('\n    ')}`)
  if (tally.total % progress === 0)
    console.log(`${tally.total} cases, ${tally.failures.length} wrong`)
}

async function playInMemory(tally: Tally): Promise<void> {
  const kinds = new Map<string, number>()
  const worlds = scenarios.flatMap((scenario) =>
    (['one disk', 'fresh machines'] as const).map((machines) => ({ scenario, machines })),
  )
  for (const { scenario, machines } of worlds) {
    const undisturbed = await playUndisturbed(scenario, machines)
    for (const { effects } of undisturbed.points.flat()) {
      for (const kind of effects) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    }
    for (const each of distinct(casesOf(scenario, undisturbed))) {
      const wrong = await check(each, undisturbed)
      note(tally, `in memory, ${machines}`, each.fault, describeCase(each), wrong)
    }
  }
  const counted = [...kinds].sort().map(([kind, count]) => `${kind} ${count}`)
  console.log(`Places where something is written outside: ${counted.join(', ')}`)
}

async function playOutside(tally: Tally): Promise<void> {
  for (const each of effectCases) {
    note(tally, 'effects', `seen late: ${each.lag}`, describeEffect(each), await checkEffect(each))
  }
  await using world = await openCallWorld()
  for (const each of await casesOfCalls(world)) {
    note(tally, 'requests to GitHub', each.fault, describeCall(each), await checkCall(each, world))
  }
  const others = {
    'a foreign marker': () => checkForeignMarker(world),
    'a foreign pull request': () => checkForeignPull(world),
    'a foreign commit': () => checkForeignCommit(world),
    'a state cut at every byte': () => checkCutState(1),
    'a torn line': checkTornJournal,
    'a held lock': checkLock,
    'a task that kills every run': checkPoison,
  }
  for (const [name, play] of Object.entries(others))
    note(tally, 'one by one', name, name, await play())
}

/** Another process, whose output is ours; its exit code. */
async function startPart(file: string, ...args: readonly string[]): Promise<number> {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const options = ['--disable-warning=ExperimentalWarning', path, ...args]
  const [code] = await once(spawn(process.execPath, options, { stdio: 'inherit' }), 'close')
  return typeof code === 'number' ? code : 1
}

async function playPart(part: string): Promise<number> {
  const tally = createTally()
  await (part === 'memory' ? playInMemory(tally) : playOutside(tally))
  console.log(tally.show(`${tally.total} cases, ${tally.failures.length} wrong`))
  for (const failure of tally.failures) console.log(failure)
  return tally.failures.length === 0 ? 0 : 1
}

const [part] = process.argv.slice(2)
if (part !== undefined) process.exitCode = await playPart(part)
else {
  const outside = async () => [
    await startPart('run.ts', 'outside'),
    await startPart('run-mutants.ts'),
  ]
  const codes = await Promise.all([startPart('run.ts', 'memory'), outside()])
  // Processes of its own, two at a time: with the others beside them, there would be more than cores.
  process.exitCode = Math.max(...codes.flat(), await startPart('run-processes.ts'))
}
