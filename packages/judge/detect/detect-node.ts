import { posix } from 'node:path'
import { type Package, readManifest, readPackage } from './node-manifest.ts'
import { nodeTestFlags, suiteOfLines } from './report-line.ts'
import {
  isWithin,
  type NameReport,
  ownFiles,
  type RepositoryFiles,
  type Suite,
  suiteIn,
  withTop,
} from './suite.ts'

const namedTest =
  /(?:^|[./_-])test\.[cm]?[jt]s$|(?:^|\/)test-[^/]*\.[cm]?[jt]s$|\.spec\.[cm]?[jt]sx?$/
const inTestFolder = /(?:^|\/)(?:test|tests|__tests__)\/[^.]*[^/]*\.[cm]?[jt]s$/
const ignored = /(?:^|\/)(?:node_modules|dist|build|vendor|fixtures?|examples?|\.[^/]+)\//

/** How many test files to read to identify the runner. */
const sampleSize = 20
/** Command lines have a length limit: with more files, the runner searches for its own. */
export const mostListedFiles = 200
const mostPackages = 50

export const isJavaScriptTest = (path: string): boolean =>
  !ignored.test(path) && (namedTest.test(path) || inTestFolder.test(path))

/**
 * Detects the suites of package.json files, and of tests without one. A root test script covers all
 * packages, or only the folders that it names. Other packages run their own scripts.
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
    const found = readPackage(repository, directory)
    const isSpread = directory === '.' && spreads(found, repository, packages)
    const script = isSpread ? null : scriptSuite(repository, found, report)
    const suite = script ?? bareSuite(repository, directory, directories, report)
    if (suite !== null) suites.push(suite)
    if (directory === '.' && script !== null) isCovered = coverageOf(found, repository)
  }
  return suites
}

const spreading =
  /^(?:npx )?(?:pnpm (?:run )?(?:-r|--recursive)(?: --[\w-]+(?:=\S+)?)* (?:run )?test|yarn workspaces (?:run test|foreach (?:-\w+ |--[\w-]+ )*run test)|lerna run test(?: --[\w-]+(?:=\S+)?)*)$/

/**
 * Returns true for a root script that only starts each package's script and stops at the first red
 * one: then each package is a suite of its own.
 */
function spreads(
  { lines }: Package,
  repository: RepositoryFiles,
  packages: readonly string[],
): boolean {
  const isTested = (directory: string) =>
    directory !== '.' && Boolean(readManifest(repository, directory)?.scripts.test)
  return lines?.every((line) => spreading.test(line)) === true && packages.some(isTested)
}

/** Lines that depend on what only npm and similar tools set up. */
const needsNpm =
  /^(?:\w+=\S+ )*(?:npx )?(?:npm|pnpm|yarn|bun run|run-[sp]|npm-run-all2?|lerna|turbo|nx|wireit)\b|npm_/

/** Matches the directories that a root script tests: those it names, or all. */
function coverageOf(
  { lines }: Package,
  { files }: RepositoryFiles,
): (directory: string) => boolean {
  if (lines === null || lines.some((line) => needsNpm.test(line))) return () => true
  const isPath = (word: string) => word !== '.' && files.some((path) => isWithin(path, word))
  const named = lines
    .flatMap((line) => line.split(/\s+/))
    .map((word) => posix.normalize(word || '.'))
    .map((word) => word.replace(/^["']|["']$/g, '').replace(/\/?(?:\*|\{).*$|\/$/, ''))
    .filter((word) => /^[\w@.][\w@./-]*$/.test(word) && isPath(word))
  return (directory) =>
    named.length === 0 ||
    named.some((word) => isWithin(directory, word) || isWithin(word, directory))
}

function scriptSuite(
  repository: RepositoryFiles,
  { directory, script, lines, typed }: Package,
  report: NameReport,
): Suite | null {
  // The placeholder that `npm init` writes tests nothing.
  if (script === '' || /no test specified/.test(script)) return null
  if (lines === null || lines.some((line) => needsNpm.test(line))) {
    return managedSuite(repository, directory, typed, lines)
  }
  const needs = [lines.every((line) => /^bun\b/.test(line)) ? 'bun' : 'node']
  return suiteOfLines(directory, typed, lines, report('report'), { runner: 'npm-script', needs })
}

/** Commands that stop at the first red package unless told otherwise. */
const stopping = /^(?:npx )?turbo (?!.*(?:--continue|\s--\s)).*\btest\b[^&|;]*$/

/**
 * Runs a script that needs a package manager. npm comes with Node and can run any such script; only
 * Yarn can find packages outside `node_modules`.
 */
function managedSuite(
  { files }: RepositoryFiles,
  directory: string,
  typed: string,
  lines: readonly string[] | null,
): Suite {
  const isPlugged = typed.startsWith('yarn ') && files.includes('.pnp.cjs')
  const isStopping = lines?.length === 1 && stopping.test(lines[0] ?? '')
  const more = isStopping ? ['--', '--continue'] : []
  const argv = isPlugged ? ['yarn', 'test'] : ['npm', 'test', '--silent', ...more]
  const needs = argv.slice(0, 1)
  return suiteIn(directory, typed, { runner: 'npm-script', command: { argv }, needs })
}

/** Makes a suite of test files that no script runs. */
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
  const line = usedRunner(repository, directory, own, tests)
  if (line === undefined) return nodeTestSuite(repository, directory, tests, file)
  const isBun = line.startsWith('bun ')
  const given = { runner: 'npm-script', needs: [isBun ? 'bun' : 'node'] } as const
  return {
    ...suiteOfLines(directory, isBun ? line : `npx ${line}`, [line], file, given),
    plain: null,
  }
}

/**
 * Starts the runner that a package's tests are written for, bypassing a script that hides it;
 * `null` when they use no known runner.
 */
export const runnerSuite = (repository: RepositoryFiles, directory: string): Suite | null =>
  bareSuite(repository, directory, [directory], () => '.executor-results-0.report')

const runners = {
  'bun:test': 'bun test',
  vitest: 'vitest run',
  jest: 'jest',
  ava: 'ava',
  mocha: 'mocha',
} as const

/** Finds the runner that the package depends on, configures or imports in its tests. */
function usedRunner(
  repository: RepositoryFiles,
  directory: string,
  own: readonly string[],
  tests: readonly string[],
): string | undefined {
  const found = readManifest(repository, directory)
  const sample = tests.slice(0, sampleSize).map((path) => repository.read(path) ?? '')
  const text = sample.join('\n')
  if (/['"]node:test['"]/.test(text)) return undefined
  const isUsed = (name: string) =>
    found?.dependencies[name] !== undefined ||
    found?.devDependencies[name] !== undefined ||
    (name === 'jest' && found?.jest !== undefined) ||
    own.some((path) => posix.basename(path).startsWith(`${name}.config.`)) ||
    new RegExp(`['"]@?${name}['"/]`).test(text)
  return Object.entries(runners).find(([name]) => isUsed(name))?.[1]
}

function nodeTestSuite(
  repository: RepositoryFiles,
  directory: string,
  tests: readonly string[],
  file: string,
): Suite | null {
  const isRun = (path: string) =>
    namedTest.test(path) || /['"]node:test['"]/.test(repository.read(path) ?? '')
  const own = tests
    .filter((path) => !/\.[jt]sx$/.test(path) && isRun(path))
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
