/**
 * Prints how much one has to know to work on this program, from the code and from what it calls: `npm run faces`. With
 * `--check`, fails where a figure is above the one in faces.json; with `--renew`, writes the lower ones there.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { measureFaces } from './faces/measure.ts'

const root = join(import.meta.dirname, '..')
const file = join(import.meta.dirname, 'faces.json')
const most = z.record(z.string(), z.number()).parse(JSON.parse(await readFile(file, 'utf8')))
const faces = await measureFaces(root)

const rows = faces.map(({ name, says, value, goal }) => {
  const limit = most[name]
  const grew = limit !== undefined && value > limit ? `  above ${limit}` : ''
  return `${says.padEnd(70)} ${String(value).padStart(7)}  goal ${String(goal).padStart(6)}${grew}`
})
console.log(rows.join('\n'))

if (process.argv.includes('--renew')) {
  const lowest = faces.map(({ name, value }) => [name, Math.min(value, most[name] ?? value)])
  await writeFile(file, `${JSON.stringify(Object.fromEntries(lowest), null, 2)}\n`)
} else if (process.argv.includes('--check')) {
  const grown = faces.filter(({ name, value, slack }) => value > (most[name] ?? -1) + slack)
  for (const { says, name, value } of grown)
    console.error(
      `More to know than before: ${says}: ${value}, and ${most[name]} in scripts/faces.json.`,
    )
  if (grown.length > 0) process.exitCode = 1
}
