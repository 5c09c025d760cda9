/**
 * `npm run replies -- --repo DIR... [--dir EXERCISES]`: the newest commits of repositories and the reference
 * solutions of exercises, answered in every form that models were seen to use, and with the faults that they
 * were seen to make; read, checked and applied in memory. `--count N` (5) of each, `--share PERCENT` plays a
 * part of the right ones, drawn by `--seed S`, and wrong ones for a third of all; `--only WORDS` plays those whose
 * form has these words, and `--show` prints their answers. Each reply adds a line to `--results FILE`; `--resume` skips those that have one.
 * Ends with 1 when a bound is missed.
 */
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createRandom } from '../bench/statistics.ts'
import { readArguments, refuse } from './read-arguments.ts'
import { rightOnes, wrongOnes } from './replies/all-wrappings.ts'
import { isMissed, keyOf, type ReplyLine, sumUp } from './replies/case-line.ts'
import { drawForms } from './replies/draw-forms.ts'
import { playReply } from './replies/play-reply.ts'
import { saysAnother } from './replies/says-another.ts'
import { commitsOf, exercisesOf, inTree, type Source } from './replies/sources.ts'
import { addResult, readResults } from './results-file.ts'
import { programCommit, project } from './run-program.ts'
import { isMet, writeSummary } from './summary.ts'

const values = readArguments(import.meta.filename, {
  repo: { type: 'string', multiple: true, default: [] },
  dir: { type: 'string', multiple: true, default: [] },
  count: { type: 'string', default: '5' },
  seed: { type: 'string', default: '1' },
  share: { type: 'string', default: '100' },
  only: { type: 'string', default: '' },
  show: { type: 'boolean', default: false },
  results: { type: 'string', default: join(project, 'harness/results/replies.jsonl') },
  resume: { type: 'boolean', default: false },
})
const [count = 0, seed = 0, share = 0] = [values.count, values.seed, values.share].map(Number)
if (values.repo.length + values.dir.length === 0) refuse('Name a repository: --repo DIR.')
if (![count, seed, share].every(Number.isFinite)) refuse('--count, --seed, --share are numbers.')

const results = resolve(values.results)
const known = new Map(
  (values.resume ? await readResults<ReplyLine>(results) : []).map((line) => [keyOf(line), line]),
)
const random = createRandom(seed)
const program = await programCommit()
const lines: ReplyLine[] = []
const folder = await realpath(await mkdtemp(join(tmpdir(), 'executor-replies-')))
try {
  for (const repo of values.repo) await playAll(await commitsOf(resolve(repo), count))
  for (const dir of values.dir) await playAll(await exercisesOf(resolve(dir), count))
} finally {
  await rm(folder, { recursive: true, force: true })
}
const figures = sumUp(lines)
console.log(writeSummary(figures))
for (const { source, wrapping, outcome, reason } of lines.filter(isMissed)) {
  console.log(`${source}, ${wrapping}: ${outcome}: ${reason.replaceAll('\n', ' ')}`)
}
if (!figures.every(isMet)) process.exitCode = 1

async function playAll(sources: readonly Source[]): Promise<void> {
  for (const source of sources) {
    const [right = [], wrong = []] = [rightOnes, wrongOnes].map((forms) =>
      forms
        .filter(({ name }) => name.includes(values.only))
        .flatMap(({ name, write }) => ({ name, answer: write(source.changes) ?? '' }))
        .filter(({ answer }) => answer !== ''),
    )
    await inTree(source, folder, async (tree) => {
      for (const { name, answer } of drawForms(right, wrong, share, random)) {
        if (values.show) console.error(answer)
        const key = { source: source.name, wrapping: name }
        const form = rightOnes.find((one) => one.name === name)
        const isRight = form !== undefined
        const found = known.get(keyOf(key))
        const { reason, ...played } = found ?? (await playReply(tree, answer, source.changes))
        const isUnclear = played.outcome === 'refused' && form && saysAnother(form, source.changes)
        const outcome = isUnclear ? 'unclear' : played.outcome
        const line = { ...key, isRight, outcome, reason, program: found?.program ?? program }
        if (found === undefined) await addResult(results, line)
        lines.push(line)
      }
    })
    console.error(`${source.name}: ${lines.length} replies`)
  }
}
