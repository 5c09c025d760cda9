import type { ChangeSet } from '../../../change/change.ts'
import { exportedNames, maskText, resolveImport } from '../../../source/source.ts'
import { openChanged, type StartTree } from './answer-tree.ts'

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
