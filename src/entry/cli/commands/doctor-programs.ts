import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Settings } from '../../../core/domain/settings.ts'
import type { Sandbox, Workspace } from '../../../core/ports.ts'
import { adviceFor } from '../../../text/diagnosis/programs.ts'
import { detectSuites } from '../../../verify/detect/detect-suites.ts'
import { planDependencies } from '../../../verify/prepare/plan-dependencies.ts'
import { filesToRead } from '../../../verify/run/files-to-read.ts'

/** A program that this repository's tests need, what it says where it does not start, and what would help. */
export interface TriedProgram {
  readonly name: string
  readonly problem: string | null
  readonly next: string
}

/** Of a shell: found and not to be run, not found. */
const notStarted = new Set([126, 127])

/** Starts each program that the tests need in the sandbox: a path that leads to it is not enough. */
export async function tryPrograms(
  workspace: Pick<Workspace, 'refresh' | 'listFiles' | 'readFiles'>,
  { verify }: Pick<Settings, 'verify'>,
  sandbox: Pick<Sandbox, 'run' | 'has'>,
): Promise<readonly TriedProgram[]> {
  const { base } = await workspace.refresh()
  const files = (await workspace.listFiles(base.sha)).map(({ path }) => path)
  const texts = await workspace.readFiles(base.sha, filesToRead(files))
  const repository = { files, read: (path: string) => texts.get(path) }
  const suites = detectSuites(repository, verify, { verify: null, accept: [] })
  const plans = suites.length === 0 ? [] : await planDependencies(repository, verify, sandbox.has)
  const installers = plans.filter(({ source }) => source !== null)
  const names = [
    ...suites.flatMap(({ needs }) => needs),
    ...installers.map(({ program }) => program),
  ]
  const folder = await mkdtemp(join(tmpdir(), 'executor-doctor-'))
  try {
    const tried: TriedProgram[] = []
    for (const name of new Set(names)) {
      if (!(await sandbox.has(name))) {
        const gotBy = installers.find(({ program }) => program === name)?.gotBy
        const next = gotBy === undefined ? adviceFor(name).trim() : `Install it: ${gotBy}`
        tried.push({ name, problem: 'it was not found', next })
        continue
      }
      const { exitCode, stderr } = await sandbox.run({
        ...{ command: { argv: [name, '--version'] }, folder, directory: '.', env: {} },
        ...{ network: false, mounts: [], timeoutSeconds: 30, collect: [] },
      })
      const isStarted = exitCode !== null && !notStarted.has(exitCode)
      const [said = ''] = stderr.trim().split('\n').slice(-1)
      const next = `Put the folder on PATH in which ${name} is installed, not only a shim of it.`
      tried.push({ name, problem: isStarted ? null : said || 'It says nothing.', next })
    }
    return tried
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
