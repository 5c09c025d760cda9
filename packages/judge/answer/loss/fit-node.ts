import { posix } from 'node:path'
import { type ChangeSet, contentAfter } from '../../../change/change.ts'
import { isTestFile, maskCurly, maskText, resolveImport } from '../../../source/source.ts'
import { importTestFunctions } from './mend-imports.ts'
import { type AnswerTree, openChanged, type StartTree } from './mend-paths.ts'

/**
 * Adapts new code to Node: modules of Node leave the dependencies of a package.json. Where nothing but Node runs the
 * code, imports of JavaScript modules get the file extension that Node needs, and tests for `node --test` import the
 * functions that it does not define.
 */
export async function fitToNode(given: ChangeSet, start: StartTree): Promise<ChangeSet> {
  const changes = withoutNodeModules(given)
  const modules = changes.filter(({ path }) => /\.m?js$/.test(path))
  const isOpen = modules.some(
    (change) => isTestFile(change.path) || fromFile.test(contentAfter(change) ?? ''),
  )
  if (!isOpen) return changes
  const tree = openChanged(changes, start)
  const textOf = await tree.read(modules.flatMap(({ path }) => manifestsOf(path)))
  return changes.map((change) => {
    if (change.action === 'delete' || !modules.includes(change)) return change
    const { path } = change
    const manifest = manifestsOf(path).map(textOf).find(Boolean) ?? ''
    if (!isNodeAlone(manifest)) return change
    const before = change.action === 'create' ? '' : change.before
    const extended = withExtensions(path, change.content, before, tree)
    const isModule = path.endsWith('.mjs') || /"type"\s*:\s*"module"/.test(manifest)
    const isTest = isNodeTest(testCommand(manifest)) && isTestFile(path)
    const content = isTest ? importTestFunctions(before, extended, isModule) : extended
    return content === change.content ? change : { ...change, content }
  })
}

const fromFile = /\bfrom\s*["']\.\.?\//

/** The package.json files that may hold for a file, nearest first. */
function manifestsOf(path: string): readonly string[] {
  const folders = posix.dirname(path).split('/')
  const above = folders.map((_, index) => folders.slice(0, folders.length - index).join('/'))
  return [...new Set([...above, '.'])].map((folder) => posix.join(folder, 'package.json'))
}

/** Tools that resolve imports themselves. */
const resolvers =
  /"(?:[^"]*\b(?:vite|vitest|webpack|rollup|rolldown|esbuild|parcel|next|nuxt|jest|babel|typescript|tsx|ts-node|swc|metro|bun|react-scripts|expo)\b[^"]*)"/

const testCommand = (manifest: string): string =>
  /"test"\s*:\s*"([^"\n]*)"/.exec(manifest)?.[1] ?? ''

const isNodeTest = (command: string): boolean => /\bnode\b.*\s--test\b/.test(command)

/** Returns true when Node itself runs the tests, or nothing does yet. */
function isNodeAlone(manifest: string): boolean {
  const command = testCommand(manifest)
  return (command === '' || isNodeTest(command)) && !resolvers.test(manifest)
}

/** The head of `import … from './a'` up to the closing quote, in masked text. */
const bareImport = /^(?:import|export)\b[^;='"`()]{0,2000}?\bfrom\s*(["'])( *)\1/gm

function withExtensions(
  path: string,
  text: string,
  before: string,
  { exists }: Pick<AnswerTree, 'exists'>,
): string {
  const places = [...maskText(text, 'script').matchAll(bareImport)].flatMap((found) => {
    const end = found.index + found[0].length - 1
    const specifier = text.slice(end - (found[2] ?? '').length, end)
    const isBare = /^\.\.?\//.test(specifier) && posix.extname(specifier) === ''
    const isNew = !before.includes(`'${specifier}'`) && !before.includes(`"${specifier}"`)
    const target = isBare && isNew ? resolveImport(path, specifier, exists) : null
    const missing = target?.slice(posix.join(posix.dirname(path), specifier).length) ?? ''
    return /^(?:\/index)?\.[mc]?js$/.test(missing) ? [{ end, missing }] : []
  })
  return places.reduceRight(
    (kept, { end, missing }) => kept.slice(0, end) + missing + kept.slice(end),
    text,
  )
}

/** A list of a package.json that npm installs from: its head, its entries, its end. */
const dependencies =
  /("(?:dependencies|(?:dev|optional|peer)Dependencies)"\s*:\s*\{)([^{}]*?)(\s*\})/g
const entry = /\s*"([^"]*)"\s*:\s*"[^"]*"/g

/** No package can be called `node:test`: npm refuses the whole list. */
const withoutNodeModules = (changes: ChangeSet): ChangeSet =>
  changes.map((change) => {
    const isManifest = posix.basename(change.path) === 'package.json'
    if (change.action === 'delete' || !isManifest) return change
    const content = change.content.replace(
      dependencies,
      (list: string, head: string, entries: string, end: string) => {
        const all = [...entries.matchAll(entry)]
        const kept = all.filter(([, name = '']) => !name.startsWith('node:'))
        if (kept.length === all.length) return list
        return head + kept.map(([text]) => text).join(',') + (kept.length > 0 ? end : end.trim())
      },
    )
    return content === change.content ? change : { ...change, content }
  })

/** How a language names the package of a file; its first group is the name. */
const clauses: Readonly<Record<string, { clause: RegExp; write: (name: string) => string }>> = {
  '.go': { clause: /^package[ \t]+(\w+)/m, write: (name) => `package ${name}` },
  '.java': { clause: /^package[ \t]+([\w.]+)[ \t]*;/m, write: (name) => `package ${name};` },
}

/** A file like this says itself that it belongs to no package of its folder. */
const standsApart = /^\/\/go:build\b|^\/\/ \+build\b/m

const isBeside = (path: string, other: string): boolean =>
  posix.dirname(path) === posix.dirname(other) && posix.extname(path) === posix.extname(other)

/** Paths of the files whose package a new file of this path shares, a few of them; for a test also tests. */
export function packageNeighbours(path: string, paths: readonly string[]): readonly string[] {
  const extension = posix.extname(path)
  if (clauses[extension] === undefined) return []
  const neighbours = paths.filter((each) => isBeside(each, path))
  const [tests, others] = [true, false].map((isTest) =>
    neighbours.filter((each) => each.endsWith('_test.go') === isTest).slice(0, 4),
  )
  return [...(others ?? []), ...(path.endsWith('_test.go') ? (tests ?? []) : [])]
}

/**
 * Names in a new file the package of the files beside it, where all of them name one: Go refuses a folder with two, and
 * a weak model names the file instead. Tests in Go may also be in that package with `_test`.
 *
 * @param neighbours texts by path, those of `packageNeighbours` among them
 */
export function mendPackage(
  path: string,
  text: string,
  neighbours: ReadonlyMap<string, string>,
): string {
  const { clause, write } = clauses[posix.extname(path)] ?? {}
  if (clause === undefined || write === undefined || standsApart.test(text)) return text
  // A comment above may begin a line with the word.
  const find = (of: string) => clause.exec(maskCurly(of, ''))
  const named = [...neighbours].filter(
    ([each, of]) => isBeside(each, path) && !standsApart.test(of),
  )
  const isTest = path.endsWith('_test.go')
  const namesOf = (areTests: boolean) =>
    new Set(
      named.flatMap(([each, of]) =>
        each.endsWith('_test.go') === areTests ? (find(of)?.[1] ?? []) : [],
      ),
    )
  const [own, tests] = [namesOf(false), namesOf(true)]
  const [name] = own.size > 0 ? own : tests
  const found = find(text)
  const fits = (each: string) =>
    own.has(each) || (isTest && (tests.has(each) || each === `${name}_test`))
  if (name === undefined || own.size > 1 || fits(found?.[1] ?? '')) return text
  const [used] = isTest && tests.size === 1 ? tests : [name]
  const line = write(used ?? name)
  if (found === null) return `${line}\n\n${text}`
  return text.slice(0, found.index) + line + text.slice(found.index + found[0].length)
}
