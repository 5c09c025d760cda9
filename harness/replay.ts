/**
 * `npm run replay -- --repo DIR`: real commits of a repository, made again by the program from answers that
 * hold their own change. `--count N` (10), `--shape edits|diff|files` (edits), `--wrong` leaves a hunk of the
 * source out, `--verify-mode skip` runs no tests, `--seed S` draws that hunk and, with `--share PERCENT`, the
 * commits; `--test LINE` and `--set-up LINE` say how to test by hand; `--commit SHA` plays that one alone, and
 * `--keep` leaves the clones behind. Each case adds a line to `--results FILE`; `--resume` skips those that have
 * one. Ends with 1 when a bound is missed.
 */
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { createRandom } from '../bench/statistics.ts'
import type { OwnCommand } from './own-command.ts'
import { readArguments, refuse } from './read-arguments.ts'
import { type CaseLine, keyOf } from './replay/case-line.ts'
import { answeredOf, playCommit } from './replay/play-commit.ts'
import { readCommits } from './replay/read-commits.ts'
import { listMisses, sumUp } from './replay/sum-up.ts'
import { shapes } from './replay/write-answer.ts'
import { addResult, readResults } from './results-file.ts'
import { longestCase, programCommit, project } from './run-program.ts'
import { isMet, writeSummary } from './summary.ts'

const values = readArguments(import.meta.filename, {
  repo: { type: 'string', multiple: true, default: [] },
  count: { type: 'string', default: '10' },
  shape: { type: 'string', default: 'edits' },
  wrong: { type: 'boolean', default: false },
  'verify-mode': { type: 'string', default: 'auto' },
  seed: { type: 'string', default: '1' },
  share: { type: 'string', default: '100' },
  test: { type: 'string' },
  'set-up': { type: 'string' },
  commit: { type: 'string', default: '' },
  keep: { type: 'boolean', default: false },
  results: { type: 'string', default: join(project, 'harness/results/replay.jsonl') },
  resume: { type: 'boolean', default: false },
})
const shape = shapes.find((name) => name === values.shape)
const [count, seed, share] = [values.count, values.seed, values.share].map(Number)
const verify = values['verify-mode'] !== 'skip'
if (shape === undefined) refuse(`--shape is one of ${shapes.join(', ')}.`)
if (values.repo.length === 0) refuse('Name a repository: --repo DIR.')
if (values.wrong && !verify)
  refuse('A wrong answer is found by tests: leave out --verify-mode skip.')
if (![count, seed, share].every(Number.isFinite)) refuse('--count, --seed, --share are numbers.')

const command: OwnCommand | null =
  values.test === undefined ? null : { setUp: values['set-up'] ?? null, test: values.test }
const results = resolve(values.results)
const known = new Map(
  (values.resume ? await readResults<CaseLine>(results) : []).map((line) => [keyOf(line), line]),
)
const workplace = await realpath(await mkdtemp(join(tmpdir(), 'executor-replay-')))
const program = await programCommit()
const lines: CaseLine[] = []
const passedOver: Record<string, number> = {}
try {
  for (const repo of values.repo) await replay(resolve(repo))
} finally {
  if (values.keep) console.error(`The clones are in ${workplace}.`)
  else await rm(workplace, { recursive: true, force: true })
}
const figures = sumUp(lines)
console.log(writeSummary(figures))
for (const [reason, times] of Object.entries(passedOver)) {
  console.log(`passed over, ${reason}: ${times}`)
}
for (const miss of listMisses(lines)) console.log(miss)
if (!figures.every(isMet)) process.exitCode = 1

async function replay(repository: string): Promise<void> {
  const { wrong } = values
  const kind = { shape: shape ?? 'edits', wrong, seed: seed ?? 0 }
  const read = await readCommits(repository, count ?? 0, ({ sha, files }) => {
    if (!sha.startsWith(values.commit)) return 'not the one that was asked for'
    const answered = answeredOf(files, kind)
    return typeof answered === 'string' ? answered : null
  })
  for (const [reason, times] of Object.entries(read.passedOver)) {
    passedOver[reason] = (passedOver[reason] ?? 0) + times
  }
  const random = createRandom(kind.seed)
  for (const commit of read.chosen.filter(() => 100 * random() < (share ?? 0))) {
    const key = { repository: basename(repository), commit: commit.sha, ...kind, verify }
    const line =
      known.get(keyOf(key)) ??
      (await playCommit(commit, {
        ...{ repository, ...kind, verify, command, workplace, program, milliseconds: longestCase },
        keep: values.keep,
      }))
    await keep(line)
  }
}

async function keep(line: CaseLine): Promise<void> {
  if (known.get(keyOf(line)) !== line) await addResult(results, line)
  lines.push(line)
  const { repository, commit, outcome, receipt, differs, requests, seconds } = line
  const held = differs === null ? 'no branch' : differs.length === 0 ? 'exact' : 'differs'
  console.error(
    `${repository} ${commit.slice(0, 10)} ${outcome} ${receipt ?? ''} ${held}, ${requests} requests, ${seconds} s`,
  )
}
