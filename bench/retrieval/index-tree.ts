/**
 * Started with a repository and a folder for the index: brings the index to HEAD, asks it, and prints the
 * milliseconds that passed and those of the processor.
 */

import { git } from '../../harness/git.ts'
import { lookUpIn } from '../../src/adapters/git-workspace/grep.ts'
import { createTreeReader } from '../../src/adapters/git-workspace/trees.ts'
import { createSystemClock } from '../../src/adapters/system.ts'
import { indexedPaths } from '../../src/model/context/find-code.ts'
import { rankCode, soughtWords } from '../../src/model/context/rank-code.ts'

const [repository = '', directory = '', words = ''] = process.argv.slice(2)
const gitDir = await git(repository, 'rev-parse', '--absolute-git-dir')
const sha = await git(repository, 'rev-parse', 'HEAD')
const clone = { gitDir, home: gitDir, work: gitDir }
const readTree = createTreeReader(clone)
const note = (line: string): never => {
  throw new Error(line)
}
const index = { directory, clock: createSystemClock(), note }
const paths = indexedPaths([...(await readTree(sha)).values()], 'ROADMAP.md')
const started = performance.now()
const before = process.cpuUsage()
const found = await lookUpIn(index, clone, readTree)(sha, paths, (given) =>
  rankCode(given, soughtWords(words)),
)
if (found === null || found.files.length === 0) throw new Error('The index finds nothing.')
const passed = performance.now() - started
const { user, system } = process.cpuUsage(before)
console.log(`${passed}\n${(user + system) / 1_000}`)
