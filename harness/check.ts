/**
 * `npm run check-changes -- --repos DIR`: the real commits of `check/changes.json`, as they are and with a hunk of the
 * source left out, given to `executor check` as a branch and as a patch on standard input. DIR holds a clone of each
 * repository as `owner+name/repo`. `--only NAME` plays the repositories with this in their name. Ends with 1 when a
 * verdict is wrong.
 */
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { type PlayedCheck, playChange } from './check/play-change.ts'
import { readArguments, refuse } from './read-arguments.ts'
import { readOneCommit } from './replay/read-commits.ts'
import { longestCase } from './run-program.ts'

const listed = z.array(
  z.strictObject({
    repository: z.string(),
    commit: z.string(),
    /** Draws the hunk that is left out; `null` for the whole commit, which must pass. */
    leftOut: z.int().nullable(),
  }),
)

const values = readArguments(import.meta.filename, {
  repos: { type: 'string' },
  only: { type: 'string', default: '' },
})
if (values.repos === undefined) refuse('Name the folder of the clones: --repos DIR.')
const folder = resolve(values.repos ?? '')

const file = join(import.meta.dirname, 'check/changes.json')
const all = listed.parse(JSON.parse(await readFile(file, 'utf8')))
const cases = all.filter(({ repository }) => repository.includes(values.only))
const workplace = await realpath(await mkdtemp(join(tmpdir(), 'executor-check-changes-')))
let [right, wrong] = [0, 0]
try {
  for (const { repository, commit: sha, leftOut } of cases) {
    const bare = join(folder, repository.replace('/', '+'), 'repo')
    const commit = await readOneCommit(bare, sha)
    if (typeof commit === 'string') refuse(`${repository} ${sha}: ${commit}`)
    const asked = { repository: bare, commit, seed: leftOut, workplace, milliseconds: longestCase }
    for (const played of await playChange(asked)) {
      const isRight = leftOut === null ? passes(played) : isFound(played)
      if (isRight) right += 1
      else wrong += 1
      const kind = leftOut === null ? 'whole' : 'left out'
      const { way, result, seconds, errors, said } = played
      const more = isRight ? errors.join(', ') : `WRONG: ${said}`
      console.log(`${repository} ${sha.slice(0, 10)} ${kind} ${way} ${result} ${seconds} s ${more}`)
    }
  }
} finally {
  await rm(workplace, { recursive: true, force: true })
}
console.log(`${right} of ${right + wrong} verdicts are right.`)
if (wrong > 0) process.exitCode = 1

function passes({ result, exitCode }: PlayedCheck): boolean {
  return result === 'passed' && exitCode === 0
}

/** A failure that no test shows, such as an installation that breaks off, is no judgement. */
function isFound({ result, exitCode, isShown }: PlayedCheck): boolean {
  return result === 'failed' && exitCode === 1 && isShown
}
