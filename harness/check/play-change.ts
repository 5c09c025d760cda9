/** One real commit, checked by the program as a branch and as a patch on standard input. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { CheckReport } from '../../src/runs/check/check-report.ts'
import { commitAll, git } from '../git.ts'
import { leaveOut } from '../replay/leave-out.ts'
import { cloneAt } from '../replay/play-commit.ts'
import type { RealCommit } from '../replay/real-commit.ts'
import { runChild } from '../run-child.ts'
import { environment, project } from '../run-program.ts'

export interface PlayedCheck {
  readonly way: 'branch' | 'patch'
  readonly result: CheckReport['result'] | 'no report'
  readonly exitCode: number | null
  /** Rules of the errors, each once. */
  readonly errors: readonly string[]
  /** True for a failure that a test shows. */
  readonly isShown: boolean
  readonly seconds: number
  /** The first error, or what was printed instead of a report. */
  readonly said: string
}

interface Asked {
  readonly repository: string
  readonly commit: RealCommit
  /** Draws the hunk that is left out; `null` for the whole commit. */
  readonly seed: number | null
  readonly workplace: string
  readonly milliseconds: number
}

export async function playChange(asked: Asked): Promise<readonly PlayedCheck[]> {
  const { repository, commit, seed, workplace } = asked
  const files = seed === null ? commit.files : leaveOut(commit.files, seed)
  if (files === null) throw new Error(`${commit.sha} has no hunk of source to leave out.`)
  const folder = join(workplace, commit.sha.slice(0, 10))
  const clone = join(folder, 'repository')
  try {
    await cloneAt(repository, commit.parent, clone)
    for (const { path, after } of files) {
      const file = join(clone, path)
      await mkdir(dirname(file), { recursive: true })
      if (after === null) await rm(file, { force: true })
      else await writeFile(file, after)
    }
    await git(clone, 'switch', '--quiet', '--create', 'change')
    await commitAll(clone, commit.subject)
    await git(clone, 'switch', '--quiet', 'main')
    const patch = join(folder, 'change.patch')
    await git(clone, 'diff', `--output=${patch}`, '--binary', 'main', 'change')
    const program = [process.execPath, join(project, 'dist/cli.cjs'), 'check']
    const fromFile = ['sh', '-c', 'input=$1; shift; exec "$@" < "$input"', 'sh', patch]
    return [
      await play('branch', [...program, 'change', '--json'], clone, asked),
      await play('patch', [...fromFile, ...program, '-', '--json'], clone, asked),
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function play(
  way: PlayedCheck['way'],
  argv: readonly string[],
  clone: string,
  { workplace, milliseconds }: Asked,
): Promise<PlayedCheck> {
  const cache = join(workplace, 'cache')
  await mkdir(cache, { recursive: true })
  const run = await runChild(argv, clone, environment(cache), milliseconds)
  const report = readReport(run.output)
  const errors = report?.findings.filter(({ severity }) => severity === 'error') ?? []
  return {
    ...{ way, result: report?.result ?? 'no report', exitCode: run.code },
    errors: [...new Set(errors.map(({ rule }) => rule))],
    isShown: errors.some(({ rule }) => rule === 'failed-test'),
    seconds: Math.round(run.seconds * 10) / 10,
    said: (errors[0]?.message ?? (report === null ? run.output.slice(-300) : '')).slice(0, 300),
  }
}

/** The document is printed among the lines for people. */
function readReport(output: string): CheckReport | null {
  const start = output.indexOf('{\n  "version"')
  const end = output.lastIndexOf('\n}')
  if (start < 0 || end < 0) return null
  return JSON.parse(output.slice(start, end + 2))
}
