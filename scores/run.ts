/**
 * `npm run scores`: runs every score, prints the table and exits with 1 when a row misses its bound.
 * `--only NAME` runs one, `--files DIR` the one of real files on these folders, `--json` prints the
 * scores as JSON, `--readme` renews the table of docs/scores.md.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { renewPart } from '../scripts/renew-part.ts'
import { allScores } from './all.ts'
import { scoreRealFiles } from './real-files.ts'
import { missed, type Score } from './score.ts'
import { alignTable, writeTable } from './table.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    files: { type: 'string', multiple: true },
    json: { type: 'boolean', default: false },
    readme: { type: 'boolean', default: false },
  },
})
const { files } = values
const named =
  files === undefined ? allScores : { 'real-files': () => scoreRealFiles({ folders: files }) }
const chosen = Object.entries(named).filter(
  ([name]) => values.only === undefined || name === values.only,
)
if (chosen.length === 0) {
  console.error(
    `No score is called ${values.only}. There are: ${Object.keys(allScores).join(', ')}`,
  )
  process.exit(2)
}
if (values.readme && (values.only !== undefined || files !== undefined)) {
  console.error('The documents show every score: leave out --only and --files, or --readme.')
  process.exit(2)
}

const scores: Score[] = []
for (const [name, run] of chosen) {
  const score = await run()
  scores.push(score)
  console.error(`${name}: ${score.seconds.toFixed(1)} s`)
}
console.log(values.json ? JSON.stringify(scores, null, 2) : alignTable(scores))
if (values.readme) await renew('docs/scores.md', writeTable(scores))
const failures = scores.flatMap(missed)
for (const failure of failures) console.error(`MISSED ${failure}`)
if (failures.length > 0) process.exitCode = 1

async function renew(document: string, part: string): Promise<void> {
  const path = join(import.meta.dirname, '..', document)
  const renewed = renewPart(await readFile(path, 'utf8'), 'scores', part)
  if (renewed === null) throw new Error(`${document} has no markers for the scores.`)
  await writeFile(path, renewed)
}
