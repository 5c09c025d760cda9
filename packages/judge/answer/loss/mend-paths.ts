import { type ChangeSet, contentAfter } from '../../../change/change.ts'
import { exportedNames, findBrokenImports, resolveImport } from '../../../source/source.ts'
import type { ChangeTree } from './check-replaced.ts'

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
  const asText = changes.map((change) => ({
    ...{ path: change.path, before: change.action === 'create' ? '' : change.before },
    ...(change.action !== 'delete' && { content: change.content }),
  }))
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
    return target !== null && text !== undefined && hasNames(target, text, each.names)
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

/** Returns true when a file has these names for others. */
function hasNames(path: string, text: string, names: readonly string[]): boolean {
  const exported = new Set(exportedNames(path, text).map(({ name }) => name))
  const isDefault = /\bexport\s+default\b|\bmodule\.exports\s*=/.test(text)
  return (
    names.length > 0 && names.every((it) => exported.has(it) || (it === 'default' && isDefault))
  )
}

/** The text with the file that there is in the import of this line; unchanged where the line does not name it once. */
function withPath(text: string, { line, specifier, suggestion }: Broken): string {
  const lines = text.split('\n')
  const [before = '', after, ...more] = (lines[line - 1] ?? '').split(specifier)
  const isWhole = /["'`\s]$/.test(before) && /^["'`\s]/.test(after ?? '')
  if (suggestion === null || after === undefined || more.length > 0 || !isWhole) return text
  return lines.with(line - 1, `${before}${suggestion}${after}`).join('\n')
}
