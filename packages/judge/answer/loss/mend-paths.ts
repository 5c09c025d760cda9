import { posix } from 'node:path'
import { type ChangeSet, contentAfter, overlay } from '../../../change/change.ts'
import {
  exportedNames,
  findBrokenImports,
  isTestFile,
  maskText,
  resolveImport,
} from '../../../source/source.ts'
import type { ChangeTree } from './check-replaced.ts'
import { importTestFunctions } from './mend-imports.ts'

type Broken = Awaited<ReturnType<typeof findBrokenImports>>[number]

/**
 * Corrects new imports of files that are not where the import says, where one file alone has that name and exports what
 * is imported: models import a file as if it were beside its test. JavaScript, TypeScript and Python.
 *
 * @returns the changes, and a sentence for each correction
 */
export async function mendPaths(
  changes: ChangeSet,
  start: Pick<ChangeTree, 'paths' | 'read'>,
): Promise<{ readonly changes: ChangeSet; readonly notes: readonly string[] }> {
  const asText = changes.map((change) => {
    const before = change.action === 'create' ? '' : change.before
    const content = change.action === 'delete' ? {} : { content: change.content }
    return { path: change.path, before, ...content }
  })
  const broken = await findBrokenImports(asText, start)
  const texts = new Map(changes.map((change) => [change.path, contentAfter(change)]))
  const exists = (path: string) =>
    texts.has(path) ? texts.get(path) !== undefined : start.paths.includes(path)
  const targetOf = ({ path, suggestion }: Broken) =>
    suggestion === null ? null : resolveImport(path, suggestion, exists)
  const there = await start.read(broken.flatMap((each) => targetOf(each) ?? []))
  const certain = broken.filter((each) => {
    const target = targetOf(each)
    const text = target === null ? undefined : (texts.get(target) ?? there.get(target))
    const line = texts.get(each.path)?.split('\n')[each.line - 1] ?? ''
    const own = /^import\s+([\w$]+)\s+from\b/.exec(line)?.[1]
    const names = each.names.map((name) => (name === 'default' ? [name, own ?? name] : [name]))
    return target !== null && text !== undefined && hasNames(target, text, names)
  })
  const mended = changes.map((change) => {
    const own = certain.filter(({ path }) => path === change.path)
    if (change.action === 'delete' || own.length === 0) return change
    return { ...change, content: own.reduce(withPath, change.content) }
  })
  const notes = certain.map(
    ({ path, specifier, suggestion }) =>
      `${path}: the import of ${specifier} was corrected to ${suggestion}`,
  )
  return { changes: mended, notes }
}

/** What resolves imports in place of Node, which needs the ending of a file. */
const resolvers =
  /"(?:[^"]*\b(?:vite|vitest|webpack|rollup|rolldown|esbuild|parcel|next|nuxt|jest|babel|typescript|tsx|ts-node|swc|metro|bun|react-scripts|expo)\b[^"]*)"/

const testCommand = (manifest: string): string | undefined =>
  /"test"\s*:\s*"([^"\n]*)"/.exec(manifest)?.[1]

const isNodeTest = (command: string): boolean => /\bnode\b.*\s--test\b/.test(command)

/** Runs the tests by Node itself, or by nothing yet. */
function isNodeAlone(manifest: string): boolean {
  const command = testCommand(manifest)
  return (command === undefined || isNodeTest(command)) && !resolvers.test(manifest)
}

const fromFile = /\bfrom\s*["']\.\.?\//

/** `import … from './a'`: its specifier, without an ending, where the quotes of masked text are. */
const bareImport = /^(?:import|export)\b[^;='"`()]{0,2000}?\bfrom\s*(["'])( *)\1/gm

/**
 * Writes new code for Node where Node itself runs the tests: imports of JavaScript modules get the ending of their file
 * (`./health` is no module to it), and tests import what its runner does not define.
 */
export async function writtenForNode(
  changes: ChangeSet,
  { paths, read }: Pick<ChangeTree, 'paths' | 'read'>,
): Promise<ChangeSet> {
  const modules = changes.filter(({ path }) => /\.m?js$/.test(path))
  const mayChange = ({
    path,
    text = '',
  }: {
    readonly path: string
    readonly text?: string | undefined
  }) => fromFile.test(text) || isTestFile(path)
  if (!modules.some((each) => mayChange({ path: each.path, text: contentAfter(each) })))
    return changes
  const texts = await read(['package.json'])
  const after = overlay((path) => texts.get(path), changes)
  const manifest = after('package.json') ?? ''
  if (!isNodeAlone(manifest)) return changes
  const isRunByNode = isNodeTest(testCommand(manifest) ?? '')
  const exists = (path: string) =>
    changes.some((change) => change.path === path)
      ? after(path) !== undefined
      : paths.includes(path)
  return changes.map((change) => {
    if (change.action === 'delete' || !modules.includes(change)) return change
    const before = change.action === 'create' ? '' : change.before
    const ended = withOwnEndings(change.path, change.content, before, exists)
    const isTest = isRunByNode && isTestFile(change.path)
    const content = isTest ? importTestFunctions(change.path, before, ended) : ended
    return content === change.content ? change : { ...change, content }
  })
}

function withOwnEndings(
  path: string,
  text: string,
  before: string,
  exists: (path: string) => boolean,
): string {
  const places = [...maskText(text, 'script').matchAll(bareImport)].flatMap((found) => {
    const end = found.index + found[0].length - 1
    const specifier = text.slice(end - (found[2] ?? '').length, end)
    const isBare = /^\.\.?\//.test(specifier) && posix.extname(specifier) === ''
    const isNew = !before.includes(`'${specifier}'`) && !before.includes(`"${specifier}"`)
    const target = isBare && isNew ? resolveImport(path, specifier, exists) : null
    const ending =
      target === null ? '' : target.slice(posix.join(posix.dirname(path), specifier).length)
    return /^(?:\/index)?\.[mc]?js$/.test(ending) ? [{ end, ending }] : []
  })
  return places.reduceRight(
    (kept, { end, ending }) => kept.slice(0, end) + ending + kept.slice(end),
    text,
  )
}

/** Returns true when a file has one of each of these names for others: its default may be imported by its name. */
function hasNames(path: string, text: string, names: readonly (readonly string[])[]): boolean {
  const exported = new Set(exportedNames(path, text).map(({ name }) => name))
  const isDefault = /\bexport\s+default\b|\bmodule\.exports\s*=/.test(text)
  const has = (name: string) => exported.has(name) || (name === 'default' && isDefault)
  return names.length > 0 && names.every((each) => each.some(has))
}

/** The text with the file that there is in the import of this line; unchanged where the line does not name it once. */
function withPath(text: string, { line, specifier, suggestion }: Broken): string {
  const lines = text.split('\n')
  const [before = '', after, ...more] = (lines[line - 1] ?? '').split(specifier)
  const isWhole = /["'`\s]$/.test(before) && /^["'`\s]/.test(after ?? '')
  if (suggestion === null || after === undefined || more.length > 0 || !isWhole) return text
  return lines.with(line - 1, `${before}${suggestion}${after}`).join('\n')
}
