import { posix } from 'node:path'
import picomatch from 'picomatch'
import { parse as parseToml } from 'smol-toml'
import {
  type ChangeSet,
  contentAfter,
  contentBefore,
  type FileChange,
} from '../../core/domain/change-set.ts'
import { parseJson } from '../../core/parse-json.ts'

/** Files that a test runner loads or reads by their names, in lower case. */
const runnerFiles = picomatch(
  [
    '**/{conftest,sitecustomize,usercustomize}.py',
    '**/*.pth',
    '**/pytest.ini',
    '**/{jest,vitest,playwright,cypress,karma,ava,wtr,web-test-runner}{,.*}.{config,conf,setup,workspace,preset}.*',
    '**/vitest.workspace.*',
    '**/{.mocharc,.taprc}{,.*}',
    '**/phpunit.xml{,.dist}',
    '**/.rspec',
    '**/{spec,test,rails}_helper.rb',
    '**/{junit-platform.properties,*.runsettings}',
  ],
  { dot: true },
)

/** The parts of shared files that a runner reads: as one text that changes only with them. */
const parts: readonly {
  readonly files: RegExp
  readonly read: (text: string) => string
}[] = [
  { files: /(?:^|\/)package\.json$/i, read: readPackage },
  { files: /(?:^|\/)pyproject\.toml$/i, read: readPyproject },
  { files: /(?:^|\/)Cargo\.toml$/i, read: readCargo },
  { files: /(?:^|\/)(?:setup\.cfg|tox\.ini)$/i, read: readSections },
  { files: /(?:^|\/)vite\.config\.\w+$/i, read: (text) => (/\btest\s*:/.test(text) ? text : '') },
]

/**
 * Finds what in a change decides how the tests run, or can reach them before they do: files and settings of a runner,
 * and files that those name. Whether the tests still prove the same, only a person can tell.
 */
export async function findRunnerChanges({
  changes,
  paths,
  read,
}: {
  readonly changes: ChangeSet
  /** Of the changed tree. */
  readonly paths: readonly string[]
  readonly read: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>
}): Promise<readonly string[]> {
  const direct = changes.filter(changesRunner).map(({ path }) => path)
  const others = changes.filter(({ path }) => !direct.includes(path) && isCode.test(path))
  if (others.length === 0) return direct
  const settings = paths.filter(isRunnerFile).slice(0, mostRead)
  const texts = [...(await read(settings)).values()]
  const named = others.filter(({ path }) => texts.some((text) => names(text, path)))
  return [...direct, ...named.map(({ path }) => path)]
}

const mostRead = 50
const isCode = /\.(?:[cm]?[jt]sx?|py|rb|php|json)$/

const isRunnerFile = (path: string): boolean =>
  runnerFiles(path.toLowerCase()) || parts.some(({ files }) => files.test(path))

/** Comparing is by meaning: a new dependency in the same file decides nothing here. */
function changesRunner(change: FileChange): boolean {
  const { path } = change
  const [before, after] = [contentBefore(change) ?? '', contentAfter(change) ?? '']
  if (runnerFiles(path.toLowerCase())) return before !== after
  const part = parts.find(({ files }) => files.test(path))
  return part !== undefined && part.read(before) !== part.read(after)
}

/** True where settings name a file: `./test/setup.ts`, `<rootDir>/test/setup`, `tests.plugin`. */
function names(text: string, path: string): boolean {
  const bare = path.replace(/\.\w+$/, '')
  const dotted = bare.replaceAll('/', '.')
  const written = [path, bare, dotted].map((each) => each.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const quoted = new RegExp(`["'](?:<rootDir>/|\\./)?(?:${written.join('|')})["']`)
  return (
    quoted.test(text) || (path.endsWith('.py') && new RegExp(`-p[ =]${written[2]}\\b`).test(text))
  )
}

const settingsOf = (value: unknown, keys: readonly string[]): unknown =>
  keys.map((key) => Reflect.get(Object(value), key))

function readPackage(text: string): string {
  const manifest = parseJson(text)
  const scripts = Object.entries(Object(Reflect.get(Object(manifest), 'scripts')))
  const tests = scripts.filter(([name]) =>
    /(?:^|[:_-]|pre|post)(?:test|tests|check|verify|ci)\b/.test(name),
  )
  const own = settingsOf(manifest, ['jest', 'mocha', 'ava', 'vitest', 'tap', 'type', 'imports'])
  return JSON.stringify([tests.toSorted(([a], [b]) => a.localeCompare(b)), own])
}

function readPyproject(text: string): string {
  const { tool, project } = tomlOf(text)
  const points = settingsOf(project, ['entry-points'])
  return JSON.stringify([settingsOf(tool, ['pytest', 'tox', 'nox']), points])
}

function readCargo(text: string): string {
  const { test, lib, package: own } = tomlOf(text)
  const switches = settingsOf(lib, ['test', 'harness', 'doctest', 'path'])
  return JSON.stringify([test, switches, settingsOf(own, ['autotests', 'default-run'])])
}

/** What cannot be parsed is compared as it is. */
function tomlOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return parseToml(text)
  } catch {
    return { tool: { pytest: text }, test: text }
  }
}

/** Sections of pytest and tox. */
function readSections(text: string): string {
  const isRead = /^\[(?:tool:pytest|pytest|testenv[^\]]*|tox)\]/
  const sections = text.split(/^(?=\[)/m).filter((section) => isRead.test(section))
  return sections.map((section) => section.trim()).join('\n')
}

export const describeRunnerChange = (path: string): string =>
  `The change decides how the tests run, or what they find when they do (${posix.normalize(path)}). A person has to look at it.`
