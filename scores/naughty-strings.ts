import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, sep } from 'node:path'
import naughtyStrings from 'big-list-of-naughty-strings/blns.json' with { type: 'json' }
import { tickTask } from '../packages/roadmap/document/edit-roadmap.ts'
import { readRoadmap } from '../packages/roadmap/document/read-roadmap.ts'
import { isTaskId } from '../packages/task/task-schema.ts'
import { checkPath } from '../packages/text/paths/check-path.ts'
import { branchOf, recoveryBranchOf } from '../src/core/domain/branches.ts'
import { judgeCommit, judgeLog, judgePullRequest, judgeReport } from './naughty-words.ts'
import { countRow, type Result, type Score, timeScore } from './score.ts'

const everyOne = { minRight: 1, maxWrong: 0 }

/**
 * The Big List of Naughty Strings wherever a stranger's or a model's text comes in: as titles, ids and
 * paths, and as words that others are shown. `share` takes every so many strings.
 */
export function scoreNaughtyStrings(share = 1): Promise<Score> {
  const strings = naughtyStrings.filter((_, index) => index % share === 0)
  // A note or a reason without words is no line of what is written.
  const words = strings.filter((text) => text.trim() !== '')
  const row = (label: string, results: readonly Result[], bound = everyOne) =>
    countRow(`Naughty strings, ${label} (BLNS)`, results, bound)
  return timeScore('naughty-strings', async () => [
    row('as titles: read and ticked', strings.map(judgeTitle)),
    row('as ids and their branches', strings.map(judgeId)),
    row('as paths: inside or refused', judgePaths(strings), { minRight: 1 / 3, maxWrong: 0 }),
    row('in a commit', strings.map(judgeCommit)),
    row('in pull requests', words.map(judgePullRequest)),
    row('in the reports', words.map(judgeReport)),
    row('in a workflow log', strings.map(judgeLog)),
  ])
}

const other = '- [ ] T-2: Print an invoice\n'

/** With an id before it, and with one that is made of it: the other task stays what it is. */
function judgeTitle(text: string): Result {
  const named = `- [ ] T-1: ${text}\n${other}`
  const { tasks } = readRoadmap(named)
  const [first, second] = tasks
  if (first?.id !== 'T-1' || second?.id !== 'T-2' || tasks.length !== 2) return 'wrong'
  const edit = tickTask(named, first)
  if (edit.status === 'refused' || edit.text !== named.replace('[ ]', '[x]')) return 'wrong'
  const unnamed = readRoadmap(`- [ ] ${text}\n${other}`).tasks
  const safe = unnamed.every(({ id }) => isSafeId(id))
  return safe && unnamed.at(-1)?.id === 'T-2' && unnamed.length <= 2 ? 'right' : 'wrong'
}

/** Whatever claims to be an id: what is taken for one is a name that git takes, too. */
function judgeId(text: string): Result {
  const claims = [`T-${text}: Do it`, `[T-${text}] Do it`, `\`T-${text}\` Do it`, `T${text} Do it`]
  const read = claims.flatMap((claim) => readRoadmap(`- [ ] ${claim}\n`).tasks.map(({ id }) => id))
  const accepted = [text, `T-${text}`].filter(isTaskId)
  return [...read, ...accepted].every(isSafeId) ? 'right' : 'wrong'
}

const knownRefs = new Map<string, boolean>()

function isSafeId(id: string): boolean {
  if (!isTaskId(id)) return false
  return [branchOf(id), recoveryBranchOf(id)].every((branch) => {
    const known =
      knownRefs.get(branch) ??
      spawnSync('git', ['check-ref-format', '--branch', branch]).status === 0
    knownRefs.set(branch, known)
    return known
  })
}

/**
 * As a whole path, as a name, and as a folder: what is not refused is written, must be where it says,
 * and is for git the same path.
 */
function judgePaths(strings: readonly string[]): readonly Result[] {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'naughty-paths-')))
  try {
    const written = strings.map((text, index) =>
      [text, `src/${text}`, `${text}/index.js`].map((path, way) =>
        writeChecked(root, `${index}-${way}`, path),
      ),
    )
    git(root, 'init', '--quiet')
    git(root, 'add', '--all')
    const tracked = new Set(git(root, 'ls-files', '-z').split('\0'))
    return written.map((ways) => {
      if (ways.every((path) => path === null)) return 'refused'
      return ways.every((path) => path === null || tracked.has(path)) ? 'right' : 'wrong'
    })
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** The path below `root` of the file that was written; `null` when the path is refused. */
function writeChecked(root: string, folder: string, given: string): string | null {
  const checked = checkPath(given)
  if (checked.status === 'refused') return null
  const home = join(root, folder)
  const file = join(home, checked.path)
  if (!file.startsWith(home + sep)) return 'outside'
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, 'text\n')
  return realpathSync(file) === `${home}/${checked.path}`
    ? `${folder}/${checked.path}`
    : 'elsewhere'
}

function git(root: string, ...words: readonly string[]): string {
  return execFileSync('git', words, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}
