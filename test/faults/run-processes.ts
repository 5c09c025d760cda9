/**
 * Every fault against whole processes, once; words of a case's name as an argument play those alone.
 * What is wrong is printed, and the exit code is 1.
 */
import buildOnce from '../build-once.ts'
import { playCourses, playProcessCases, processCasesOf } from './process-cases.ts'
import { createTally } from './tally.ts'

const progress = 25

const [words = ''] = process.argv.slice(2)
const began = performance.now()
await buildOnce()
const tally = createTally()
const cases = processCasesOf(await playCourses()).filter(({ level, name }) =>
  `${level}: ${name}`.includes(words),
)
console.log(`${cases.length} cases of whole processes`)
await playProcessCases(cases, ({ level, fault, name }, wrong) => {
  tally.count(level, fault)
  if (tally.total % progress === 0) console.log(`${tally.total} of ${cases.length} processes`)
  if (wrong.length === 0) return
  const what = `${name}\n    ${wrong.join('\n    ')}`
  console.log(`WRONG: ${what}`)
  tally.fail(what)
})
const seconds = Math.round((performance.now() - began) / 1000)
console.log(tally.show(`${tally.sum}, ${seconds} s`))
process.send?.(tally.counted, () => process.disconnect?.())
process.exitCode = tally.failures.length === 0 && tally.total > 0 ? 0 : 1
