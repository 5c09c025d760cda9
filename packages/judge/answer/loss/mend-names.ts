import { type ChangeSet, contentAfter } from '../../../change/change.ts'
import { exportedNames, maskText, resolveImport } from '../../../source/source.ts'
import type { ChangeTree } from './check-replaced.ts'

/** `import a from './b'` or `import { a } from './b'` on one line of masked text, which keeps its quotes. */
const oneName =
  /^import[ \t]+(?:([A-Za-z_$][\w$]*)|\{[ \t]*([A-Za-z_$][\w$]*)[ \t]*\})[ \t]+from[ \t]*(["'])( *)\3/gm

const script = /\.[cm]?[jt]sx?$/

/** Node's own, whose default is all of it. */
const assertModule = /^(?:node:)?assert(?:\/strict)?$/

/**
 * Imports one name as its file exports it: `{ health }` where the file has that name and no default, `health` where it
 * has that name as its default alone. Only new imports, and only of modules of JavaScript or TypeScript, which fail to
 * load otherwise.
 */
export async function importAsExported(
  changes: ChangeSet,
  { paths, read }: Pick<ChangeTree, 'paths' | 'read'>,
): Promise<ChangeSet> {
  const texts = new Map(changes.map((change) => [change.path, contentAfter(change)]))
  const exists = (path: string) =>
    texts.has(path) ? texts.get(path) !== undefined : paths.includes(path)
  const found = changes.flatMap((change) => {
    const text = texts.get(change.path)
    if (!script.test(change.path) || text === undefined) return []
    const before = change.action === 'create' ? '' : change.before
    return importsIn(text).flatMap((each) => {
      const isAssert = each.name === 'assert' && assertModule.test(each.specifier)
      const target = isAssert ? '' : resolveImport(change.path, each.specifier, exists)
      const isNew = !before.includes(text.slice(each.start, each.end))
      return target === null || !(isAssert || script.test(target)) || !isNew
        ? []
        : [{ ...each, target, path: change.path }]
    })
  })
  if (found.length === 0) return changes
  const unread = found.filter(({ target }) => target !== '' && !texts.has(target))
  const there = await read(unread.map(({ target }) => target))
  const wrong = found.filter(({ target, name, isBraced }) => {
    if (target === '') return isBraced
    const form = formOf(target, texts.get(target) ?? there.get(target) ?? '', name)
    return form !== null && form !== (isBraced ? 'named' : 'default')
  })
  return changes.map((change) => {
    const own = wrong.filter(({ path }) => path === change.path)
    if (change.action === 'delete' || own.length === 0) return change
    return { ...change, content: own.reduceRight(inOtherForm, change.content) }
  })
}

interface OneName {
  /** The place of the name, with its braces. */
  readonly start: number
  readonly end: number
  readonly name: string
  readonly isBraced: boolean
  readonly specifier: string
}

const importsIn = (text: string): readonly OneName[] =>
  [...maskText(text, 'script').matchAll(oneName)].map((match) => {
    const [whole, plain, braced, , blanks = ''] = match
    const last = match.index + whole.length - 1
    const written = /^import[ \t]+(\{[^}]*\}|[\w$]+)/.exec(whole)?.[1] ?? ''
    const start = match.index + whole.indexOf(written, 'import'.length)
    const specifier = text.slice(last - blanks.length, last)
    const name = plain ?? braced ?? ''
    return { start, end: start + written.length, name, isBraced: braced !== undefined, specifier }
  })

/** How a module exports a name; `null` where it has both forms, neither, or is no such module. */
function formOf(path: string, text: string, name: string): 'named' | 'default' | null {
  if (!/^export\b/m.test(text) || /\bmodule\.exports\b|\bexport\s*\*/.test(text)) return null
  const isDefault = new RegExp(
    `^export\\s+default\\s+(?:async\\s+)?(?:function\\s*\\*?\\s*|class\\s+)?${name.replaceAll('$', '\\$')}\\b`,
    'm',
  ).test(text)
  const hasDefault = /^export\s+default\b|\bas\s+default\b/m.test(text)
  const isNamed = exportedNames(path, text).some((each) => each.name === name)
  if (!hasDefault) return isNamed ? 'named' : null
  return isDefault &&
    !new RegExp(`^export\\s+(?!default\\b).*\\b${name.replaceAll('$', '\\$')}\\b`, 'm').test(text)
    ? 'default'
    : null
}

const inOtherForm = (text: string, { start, end, name, isBraced }: OneName): string =>
  text.slice(0, start) + (isBraced ? name : `{ ${name} }`) + text.slice(end)
