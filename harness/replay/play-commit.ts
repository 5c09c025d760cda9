/** One real commit, made again by the program in a clone of its repository. */
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { newFileMode } from '../../packages/change/change-set.ts'
import { type FileChange, noExplanation } from '../answer.ts'
import { commitAll, git } from '../git.ts'
import { type OwnCommand, ownCommand } from '../own-command.ts'
import { runChild } from '../run-child.ts'
import { environment, runProgram } from '../run-program.ts'
import type { ByHand, CaseLine } from './case-line.ts'
import { leaveOut } from './leave-out.ts'
import type { RealCommit } from './real-commit.ts'
import { cannotSay, type Shape, writeAnswer } from './write-answer.ts'

export interface Conditions {
  readonly repository: string
  readonly shape: Shape
  readonly wrong: boolean
  readonly verify: boolean
  readonly seed: number
  /** How to test by hand, where the repository's root does not say it. */
  readonly command: OwnCommand | null
  /** A folder of this harness's own. */
  readonly workplace: string
  readonly program: string
  readonly milliseconds: number
  /** Leaves the clone behind, under the commit's name. */
  readonly keep: boolean
}

const id = 'T-1'

/** What is answered to the task, or why no case can be made of these changes. */
export function answeredOf(
  files: readonly FileChange[],
  { shape, wrong, seed }: Pick<Conditions, 'shape' | 'wrong' | 'seed'>,
): readonly FileChange[] | string {
  const answered = wrong ? leaveOut(files, seed) : files
  if (answered === null) return 'no hunk of source in a file without tests'
  return cannotSay(shape, answered) ?? answered
}

export async function playCommit(commit: RealCommit, conditions: Conditions): Promise<CaseLine> {
  const { repository, shape, wrong, verify, workplace } = conditions
  const answered = answeredOf(commit.files, conditions)
  if (typeof answered === 'string') throw new Error(answered)
  const deadline = performance.now() + conditions.milliseconds
  const left = () => Math.max(1, deadline - performance.now())
  const folder = join(workplace, commit.sha.slice(0, 10))
  await rm(folder, { recursive: true, force: true })
  const clone = join(folder, basename(repository))
  try {
    await cloneAt(repository, commit.parent, clone)
    const expected = wrong ? await commitWrong(clone, commit, answered) : commit.sha
    await writeFile(join(clone, 'ROADMAP.md'), `# Roadmap\n\n- [ ] ${id}: ${commit.subject}\n`)
    await commitAll(clone, 'Add a roadmap')
    const cache = join(workplace, 'cache')
    await mkdir(cache, { recursive: true })
    const run = await runProgram({
      ...{ repository: clone, task: id, cache, milliseconds: left() },
      // Nobody is there to say that a removal which these commits hold was meant.
      flags: ['--no-pause-destructive', ...(verify ? [] : ['--verify-mode', 'skip'])],
      script: [
        { when: { purpose: 'classify' }, answers: [noExplanation] },
        { when: {}, answers: [writeAnswer(shape, answered)] },
      ],
    })
    const differs = await differences(clone, expected)
    const trees = { before: commit.parent, after: expected }
    const byHand = verify ? await tryByHand(clone, trees, { ...conditions, cache, left }) : null
    return {
      ...{ repository: basename(repository), commit: commit.sha, parent: commit.parent },
      ...{ subject: commit.subject, shape, wrong, verify, ...run, differs, byHand },
      program: conditions.program,
    }
  } finally {
    if (!conditions.keep) await rm(folder, { recursive: true, force: true })
  }
}

/** A clone that knows no remote, at a commit on `main`. */
export async function cloneAt(repository: string, commit: string, clone: string): Promise<void> {
  await mkdir(dirname(clone), { recursive: true })
  await git(dirname(clone), 'clone', '--quiet', '--shared', '--no-checkout', repository, clone)
  await git(clone, 'remote', 'remove', 'origin')
  await git(clone, 'checkout', '--quiet', '--force', '-B', 'main', commit)
}

/** The tree that the wrong answer leads to, as a commit on no branch. */
async function commitWrong(
  clone: string,
  { parent }: RealCommit,
  answered: readonly FileChange[],
): Promise<string> {
  for (const { path, after } of answered) {
    const file = join(clone, path)
    await mkdir(dirname(file), { recursive: true })
    if (after === null) await rm(file, { force: true })
    else await writeFile(file, after, { mode: Number.parseInt(newFileMode(after), 8) & 0o777 })
  }
  const sha = await commitAll(clone, 'What is answered')
  await git(clone, 'reset', '--quiet', '--hard', parent)
  return sha
}

/** Paths that the task's branch holds otherwise, but for the roadmap; `null` where it has no branch. */
async function differences(clone: string, expected: string): Promise<readonly string[] | null> {
  const branch = `refs/heads/agent/${id}`
  if ((await git(clone, 'for-each-ref', branch)) === '') return null
  const listed = await git(
    clone,
    'diff-tree',
    '-r',
    '-z',
    '--no-renames',
    '--name-only',
    expected,
    branch,
  )
  return listed.split('\0').filter((path) => path !== '' && path !== 'ROADMAP.md')
}

interface HandConditions extends Conditions {
  readonly cache: string
  readonly left: () => number
}

async function tryByHand(
  clone: string,
  trees: { readonly before: string; readonly after: string },
  conditions: HandConditions,
): Promise<CaseLine['byHand']> {
  const before = join(dirname(clone), 'before')
  await git(clone, 'worktree', 'add', '--quiet', '--detach', before, trees.before)
  const packageJson = await readFile(join(before, 'package.json'), 'utf8').catch(() => null)
  const command = conditions.command ?? ownCommand(await readdir(before), packageJson)
  if (command === null) return null
  // A project that checks each of its files checks the roadmap, too.
  await copyFile(join(clone, 'ROADMAP.md'), join(before, 'ROADMAP.md'))
  const first = await colour(before, command, conditions)
  const after = join(dirname(clone), 'after')
  await git(clone, 'worktree', 'add', '--quiet', '--detach', after, trees.after)
  await copyFile(join(clone, 'ROADMAP.md'), join(after, 'ROADMAP.md'))
  const second = await colour(after, command, conditions)
  return { command: command.test, before: first, after: second }
}

async function colour(
  tree: string,
  { setUp, test }: OwnCommand,
  { cache, left }: HandConditions,
): Promise<ByHand> {
  for (const line of [...(setUp === null ? [] : [setUp]), test]) {
    if (left() <= 1) return 'not run'
    const { code, isTimedOut } = await runChild(
      ['sh', '-c', line],
      tree,
      environment(cache),
      left(),
    )
    if (isTimedOut) return 'timed out'
    if (code !== 0) return line === test ? 'red' : 'not run'
  }
  return 'green'
}
