import { posix } from 'node:path'
import { expandScript, type Manifest, managerOf, readManifest, testLines } from './node-manifest.ts'
import { isWithin, ownFiles, withTop } from './project-roots.ts'
import { nodeTestFlags, reportLine } from './report-line.ts'
import { displayIn, type NameReport, type RepositoryFiles, type Suite, suiteIn } from './suite.ts'

const namedTest =
  /(?:^|[./_-])test\.[cm]?[jt]s$|(?:^|\/)test-[^/]*\.[cm]?[jt]s$|\.spec\.[cm]?[jt]sx?$/
const inTestFolder = /(?:^|\/)(?:test|tests|__tests__)\/[^.]*[^/]*\.[cm]?[jt]s$/
const ignored = /(?:^|\/)(?:node_modules|dist|build|vendor|fixtures?|examples?|\.[^/]+)\//

/** Files read to tell one runner from another. */
const sampleSize = 20
/** More are left to the runner's own search: a command line has an end. */
const mostListedFiles = 200
const mostPackages = 50

export const isJavaScriptTest = (path: string): boolean =>
  !ignored.test(path) && (namedTest.test(path) || inTestFolder.test(path))

/**
 * Suites of package.json and of test files without one. A root test script speaks for the whole
 * repository, unless it names the folders that it tests: then the packages elsewhere run their
 * own. Without a root script each package speaks for itself.
 */
export function detectNodeSuites(
  repository: RepositoryFiles,
  report: NameReport,
): readonly Suite[] {
  const packages = repository.files
    .filter((path) => posix.basename(path) === 'package.json' && !ignored.test(path))
    .map((path) => posix.dirname(path))
    .sort((a, b) => a.length - b.length)
    .slice(0, mostPackages)
  const directories = withTop(packages)
  const suites: Suite[] = []
  let isCovered: (directory: string) => boolean = () => false
  for (const directory of directories) {
    if (isCovered(directory)) continue
    const found = readManifest(repository, posix.join(directory, 'package.json'))
    const isSpread = directory === '.' && spreads(found, repository, packages)
    const script = isSpread ? null : scriptSuite(repository, found, directory, report)
    const suite = script ?? bareSuite(repository, directory, directories, report)
    if (suite !== null) suites.push(suite)
    if (directory === '.' && script !== null) isCovered = coverageOf(found, repository)
  }
  return suites
}

/** The commands that its test script comes down to. */
const testScriptOf = (found: Manifest | null): readonly string[] | null =>
  found === null ? null : expandScript(found.scripts, 'test', 3)

/**
 * A root script that does nothing but start the script of each package, up to the first that is red: each
 * speaks for itself instead.
 */
function spreads(
  found: Manifest | null,
  repository: RepositoryFiles,
  packages: readonly string[],
): boolean {
  const lines = testScriptOf(found)
  const isTested = (directory: string) =>
    directory !== '.' &&
    (readManifest(repository, posix.join(directory, 'package.json'))?.scripts.test ?? '') !== ''
  return lines?.every((line) => spreading.test(line)) === true && packages.some(isTested)
}

const spreading =
  /^(?:npx )?(?:pnpm (?:run )?(?:-r|--recursive)(?: --[\w-]+(?:=\S+)?)* (?:run )?test|yarn workspaces (?:run test|foreach (?:-\w+ |--[\w-]+ )*run test)|lerna run test(?: --[\w-]+(?:=\S+)?)*)$/
/** Stops at the first part that is red, unless it is told not to. */
const stopping = /^(?:npx )?turbo (?!.*(?:--continue|\s--\s)).*\btest\b[^&|;]*$/

/** The directories that a root script tests: those it names, or all. */
function coverageOf(
  found: Manifest | null,
  { files }: RepositoryFiles,
): (directory: string) => boolean {
  const lines = testScriptOf(found)
  if (lines === null || lines.some((line) => needsNpm.test(line))) return () => true
  const isPath = (word: string) => word !== '.' && files.some((path) => isWithin(path, word))
  const words = lines
    .flatMap((line) => line.split(/\s+/))
    .map((word) => posix.normalize(word || '.'))
  const named = words
    .map((word) => word.replace(/^["']|["']$/g, '').replace(/\/?(?:\*|\{).*$|\/$/, ''))
    .filter((word) => /^[\w@.][\w@./-]*$/.test(word) && isPath(word))
  return (directory) =>
    named.length === 0 ||
    named.some((word) => isWithin(directory, word) || isWithin(word, directory))
}

/** Lines that lean on what only npm and its kin set up. */
const needsNpm =
  /^(?:\w+=\S+ )*(?:npx )?(?:npm|pnpm|yarn|bun run|run-[sp]|npm-run-all2?|lerna|turbo|nx|wireit)\b|npm_/

/** What npm itself writes into a new package.json. */
const isDefaultScript = (script: string): boolean => /no test specified/.test(script)

function scriptSuite(
  repository: RepositoryFiles,
  found: Manifest | null,
  directory: string,
  report: NameReport,
): Suite | null {
  const script = found?.scripts.test
  if (found === null || script === undefined || script.trim() === '' || isDefaultScript(script)) {
    return null
  }
  const typed = testLines[managerOf(repository, found, directory)]
  const file = report('report')
  const lines = testScriptOf(found)
  if (lines === null || lines.some((line) => needsNpm.test(line))) {
    const isStopping = lines?.length === 1 && stopping.test(lines[0] ?? '')
    return managedSuite(repository, typed, directory, isStopping ? ['--', '--continue'] : [])
  }
  const reported = lines.map((line) => reportLine(line, file))
  const known = reported.filter((line) => line !== null)
  const [only] = known
  const isReported = known.length === 1
  const shell = lines.map((line, index) => (isReported && reported[index]?.shell) || line)
  const running = (all: readonly string[]) => ({
    shell: withPackagePrograms(all.join(' && '), directory),
  })
  const needs = [shell.every((line) => /^bun\b/.test(line)) ? 'bun' : 'node']
  const command = running(lines)
  const plain = suiteIn(directory, typed, { runner: 'npm-script', command, needs })
  if (!isReported || only === undefined) return plain
  const at = reported.indexOf(only)
  const line = lines[at] ?? ''
  const suite: Suite = {
    ...plain,
    runner: only.runner,
    command: running(shell),
    collect: only.isWritten ? [posix.join(directory, file)] : [],
    line,
    plain: only.isWritten ? plain : null,
  }
  if (at === 0 || !lines.slice(0, at).every((each) => checker.test(each))) return suite
  const own = running(shell.slice(at, at + 1))
  const alone = { ...suite, command: own, display: displayIn(directory, line), plain: null }
  return { ...suite, alone }
}

/** Looks at the code and writes nothing: tests behind it are the same where it is red. */
const checker =
  /^(?:npx )?(?:(?:eslint|xo|standard|semistandard|ts-standard|oxlint|jshint|stylelint|tsd|publint|cspell|biome (?:check|lint|ci))\b|prettier (?=.*(?:--check|--list-different|-c|-l)\b)|tsc (?=.*--noEmit\b))(?!.*--(?:fix|write)\b)[^#&;|<>`$()]*$/

/**
 * A script that only a package manager can run. npm runs any such script as the others do, and is
 * where Node is; only Yarn knows where it put packages that are not in `node_modules`.
 */
function managedSuite(
  { files }: RepositoryFiles,
  typed: string,
  directory: string,
  more: readonly string[],
): Suite {
  const isPlugged = typed === testLines.yarn && files.includes('.pnp.cjs')
  const argv = isPlugged ? ['yarn', 'test'] : ['npm', 'test', '--silent', ...more]
  const needs = argv.slice(0, 1)
  return suiteIn(directory, typed, { runner: 'npm-script', command: { argv }, needs })
}

/** As npm does: the programs of installed packages come first, those of outer packages after. */
export function withPackagePrograms(shell: string, directory: string): string {
  const depth = directory === '.' ? 0 : directory.split('/').length
  const places = Array.from(
    { length: depth + 1 },
    (_, up) => `$PWD/${'../'.repeat(up)}node_modules/.bin`,
  )
  return `export PATH="${places.join(':')}:$PATH"; ${shell}`
}

/** Test files that no script runs. */
function bareSuite(
  repository: RepositoryFiles,
  directory: string,
  packages: readonly string[],
  report: NameReport,
): Suite | null {
  const own = ownFiles(repository.files, directory, packages)
  const tests = own.filter(isJavaScriptTest)
  if (tests.length === 0) return null
  const file = report('report')
  const runner = usedRunner(repository, directory, own, tests)
  const reported = runner === undefined ? null : reportLine(runner.line, file)
  if (runner === undefined || reported === null) {
    return nodeTestSuite(repository, directory, tests, file)
  }
  const isBun = runner.name === 'bun:test'
  return suiteIn(directory, isBun ? runner.line : `npx ${runner.line}`, {
    runner: reported.runner,
    command: { shell: withPackagePrograms(reported.shell, directory) },
    report: file,
    line: runner.line,
    needs: [isBun ? 'bun' : 'node'],
  })
}

/**
 * The runner that a package's tests are written for, started as it is, where its script tells nothing of it;
 * `null` where none of ours is used.
 */
export function runnerSuite(repository: RepositoryFiles, directory: string): Suite | null {
  return bareSuite(repository, directory, [directory], () => '.executor-results-0.report')
}

const runners = [
  { name: 'bun:test', line: 'bun test' },
  { name: 'vitest', line: 'vitest run' },
  { name: 'jest', line: 'jest' },
  { name: 'ava', line: 'ava' },
  { name: 'mocha', line: 'mocha' },
] as const

/** The one that the package depends on, has a configuration for, or imports in its tests. */
function usedRunner(
  repository: RepositoryFiles,
  directory: string,
  own: readonly string[],
  tests: readonly string[],
): (typeof runners)[number] | undefined {
  const found = readManifest(repository, posix.join(directory, 'package.json'))
  const sample = tests.slice(0, sampleSize).map((path) => repository.read(path) ?? '')
  const text = sample.join('\n')
  if (/['"]node:test['"]/.test(text)) return undefined
  return runners.find(
    ({ name }) =>
      found?.dependencies[name] !== undefined ||
      found?.devDependencies[name] !== undefined ||
      (name === 'jest' && found?.jest !== undefined) ||
      own.some((path) => posix.basename(path).startsWith(`${name}.config.`)) ||
      new RegExp(`['"]@?${name}['"/]`).test(text),
  )
}

function nodeTestSuite(
  repository: RepositoryFiles,
  directory: string,
  tests: readonly string[],
  file: string,
): Suite | null {
  const runnable = tests.filter((path) => !/\.[jt]sx$/.test(path))
  const own = runnable
    .filter((path) => namedTest.test(path) || /['"]node:test['"]/.test(repository.read(path) ?? ''))
    .map((path) => posix.relative(directory, path))
  if (own.length === 0) return null
  const isTyped = own.some((path) => /\.[cm]?ts$/.test(path))
  const command = {
    argv: [
      ...['node', ...(isTyped ? ['--experimental-strip-types', '--no-warnings'] : [])],
      ...['--test', ...nodeTestFlags(file)],
      ...(own.length > mostListedFiles ? [] : own.map((path) => `./${path}`)),
    ],
  }
  const given = { runner: 'node-test', command, report: file, needs: ['node'] } as const
  return suiteIn(directory, 'node --test', given)
}
