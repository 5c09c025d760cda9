import { type ChangeSet, overlay } from '../../../change/change.ts'
import {
  exportedNames,
  findBrokenImports,
  maskText,
  resolveImport,
} from '../../../source/source.ts'
import type { ChangeTree } from './check-replaced.ts'

type Broken = Awaited<ReturnType<typeof findBrokenImports>>[number]

/**
 * Corrects new imports of files that do not exist, where exactly one file has that name and exports the imported
 * names: models import a file as if it were beside its test. JavaScript, TypeScript and Python.
 *
 * @returns the changes, and a sentence for each correction
 */
export async function mendPaths(
  changes: ChangeSet,
  start: StartTree,
): Promise<{ readonly changes: ChangeSet; readonly notes: readonly string[] }> {
  const asText = changes.map((change) => {
    const before = change.action === 'create' ? '' : change.before
    const content = change.action === 'delete' ? {} : { content: change.content }
    return { path: change.path, before, ...content }
  })
  const tree = openChanged(changes, start)
  const broken = (await findBrokenImports(asText, start)).flatMap((each) => {
    const { path, suggestion } = each
    const target = suggestion === null ? null : resolveImport(path, suggestion, tree.exists)
    return target === null || suggestion === null ? [] : [{ ...each, target, suggestion }]
  })
  const textOf = await tree.read(broken.map(({ target }) => target))
  const certain = broken.filter(({ path, line, target, names }) => {
    const statement = textOf(path)?.split('\n')[line - 1] ?? ''
    return hasNames(target, textOf(target) ?? '', names, statement)
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

/** Returns true when a file exports these names. A default also counts under the name that the statement gives it. */
function hasNames(
  path: string,
  text: string,
  names: readonly string[],
  statement: string,
): boolean {
  const exported = new Set(exportedNames(path, text).map(({ name }) => name))
  const own = /^import\s+([\w$]+)\s+from\b/.exec(statement)?.[1] ?? ''
  const hasDefault = /\bexport\s+default\b|\bmodule\.exports\s*=/.test(text) || exported.has(own)
  return (
    names.length > 0 &&
    names.every((name) => exported.has(name) || (name === 'default' && hasDefault))
  )
}

/** Returns the text with the right file in the import on this line; unchanged unless the line names the file once. */
function withPath(
  text: string,
  { line, specifier, suggestion }: Pick<Broken, 'line' | 'specifier'> & { suggestion: string },
): string {
  const lines = text.split('\n')
  const [before = '', after, ...more] = (lines[line - 1] ?? '').split(specifier)
  const isWhole = /["'`\s]$/.test(before) && /^["'`\s]/.test(after ?? '')
  if (after === undefined || more.length > 0 || !isWhole) return text
  return lines.with(line - 1, `${before}${suggestion}${after}`).join('\n')
}

/** The commit that a change starts from. */
export type StartTree = Pick<ChangeTree, 'paths' | 'read'>

/** The files of a commit with a change on top. */
export interface AnswerTree {
  exists(path: string): boolean
  /** Reads these files; the result knows the changed ones as well. */
  read(paths: readonly string[]): Promise<(path: string) => string | undefined>
}

/** Puts a change on top of a commit. */
export function openChanged(changes: ChangeSet, { paths, read }: StartTree): AnswerTree {
  const changed = new Set(changes.map(({ path }) => path))
  const known = new Set(paths)
  const written = overlay(() => undefined, changes)
  return {
    exists: (path) => (changed.has(path) ? written(path) !== undefined : known.has(path)),
    async read(wanted) {
      const texts = await read([...new Set(wanted)].filter((path) => !changed.has(path)))
      return overlay((path) => texts.get(path), changes)
    },
  }
}

/** `import a from './b'` or `import { a } from './b'` on one line of masked text, which keeps its quotes. */
const oneName =
  /^import[ \t]+(?:([A-Za-z_$][\w$]*)|\{[ \t]*([A-Za-z_$][\w$]*)[ \t]*\})[ \t]+from[ \t]*(["'])( *)\3/gm

const script = /\.[cm]?[jt]sx?$/

/** Node's own module, which is its own default. */
const assertModule = /^(?:node:)?assert(?:\/strict)?$/

/**
 * Imports a single name the way its module exports it: `{ health }` where the module has that name and no default,
 * `health` where that name is only its default. Changes only new imports of JavaScript and TypeScript modules, which
 * would fail to load.
 */
export async function importAsExported(changes: ChangeSet, start: StartTree): Promise<ChangeSet> {
  const tree = openChanged(changes, start)
  const found = changes.flatMap((change) => {
    if (change.action === 'delete' || !script.test(change.path)) return []
    const { path } = change
    const before = change.action === 'create' ? '' : change.before
    return importsIn(change.content)
      .filter(({ statement }) => !before.includes(statement))
      .map((each) => ({ ...each, path, target: resolveImport(path, each.specifier, tree.exists) }))
  })
  const textOf = await tree.read(found.flatMap(({ target }) => target ?? []))
  const wrong = found.filter(({ target, name, isBraced, specifier }) => {
    if (target === null) return isBraced && name === 'assert' && assertModule.test(specifier)
    const form = script.test(target) ? formOf(target, textOf(target) ?? '', name) : null
    return form !== null && form !== (isBraced ? 'named' : 'default')
  })
  return changes.map((change) => {
    const own = wrong.filter(({ path }) => path === change.path)
    if (change.action === 'delete' || own.length === 0) return change
    return { ...change, content: own.reduceRight(inOtherForm, change.content) }
  })
}

interface SingleImport {
  readonly statement: string
  /** The place of the name, including its braces. */
  readonly start: number
  readonly end: number
  readonly name: string
  readonly isBraced: boolean
  readonly specifier: string
}

const importsIn = (text: string): readonly SingleImport[] =>
  [...maskText(text, 'script').matchAll(oneName)].map(({ index, ...match }) => {
    const { 0: whole, 1: plain, 2: braced, 4: blanks = '' } = match
    const statement = text.slice(index, index + whole.length)
    const written = /^import[ \t]+(\{[^}]*\}|[\w$]+)/.exec(whole)?.[1] ?? ''
    const start = index + whole.indexOf(written, 'import'.length)
    const specifier = statement.slice(-1 - blanks.length, -1)
    const isBraced = braced !== undefined
    const name = plain ?? braced ?? ''
    return { statement, start, end: start + written.length, name, isBraced, specifier }
  })

/** How a module exports a name; `null` if in both forms, in neither, or if it is not an ES module of its own names. */
function formOf(path: string, text: string, name: string): 'named' | 'default' | null {
  if (!/^export\b/m.test(text) || /\bmodule\.exports\b|\bexport\s*\*/.test(text)) return null
  const found = anyDefault.exec(text)
  const others = exportedNames(path, text.replace(/^export\s+default\b/m, ''))
  const isNamed = others.some((each) => each.name === name)
  if (found === null) return isNamed ? 'named' : null
  return found[1] === name && !isNamed ? 'default' : null
}

/** A default export; its first group is the name, if it has one. */
const anyDefault =
  /^export\s+default\b(?:\s+async\b)?(?:\s+function\b\s*\*?|\s+class\b)?\s*([A-Za-z_$][\w$]*)?|\bas\s+default\b/m

const inOtherForm = (text: string, { start, end, name, isBraced }: SingleImport): string =>
  text.slice(0, start) + (isBraced ? name : `{ ${name} }`) + text.slice(end)
