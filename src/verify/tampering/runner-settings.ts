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

/** The parts of shared files that a runner reads, each as one text: a new dependency in the same file decides nothing. */
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
 * and files that those load. Whether the tests still prove the same, only a person can tell.
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
  const changed = changes.map(({ path }) => path)
  const direct = changes.filter(changesRunner).map(({ path }) => path)
  if (!changed.some((path) => isCode.test(path))) return direct
  const texts = await read(paths.filter((path) => partOf(path) !== undefined).slice(0, mostRead))
  const loaded = new Set([...texts].flatMap(([path, text]) => loadedBy(path, text)))
  return changed.filter((path) => direct.includes(path) || loaded.has(withoutSuffix(path)))
}

const mostRead = 50
const isCode = /\.(?:[cm]?[jt]sx?|py|rb|php|json)$/
const withoutSuffix = (path: string): string => path.replace(isCode, '')

/** How the part of a file that a runner reads is found; `undefined` for a file of which it reads nothing. */
const partOf = (path: string): ((text: string) => string) | undefined =>
  runnerFiles(path.toLowerCase())
    ? (text) => text
    : parts.find(({ files }) => files.test(path))?.read

function changesRunner(change: FileChange): boolean {
  const read = partOf(change.path)
  return (
    read !== undefined && read(contentBefore(change) ?? '') !== read(contentAfter(change) ?? '')
  )
}

/** Keys whose values a runner loads: one, or a list. */
const loads =
  /\b(?:setupFiles\w*|globalSetup|globalTeardown|require|import|plugins|reporters?|(?:testE|e)nvironment|(?:testR|r)unner|transform|pytest_plugins)["']?\s*[:=]\s*(\[[^\]]{0,2000}\]|["'`][^"'`\n]{1,300}["'`])/g
const options = /(?<![\w-])(?:-p|-r|--require|--import|--(?:experimental-)?loader)[ =]([^\s"',]+)/g

/** Files that the settings in this file name for a runner to load, without their suffix. */
function loadedBy(path: string, text: string): readonly string[] {
  const part = partOf(path)?.(text) ?? ''
  const lists = [...part.matchAll(loads)].flatMap(
    ([, list = '']) => list.match(/[^"'`[\],\s]+/g) ?? [],
  )
  const given = [...part.matchAll(options)].map(([, name = '']) => name)
  return [...lists, ...given].map((name) => {
    const isModule = !name.includes('/') && !isCode.test(name)
    const file = isModule ? name.replaceAll('.', '/') : name.replace('<rootDir>', '.')
    return withoutSuffix(posix.join(posix.dirname(path), file))
  })
}

const settingsOf = (value: unknown, keys: readonly string[]): unknown =>
  keys.map((key) => Reflect.get(Object(value), key))

function readPackage(text: string): string {
  const manifest = parseJson(text)
  const scripts = Object.entries(Object(Reflect.get(Object(manifest), 'scripts')))
  const tests = scripts.filter(([name]) =>
    /(?:^|[:_-]|pre|post)(?:test|tests|check|verify|ci)\b/.test(name),
  )
  const own = settingsOf(manifest, ['jest', 'mocha', 'ava', 'vitest', 'tap'])
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
  `The change decides how the tests run, or what they find when they do (${path}). A person has to look at it.`
