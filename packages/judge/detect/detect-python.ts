import { posix } from 'node:path'
import { pytestFlags } from './report-line.ts'
import { type NameReport, type RepositoryFiles, type Suite, suiteIn } from './suite.ts'

const testFile = /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests?)\.py$/
const ignored = /(?:^|\/)(?:node_modules|site-packages|venv|vendor|fixtures?|examples?|\.[^/]+)\//
const projectFile =
  /^(?:manage\.py|pyproject\.toml|setup\.(?:py|cfg)|pytest\.ini|requirements[^/]*\.txt)$/

/** How many test files to read to identify the runner. */
const sampleSize = 40
const mostStarts = 6
/** Files named to pytest, which does not find them. */
const mostNamed = 20

export const isPythonTest = (path: string): boolean => testFile.test(path) && !ignored.test(path)

/** Detects one pytest suite, or one unittest suite for each start directory of discovery. */
export function detectPythonSuites(
  repository: RepositoryFiles,
  report: NameReport,
): readonly Suite[] {
  const files = new Set(repository.files)
  const roots = repository.files.filter((path) => projectFile.test(posix.basename(path)))
  const projects = new Set(roots.map((path) => posix.dirname(path)))
  const byProject = Map.groupBy(repository.files.filter(isPythonTest), (path) =>
    nearest(posix.dirname(path), projects),
  )
  return [...byProject].flatMap(([project, tests]) => {
    const texts = tests.slice(0, sampleSize).map((path) => repository.read(path) ?? '')
    const hasDjango = texts.some(usesDjango) && files.has(posix.join(project, 'manage.py'))
    if (hasDjango && !isConfigured(repository, project)) return [djangoSuite(project)]
    const env = sourceEnvironment(repository, project, texts)
    const findUnittest = () => unittestSuites(files, project, tests, env, report)
    const isNeeded = texts.some(needsPytest)
    if (!isNeeded && !isConfigured(repository, project)) return findUnittest()
    const file = report('xml')
    const [first = null] = isNeeded ? [] : findUnittest()
    const named = collectedByName(repository, project, tests)
    return [pytestSuite(project, env, file, first, named ? [] : tests.slice(0, mostNamed))]
  })
}

function nearest(directory: string, projects: ReadonlySet<string>): string {
  let current = directory
  while (current !== '.' && !projects.has(current)) current = posix.dirname(current)
  return current
}

const usesDjango = (text: string): boolean => /^\s*(?:import|from) django\.test\b/m.test(text)

/** Django's own command creates the test databases, then runs unittest. */
function djangoSuite(directory: string): Suite {
  const argv = ['python3', 'manage.py', 'test']
  const command = { argv: [...argv, '--noinput'] }
  return suiteIn(directory, argv.join(' '), { runner: 'unittest', command, needs: ['python3'] })
}

/** True when a text imports pytest or has tests only pytest finds: functions, plain classes. */
function needsPytest(text: string): boolean {
  if (/^\s*(?:import|from) pytest\b/m.test(text)) return true
  return /^(?:async )?def test_\w*\(/m.test(text) || /^class Test\w*:/m.test(text)
}

function isConfigured(repository: RepositoryFiles, project: string): boolean {
  const text = (name: string) => repository.read(posix.join(project, name)) ?? ''
  const requirements = repository.files.filter(
    (path) => posix.dirname(path) === project && /requirements[^/]*\.txt$/.test(path),
  )
  return (
    repository.files.includes(posix.join(project, 'pytest.ini')) ||
    repository.files.some((path) => posix.basename(path) === 'conftest.py') ||
    /\bpytest\b/.test(text('pyproject.toml') + text('setup.cfg') + text('tox.ini')) ||
    requirements.some((path) => /^pytest\b/m.test(repository.read(path) ?? ''))
  )
}

/** False where pytest would find no test: by itself it collects `test_*.py` and `*_test.py`, and no `tests.py`. */
function collectedByName(
  repository: RepositoryFiles,
  project: string,
  tests: readonly string[],
): boolean {
  const isConfigured = ['pytest.ini', 'pyproject.toml', 'setup.cfg', 'tox.ini'].some((name) =>
    /^python_files\b/m.test(repository.read(posix.join(project, name)) ?? ''),
  )
  return isConfigured || !tests.every((path) => /(?:^|\/)tests?\.py$/.test(path))
}

/**
 * Adds `src/` to the import path when tests import a module from it, or when the project is built from it: by its own
 * name, or by a setting. Others may have modules there that hide those of Python.
 */
function sourceEnvironment(
  repository: RepositoryFiles,
  project: string,
  texts: readonly string[],
): Readonly<Record<string, string>> {
  const source = posix.join(project, 'src')
  const names = new Set(
    repository.files
      .filter((path) => path.startsWith(`${source}/`) && path.endsWith('.py'))
      .map((path) => posix.relative(source, path).split('/')[0]?.replace(/\.py$/, '') ?? ''),
  )
  const imported = texts.flatMap((text) =>
    [...text.matchAll(/^\s*(?:import|from) (\w+)/gm)].map(([, name = '']) => name),
  )
  const isImported = imported.some((name) => names.has(name))
  return isImported || isBuiltFrom(names, repository, project) ? { PYTHONPATH: 'src' } : {}
}

/** Settings of setuptools, Poetry, Hatch and PDM. */
const builtFromSource =
  /package[-_]dir[\s\S]{0,40}?\bsrc\b|\bwhere\s*=\s*\[?\s*["']?src\b|\bfrom\s*=\s*["']src["']|find_packages\(\s*["']src\b|packages\s*=\s*\[\s*["']src\//

/** True when the project's own manifest says that its packages are in `src/`. */
function isBuiltFrom(
  names: ReadonlySet<string>,
  repository: RepositoryFiles,
  project: string,
): boolean {
  const manifests = ['pyproject.toml', 'setup.cfg', 'setup.py'].map(
    (name) => repository.read(posix.join(project, name)) ?? '',
  )
  const named = manifests.flatMap((text) =>
    [...text.matchAll(/^\s*name\s*=\s*["']?([\w.-]+)/gm)].map(([, name = '']) => name),
  )
  const isNamed = named.some((name) => names.has(name.toLowerCase().replaceAll(/[-.]/g, '_')))
  return names.size > 0 && (isNamed || manifests.some((text) => builtFromSource.test(text)))
}

function pytestSuite(
  directory: string,
  env: Suite['env'],
  report: string,
  otherwise: Suite | null,
  tests: readonly string[],
): Suite {
  const files = tests.map((path) => posix.relative(directory, path))
  const line = ['pytest', ...files].join(' ')
  const argv = ['python3', '-m', 'pytest']
  const named = files.map((path) => `./${path}`)
  const given = { env, needs: ['python3'] }
  const plain = { ...given, runner: 'command', command: { argv: [...argv, ...named] } } as const
  return suiteIn(directory, line, {
    ...{ ...given, runner: 'pytest', report, otherwise },
    command: { argv: [...argv, '-q', ...pytestFlags(report), ...named] },
    plain: suiteIn(directory, line, plain),
  })
}

/** `python3 -m unittest`, but the runner's own output is also kept apart from what tests print. */
const reportedUnittest = [
  'import sys, unittest',
  'report = open(sys.argv.pop(1), "w")',
  // The typed command holds the report's path, too.
  'sys.orig_argv = sys.argv',
  'class Stream:',
  '    def write(self, text):',
  '        report.write(text); report.flush(); sys.stderr.write(text)',
  '    def flush(self):',
  '        sys.stderr.flush()',
  'sys.argv[0] = "python3 -m unittest"',
  'unittest.main(module=None, testRunner=unittest.TextTestRunner(stream=Stream(), verbosity=2))',
].join('\n')

/** Discovery descends only into packages: it starts at each topmost package or plain folder. */
function unittestSuites(
  files: ReadonlySet<string>,
  project: string,
  tests: readonly string[],
  env: Suite['env'],
  report: NameReport,
): readonly Suite[] {
  const isPackage = (directory: string) => files.has(posix.join(directory, '__init__.py'))
  const starts = new Map<string, readonly string[]>()
  for (const path of tests) {
    let start = posix.dirname(path)
    while (start !== project && isPackage(start) && isPackage(posix.dirname(start))) {
      start = posix.dirname(start)
    }
    const top = posix.relative(project, posix.dirname(start)) || '.'
    const place = posix.relative(project, start)
    const pattern = posix.basename(path).startsWith('test') ? [] : ['-p', '*_test.py']
    const options = [
      ...(place === '' ? [] : ['-s', place]),
      ...(place !== '' && isPackage(start) ? ['-t', top] : []),
      ...pattern,
    ]
    starts.set(options.join(' '), options)
  }
  return [...starts.values()].slice(0, mostStarts).map((options) => {
    const file = report('report')
    const argv = ['python3', '-c', reportedUnittest, file, 'discover', ...options]
    const line = ['python3 -m unittest discover', ...options].join(' ')
    const given = { env, report: file, needs: ['python3'] }
    return suiteIn(project, line, { ...given, runner: 'unittest', command: { argv } })
  })
}
