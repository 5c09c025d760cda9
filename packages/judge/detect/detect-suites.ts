import { posix } from 'node:path'
import type { Rules, Scope } from '../judging.ts'
import { detectMakeSuite, languageSuites, onClasses } from './detect-languages.ts'
import { detectNodeSuites, runnerSuite } from './detect-node.ts'
import { detectPythonSuites } from './detect-python.ts'
import { reportLine, suiteOfLines, withPackagePrograms } from './report-line.ts'
import { isWithin, type NameReport, type RepositoryFiles, type Suite } from './suite.ts'

/** Source files that messages name without their folder. */
const namedByEnd = /\.(?:go|java|kt|groovy|scala)$/

/**
 * Lists what verifies a task, in running order: tests, lint, accept commands. Tests are the task's
 * own command, else the configured one, else the detected ones. An accept command equal to a suite
 * replaces that suite.
 */
export function detectSuites(
  repository: RepositoryFiles,
  verify: Rules['verify'],
  task: Pick<Scope, 'verify' | 'accept'>,
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

/** Replaces the lines of suites and keeps their roles; drops suites without a replacement. */
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

/** A file that every project of other languages than JavaScript and Python has, or every test of them. */
const ofOthers =
  /(?:^|\/)(?:go\.mod|Cargo\.toml|pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|CMakeLists\.txt)$|\.(?:(?:cs|fs|vb)proj|rb|php)$/

function detected(repository: RepositoryFiles, report: NameReport): readonly Suite[] {
  const others = repository.files.some((path) => ofOthers.test(path)) ? languageSuites : []
  const suites = [
    ...detectNodeSuites(repository, report),
    ...detectPythonSuites(repository, report),
    ...others.flatMap((detect) => detect(repository, report)),
  ]
  return suites.length > 0 ? suites : detectMakeSuite(repository)
}

function lineSuite(line: string, role: Suite['role'], file: string): Suite {
  const runner = role === 'tests' ? 'command' : role
  const suite = suiteOfLines('.', line.trim(), [line], file, { runner, role })
  return role === 'tests' ? suite : { ...suite, plain: null }
}

/** A word that the shell and every runner take literally. */
const plainPath = /^[\w./@+-]+$/
/** Options without a value: a path behind one is an argument of the command. */
const switches =
  /^(?:--(?:test|run|recursive|bail|ci|coverage|verbose|silent|exit|colors?|no-[\w-]+|check-leaks|runInBand|passWithNoTests|no-cov)|-[bivqxs]+)$/

/**
 * Narrows a suite to these files of its directory, as one or more suites. Returns none when the
 * runner cannot take files, or not these. Drops the script's other commands; a runner hidden in a
 * script runs with its own configuration.
 *
 * @param files paths of the repository
 * @param exists true for a file or a folder of the repository
 */
export function onFiles(
  repository: RepositoryFiles,
  suite: Suite,
  files: readonly string[],
  exists: (path: string) => boolean,
): readonly Suite[] {
  const isHidden = suite.runner === 'npm-script'
  const known = isHidden ? runnerSuite(repository, suite.directory) : suite
  return known === null ? [] : knownOnFiles(known, files, exists)
}

function knownOnFiles(
  suite: Suite,
  files: readonly string[],
  exists: (path: string) => boolean,
): readonly Suite[] {
  const own = files.filter((path) => isWithin(path, suite.directory) && plainPath.test(path))
  const names = own.map((path) => `./${posix.relative(suite.directory, path)}`)
  if (names.length === 0) return []
  const alone: Suite = { ...suite, role: 'tests', plain: null, alone: null, otherwise: null }
  if (suite.runner === 'go' && 'shell' in suite.command) {
    const packages = [...new Set(names.map((name) => posix.dirname(name)))].join(' ')
    const shell = suite.command.shell.replace('./...', packages)
    return shell === suite.command.shell ? [] : [{ ...alone, command: { shell } }]
  }
  if (suite.runner === 'cargo' && 'shell' in suite.command) {
    const [last = ''] = suite.command.shell.split('\n').slice(-1)
    const shell = last.replace(' --workspace', '')
    return cargoTargets(suite.directory, names, exists).map((targets) => ({
      ...alone,
      command: { shell: `${shell} ${targets}` },
    }))
  }
  if (suite.runner === 'junit') {
    const classes = names.flatMap((name) => /(?:^|\/)(\w+)\.java$/.exec(name)?.[1] ?? [])
    const shell = classes.length === 0 ? null : onClasses(suite, classes)
    return shell === null ? [] : [{ ...alone, command: { shell } }]
  }
  if ('argv' in suite.command) return withArguments(alone, suite, suite.command.argv, names, exists)
  const report = posix.basename(suite.collect[0] ?? '')
  if (suite.line === null || report === '') return []
  const kept = withoutPlaces(suite.line, suite.directory, exists)
  const reported = reportLine([kept, ...names].join(' '), report)
  if (reported === null || !takesFiles.includes(reported.runner)) return []
  return [{ ...alone, command: { shell: withPackagePrograms(reported.shell, suite.directory) } }]
}

/** Cargo runs test programs, not files: for each package, the options that choose the programs with these files. */
function cargoTargets(
  directory: string,
  names: readonly string[],
  exists: (path: string) => boolean,
): readonly string[] {
  const has = (path: string) => exists(posix.join(directory, path))
  const packageOf = (path: string): string => {
    const folder = posix.dirname(path)
    return folder === '.' || has(posix.join(folder, 'Cargo.toml')) ? folder : packageOf(folder)
  }
  return [...Map.groupBy(names.map(posix.normalize), packageOf)].flatMap(([folder, own]) => {
    const manifest = posix.join(folder, 'Cargo.toml')
    const units = [...(has(posix.join(folder, 'src/lib.rs')) ? ['--lib'] : []), '--bins']
    const targets = own.flatMap((path) => {
      const inside = posix.relative(folder, path)
      const [, program] = /^tests\/([\w-]+)(?:\/main)?\.rs$/.exec(inside) ?? []
      if (program !== undefined) return [`--test ${program}`]
      return /^src\/.*\.rs$/.test(inside) ? units : []
    })
    const chosen = [`--manifest-path ${manifest}`, ...new Set(targets)]
    return targets.length === 0 || !has(manifest) ? [] : [chosen.join(' ')]
  })
}

const takesFiles: readonly Suite['runner'][] = [
  ...(['node-test', 'vitest', 'jest', 'mocha', 'tap', 'pytest'] as const),
]

function withArguments(
  alone: Suite,
  { runner, otherwise, directory }: Suite,
  argv: readonly string[],
  names: readonly string[],
  exists: (path: string) => boolean,
): readonly Suite[] {
  switch (runner) {
    case 'node-test':
      return [
        {
          ...alone,
          command: { argv: [...argv.filter((each) => !each.startsWith('./')), ...names] },
        },
      ]
    case 'pytest': {
      const paths = names.map((name) => posix.join(directory, name))
      const [first = null] = otherwise === null ? [] : knownOnFiles(otherwise, paths, exists)
      const kept = argv.filter((each) => !each.startsWith('./'))
      return [{ ...alone, command: { argv: [...kept, ...names] }, otherwise: first }]
    }
    case 'unittest': {
      const start = argv.indexOf('discover') + 1
      if (start === 0) return []
      const place = /-s (\S+)/.exec(argv.slice(start).join(' '))?.[1] ?? '.'
      const kept = argv.filter((word, at) => at < start || (word !== '-p' && argv[at - 1] !== '-p'))
      return names
        .filter((name) => isWithin(posix.normalize(name), place))
        .map((name) => ({ ...alone, command: { argv: [...kept, '-p', posix.basename(name)] } }))
    }
    default:
      return []
  }
}

/** Removes the files, folders and patterns that a line names as tests to run. */
function withoutPlaces(line: string, directory: string, exists: (path: string) => boolean): string {
  const words = line.trim().split(/\s+/)
  const isPlace = (word: string): boolean => {
    const path = word.replace(/^(["'])(.*)\1$/, '$2')
    return /[*{]/.test(path) || (path !== '' && exists(posix.join(directory, path)))
  }
  const kept = words.filter((word, index) => {
    const before = words[index - 1] ?? ''
    const isValue = before.startsWith('-') && !before.includes('=') && !switches.test(before)
    return index === 0 || isValue || word.startsWith('-') || !isPlace(word) || /=/.test(word)
  })
  return kept.join(' ')
}
