/** Started by a test: puts a change set into a folder, and says how that ended. */
import { readFile } from 'node:fs/promises'
import { writeChanges } from '../../src/adapters/git-workspace/write.ts'

const [folder = '', changes = '', staging = ''] = process.argv.slice(2)
const result = await writeChanges(folder, JSON.parse(await readFile(changes, 'utf8')), staging)
process.stdout.write(JSON.stringify(result))
