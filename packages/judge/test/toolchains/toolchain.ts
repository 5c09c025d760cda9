import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { SandboxRequest } from '../../../sandbox/port.ts'
import { detectSuites } from '../../detect/detect-suites.ts'
import type { CommandReport } from '../../results/test-report.ts'
import { runSuites } from '../../run/run-suites.ts'
import {
  noTask,
  plainVerify,
  realSandbox,
  repositoryOf,
  writeProject,
} from '../temporary-project.ts'

/** True when this machine has all these programs; only then are a toolchain's tests registered. */
export const has = (...programs: readonly string[]): boolean => programs.every(isProgram)

function isProgram(program: string): boolean {
  const places = (process.env.PATH ?? '').split(delimiter)
  return places.some((place) => {
    try {
      accessSync(join(place, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

export type Texts = Readonly<Record<string, string>>

interface Prepared {
  readonly mounts?: SandboxRequest['mounts']
  readonly env?: Readonly<Record<string, string>>
  readonly timeoutSeconds?: number
}

/** Writes a project, finds its suites and runs them in this machine's strongest sandbox. */
export async function verifyProject(
  texts: Texts,
  { mounts = [], env = {}, timeoutSeconds = 120 }: Prepared = {},
): Promise<readonly CommandReport[]> {
  const folder = await writeProject(texts)
  const suites = detectSuites(repositoryOf(texts), plainVerify, noTask)
  const input = { folder, mounts, env, timeoutSeconds, network: false }
  const sandbox = await realSandbox(has('bwrap') ? 'bubblewrap' : 'unsandboxed')
  return (await runSuites(suites, input, { sandbox })).commands
}

/** `display: passed + failed + skipped`, then each failure as `test | file:line | type | message`. */
export function show(reports: readonly CommandReport[]): readonly string[] {
  return reports.flatMap(({ command, counts, failures, exitCode, timedOut }) => {
    const told = counts && `${counts.passed} + ${counts.failed} + ${counts.skipped}`
    const ending = timedOut ? 'stopped' : exitCode === 0 ? 'well' : 'badly'
    return [
      `${command}: ended ${ending}, ${told ?? 'unknown'}`,
      ...failures.map(
        ({ test, file, line, errorType, message }) =>
          `${test} | ${file}:${line} | ${errorType} | ${message.split('\n', 1)[0]}`,
      ),
    ]
  })
}

export interface Row {
  readonly name: string
  readonly texts: Texts
  readonly shown: readonly unknown[]
}
