import type { Settings } from '../../core/domain/settings.ts'
import type { Task } from '../../core/domain/task.ts'
import { languageSuites } from './detect-languages.ts'
import { detectMakeSuite } from './detect-make.ts'
import { detectNodeSuites, withPackagePrograms } from './detect-node.ts'
import { detectPythonSuites } from './detect-python.ts'
import { reportLine } from './report-line.ts'
import { type NameReport, type RepositoryFiles, type Suite, suiteIn } from './suite.ts'

/** Sources that messages name without their folder. */
const namedByEnd = /\.(?:go|java|kt|groovy|scala)$/

/**
 * What verifies a task in this repository, in the order to run it: tests, lint, accept commands.
 * Tests are the task's own command, else the configured one, else whatever the files show; a
 * repository without tests has none. An accept command that names a suite takes its place.
 */
export function detectSuites(
  repository: RepositoryFiles,
  verify: Settings['verify'],
  task: Pick<Task, 'verify' | 'accept'>,
): readonly Suite[] {
  let reports = 0
  const report: NameReport = (extension) => {
    reports += 1
    return `.executor-results-${reports}.${extension}`
  }
  const given = task.verify ?? verify.testCommand
  const tests =
    given === null
      ? detected(repository, report)
      : [given].map((line) => {
          const same = detected(repository, report).find(({ display }) => display === line.trim())
          return same ?? lineSuite(line, 'tests', report('report'))
        })
  const lint =
    verify.lintCommand === null ? [] : [lineSuite(verify.lintCommand, 'lint', report('report'))]
  const accept = [...new Set(task.accept.map((line) => line.trim()))].map((line): Suite => {
    const same = tests.find(({ display }) => display === line)
    return same === undefined
      ? lineSuite(line, 'accept', report('report'))
      : { ...same, role: 'accept' }
  })
  const left = tests.filter(({ display }) => !accept.some((suite) => suite.display === display))
  const sources = repository.files.filter((path) => namedByEnd.test(path))
  return [...left, ...lint, ...accept].map((suite) => ({ ...suite, sources }))
}

/** Suites that run other lines, in the same role: of the rest nothing is left. */
export function replaceSuites(
  suites: readonly Suite[],
  instead: ReadonlyMap<string, string>,
): readonly Suite[] {
  return suites.flatMap(({ display, role, sources }, index) => {
    const line = instead.get(display)
    return line === undefined
      ? []
      : [{ ...lineSuite(line, role, `.executor-results-${index + 1}.report`), sources }]
  })
}

function detected(repository: RepositoryFiles, report: NameReport): readonly Suite[] {
  const suites = [
    ...detectNodeSuites(repository, report),
    ...detectPythonSuites(repository, report),
    ...languageSuites.flatMap((detect) => detect(repository, report)),
  ]
  return suites.length > 0 ? suites : detectMakeSuite(repository)
}

/** A line that a person wrote, with a report asked for where its runner is known. */
function lineSuite(line: string, role: Suite['role'], file: string): Suite {
  const reported = reportLine(line, file)
  const command = { shell: withPackagePrograms(line, '.') }
  const runner = role === 'tests' ? 'command' : role
  const plain = suiteIn('.', line.trim(), { runner, role, command })
  if (reported === null) return plain
  return {
    ...plain,
    runner: reported.runner,
    command: { shell: withPackagePrograms(reported.shell, '.') },
    collect: reported.isWritten ? [file] : [],
    line: line.trim(),
    plain: reported.isWritten && role === 'tests' ? plain : null,
  }
}
