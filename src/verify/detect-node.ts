import { posix } from 'node:path'
import { z } from 'zod'
import { nodeTestFlags, reportLine } from './report-line.ts'
import { displayIn, type RepositoryFiles, type Suite, toSuite } from './suite.ts'

const manifest = z.object({
  scripts: z.record(z.string(), z.string()).catch({}),
  dependencies: z.record(z.string(), z.unknown()).catch({}),
  devDependencies: z.record(z.string(), z.unknown()).catch({}),
  jest: z.unknown().optional(),
})

type Manifest = z.infer<typeof manifest>

const namedTest =
  /(?:^|[./_-])test\.[cm]?[jt]s$|(?:^|\/)test-[^/]*\.[cm]?[jt]s$|\.spec\.[cm]?[jt]sx?$/
const inTestFolder = /(?:^|\/)(?:test|tests|__tests__)\/[^.]*[^/]*\.[cm]?[jt]s$/
const ignored = /(?:^|\/)(?:node_modules|dist|build|vendor|fixtures?|examples?|\.[^/]+)\//

/** Files read to tell one runner from another. */
const sampleSize = 20
/** More are left to the runner's own search: a command line has an end. */
const mostListedFiles = 200
const mostPackages = 10

export const isJavaScriptTest = (path: string): boolean =>
  !ignored.test(path) && (namedTest.test(path) || inTestFolder.test(path))

function readManifest(repository: RepositoryFiles, path: string): Manifest | null {
  try {
    return manifest.parse(JSON.parse(repository.read(path) ?? ''))
  } catch {
    return null
  }
}

/**
 * Suites of package.json and of test files without one. A root test script speaks for the whole
 * repository; without it each package does for itself.
 */
export function detectNodeSuites(
  repository: RepositoryFiles,
  report: (extension: string) => string,
): readonly Suite[] {
  const packages = repository.files
    .filter((path) => posix.basename(path) === 'package.json' && !ignored.test(path))
    .map((path) => posix.dirname(path))
    .sort((a, b) => a.length - b.length)
    .slice(0, mostPackages)
  const directories = packages.includes('.') ? packages : ['.', ...packages]
  const suites: Suite[] = []
  for (const directory of directories) {
    const path = posix.join(directory, 'package.json')
    const suite =
      scriptSuite(readManifest(repository, path), directory, report) ??
      bareSuite(repository, directory, directories, report)
    if (suite !== null) suites.push(suite)
    if (directory === '.' && suite?.display === 'npm test') break
  }
  return suites
}

/** Lines that lean on what only npm and its kin set up. */
const needsNpm =
  /^(?:\w+=\S+ )*(?:npm|pnpm|yarn|run-[sp]|npm-run-all2?|lerna|turbo|nx|wireit)\b|npm_/

/** What npm itself writes into a new package.json. */
const isDefaultScript = (script: string): boolean => /no test specified/.test(script)

function scriptSuite(
  found: Manifest | null,
  directory: string,
  report: (extension: string) => string,
): Suite | null {
  const script = found?.scripts.test
  if (found === null || script === undefined || script.trim() === '' || isDefaultScript(script)) {
    return null
  }
  const display = displayIn(directory, 'npm test')
  const file = report('report')
  const lines = expand(found.scripts, 'test', 3)
  if (lines === null || lines.some((line) => needsNpm.test(line))) {
    const command = { argv: ['npm', 'test', '--silent'] }
    const given = { name: display, command, display, directory, needs: ['npm'] }
    return toSuite({ ...given, runner: 'npm-script' })
  }
  const reported = lines.map((line) => reportLine(line, file))
  const known = reported.flatMap((line) => (line === null ? [] : [line.runner]))
  const [runner = 'npm-script'] = known
  const isReported = known.length === 1
  const shell = lines.map((line, index) => (isReported && reported[index]?.shell) || line)
  return toSuite({
    name: display,
    runner: isReported ? runner : 'npm-script',
    command: { shell: withPackagePrograms(shell.join(' && '), directory) },
    directory,
    display,
    collect: isReported ? [posix.join(directory, file)] : [],
    needs: ['node'],
  })
}

/**
 * The commands a script comes down to when they run one after the other; `null` when it does
 * anything that only npm or a real shell should take apart.
 */
function expand(
  scripts: Manifest['scripts'],
  name: string,
  depth: number,
): readonly string[] | null {
  const script = scripts[name]
  if (script === undefined || depth === 0 || scripts[`pre${name}`] || scripts[`post${name}`]) {
    return null
  }
  const lines: string[] = []
  for (const part of script.split('&&').map((each) => each.trim())) {
    const called = /^(?:npm|pnpm|yarn)(?: run)? ([\w:.-]+)$/.exec(part)?.[1]
    const inner =
      called !== undefined && called in scripts ? expand(scripts, called, depth - 1) : [part]
    if (inner === null || /[;|<>`\n]|&/.test(part)) return null
    lines.push(...inner)
  }
  return lines
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
  report: (extension: string) => string,
): Suite | null {
  const inner = packages.filter((other) => other !== directory && isWithin(other, directory))
  const own = repository.files.filter(
    (path) => isWithin(path, directory) && !inner.some((other) => isWithin(path, other)),
  )
  const tests = own.filter(isJavaScriptTest)
  if (tests.length === 0) return null
  const file = report('report')
  const runner = usedRunner(repository, directory, own, tests)
  const reported = runner === undefined ? null : reportLine(runner.line, file)
  if (runner === undefined || reported === null) {
    return nodeTestSuite(repository, directory, tests, file)
  }
  const display = displayIn(directory, `npx ${runner.line}`)
  return toSuite({
    name: display,
    runner: runner.name,
    command: { shell: withPackagePrograms(reported.shell, directory) },
    directory,
    display,
    collect: [posix.join(directory, file)],
    needs: ['node'],
  })
}

const runners = [
  { name: 'vitest', line: 'vitest run' },
  { name: 'jest', line: 'jest' },
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
  const display = displayIn(directory, 'node --test')
  return toSuite({
    name: display,
    runner: 'node-test',
    command: {
      argv: [
        ...['node', ...(isTyped ? ['--experimental-strip-types', '--no-warnings'] : [])],
        ...['--test', ...nodeTestFlags(file)],
        ...(own.length > mostListedFiles ? [] : own.map((path) => `./${path}`)),
      ],
    },
    directory,
    display,
    collect: [posix.join(directory, file)],
    needs: ['node'],
  })
}

const isWithin = (path: string, directory: string): boolean =>
  directory === '.' || path === directory || path.startsWith(`${directory}/`)
