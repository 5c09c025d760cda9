import { type Diagnosis, sameDiagnosis } from '../../core/domain/diagnosis.ts'
import type { Ports } from '../../core/ports.ts'
import { compareReports } from '../compare/compare.ts'
import { baselineOn, runBaseline, type StartCommit } from './baseline.ts'
import type { Verification } from './verify-folder.ts'

/** Ends with 1 where a package is not there: its name is an argument, never a part of the program. */
export const looks: Readonly<Record<string, readonly string[]>> = {
  javascript: [
    'node',
    '-e',
    'try { require.resolve(process.argv[1]) } catch (error) { process.exitCode = error.code === "MODULE_NOT_FOUND" ? 1 : 0 }',
  ],
  python: [
    'python3',
    '-c',
    'import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1].split(".")[0]) is None)',
  ],
  ruby: ['ruby', '-e', 'begin; require ARGV[0]; rescue LoadError; exit 1; rescue Exception; end'],
  go: ['go', 'list', '--'],
}

/**
 * Whether what ended a run is still so on the unchanged code, told without a model: a package is
 * looked for, anything else shows when the tests run. Of what cannot be looked for nobody knows: false.
 */
export async function isStillSo(
  cause: Diagnosis,
  start: StartCommit,
  ports: Pick<Ports, 'workspace' | 'sandbox' | 'settings' | 'clock'>,
): Promise<boolean> {
  const { language, lacks } = cause
  const found = await baselineOn(start, ports)
  if (language !== undefined) {
    const look = looks[language]
    if (look === undefined || lacks === null || lacks.startsWith('-')) return false
    const looked = await runBaseline(start, ports, { look: [...look, lacks] })
    return looked.status === 'verified' && looked.report.commands[0]?.exitCode === 1
  }
  const why = whyBlocked(found)
  return why !== undefined && sameDiagnosis(why, cause)
}

/** Why no test of this code can say anything; undefined where one can. */
export function whyBlocked(found: Verification): Diagnosis | undefined {
  if (found.status === 'not_prepared') return found.diagnosis
  const rules = { requireTests: false, mayRemoveTests: true, lostTests: [] }
  const { result, diagnosis } = compareReports(found.report, found.report, rules)
  return result === 'cannot_run' ? diagnosis : undefined
}
