import type { ChangeSet } from '../../../change/change.ts'
import { exportedNames, findBrokenImports, resolveImport } from '../../../source/source.ts'
import { openChanged, type StartTree } from './answer-tree.ts'

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
