import { posix } from 'node:path'
import picomatch from 'picomatch'
import {
  type ChangeSet,
  contentAfter,
  contentBefore,
  type FileChange,
} from '../../change/change.ts'
import { type EntryFormat, readEntries } from '../destructive/packages/entries.ts'

/** Files that a test runner loads or reads by their names, in lower case. */
const runnerFiles = picomatch(
  [
    '**/{conftest,sitecustomize,usercustomize}.py',
    '**/*.pth',
    '**/{,.}pytest.{ini,toml}',
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

/** Keys of shared manifests whose values a runner reads: globs over them, which `/` joins. */
const sharedKeys: readonly {
  readonly files: RegExp
  readonly format: EntryFormat
  readonly keys: (joined: string) => boolean
}[] = [
  {
    files: /(?:^|\/)package\.json$/i,
    format: 'json',
    keys: picomatch([
      '{jest,mocha,ava,vitest,tap}{,/**}',
      '{imports,exports}/**/{development,test,jest,vitest}',
      'scripts/{,pre,post,*[:_-]}{test,tests,check,verify,ci}{,[:_-]*}',
    ]),
  },
  {
    files: /(?:^|\/)pyproject\.toml$/i,
    format: 'toml',
    keys: picomatch(['tool/{pytest,tox,nox}/**', 'project/entry-points/**']),
  },
  {
    files: /(?:^|\/)Cargo\.toml$/i,
    format: 'toml',
    keys: picomatch([
      'test/*',
      'lib/{test,harness,doctest,path}',
      'package/{autotests,default-run}',
    ]),
  },
]

/** Shared files whose part for a runner is found by its text. */
const sharedTexts: readonly { readonly files: RegExp; readonly part: RegExp }[] = [
  {
    files: /(?:^|\/)(?:setup\.cfg|tox\.ini)$/i,
    part: /^\[(?:tool:pytest|pytest|testenv[^\]\n]*|tox)\](?:\n(?!\[).*)*/gm,
  },
  // The keys that vitest reads, each to the end of its indented lines.
  {
    files: /(?:^|\/)vite\.config\.\w+$/i,
    part: /\b(?:test|plugins|resolve|define|alias)\s*:.*(?:\n(?: {4,}|\t\t|\s*[\]})]).*)*/g,
  },
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
  const texts = await read(paths.filter(isRead).slice(0, mostRead))
  const loaded = new Set([...texts].flatMap(([path, text]) => loadedBy(path, text)))
  return changed.filter((path) => direct.includes(path) || loaded.has(withoutSuffix(path)))
}

const mostRead = 50
const isCode = /\.(?:[cm]?[jt]sx?|py|rb|php|json)$/
const withoutSuffix = (path: string): string => path.replace(isCode, '')

/** What a runner reads of a file, as one text; empty for nothing. A manifest that cannot be read counts as a whole. */
function partOf(path: string, text: string): string {
  if (runnerFiles(path.toLowerCase())) return text
  const shared = sharedTexts.find(({ files }) => files.test(path))
  if (shared !== undefined)
    return (text.match(shared.part) ?? []).map((each) => each.trim()).join('\n')
  const manifest = sharedKeys.find(({ files }) => files.test(path))
  if (manifest === undefined) return ''
  return (readEntries(manifest.format, text) ?? [{ keys: [], value: text }])
    .map(({ keys, value }) => ({ joined: keys.join('/'), value }))
    .filter(({ joined }) => joined === '' || manifest.keys(joined))
    .map(({ joined, value }) => `${joined}: ${JSON.stringify(value)}`)
    .join('\n')
}

const isRead = (path: string): boolean =>
  runnerFiles(path.toLowerCase()) ||
  [...sharedKeys, ...sharedTexts].some(({ files }) => files.test(path))

const changesRunner = (change: FileChange): boolean =>
  partOf(change.path, contentBefore(change) ?? '') !==
  partOf(change.path, contentAfter(change) ?? '')

/** Keys whose values a runner loads: one, or a list. */
const loads =
  /\b(?:setupFiles\w*|globalSetup|globalTeardown|require|import|plugins|reporters?|(?:testE|e)nvironment|(?:testR|r)unner|transform|pytest_plugins)["']?\s*[:=]\s*(\[[^\]]{0,2000}\]|["'`][^"'`\n]{1,300}["'`])/g
const options = /(?<![\w-])(?:-p|-r|--require|--import|--(?:experimental-)?loader)[ =]([^\s"',]+)/g

/** Files that the settings in this file name for a runner to load, without their suffix. */
function loadedBy(path: string, text: string): readonly string[] {
  const part = partOf(path, text)
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

export const describeRunnerChange = (path: string): string =>
  `The change decides how the tests run, or what they find when they do (${path}). A person has to look at it.`
