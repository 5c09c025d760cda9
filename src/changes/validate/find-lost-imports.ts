import { type ChangeSet, contentBefore } from '../../core/domain/change-set.ts'
import type { CodeProblem } from '../../core/domain/problem.ts'
import { type ImportStatement, importStatements } from '../../text/imports/import-statements.ts'
import { resolveImport } from '../../text/imports/imports.ts'
import { providedNames } from '../../text/imports/provided-names.ts'
import { maskText } from '../../text/source/mask.ts'
import { type Surroundings, textsLike } from '../reply/loss/check-replaced.ts'
import { stemOf } from '../reply/loss/may-mean.ts'
import { findLostReferences, type Lost, mayBeMissed } from './find-lost-references.ts'

const mostUsers = 3

/**
 * What files of the resulting tree, changed or not, import and could import before: a file that is
 * deleted or renamed, an export or a definition that is gone. Judged by statements that name it, so
 * that a word that two files share is no alarm.
 */
export async function findLostImports(
  changes: ChangeSet,
  around: Pick<Surroundings, 'paths' | 'read'>,
): Promise<readonly CodeProblem[]> {
  const losing = changes.filter(loses)
  if (losing.length === 0) return []
  const texts = await textsLike(losing, changes, around)
  // The file of a folder is imported by any name of it.
  const stems = losing.map(({ path }) => stemOf(path).replace(/^(?:index|__init__)$|\.d$/, ''))
  const trees = { changes, before: new Set(await around.paths()), texts }
  const imported = [...texts].flatMap(([user, text]) =>
    stems.some((stem) => text.includes(stem)) ? lostBy(user, text, trees) : [],
  )
  const lost = [...imported, ...findLostReferences(changes, texts)]
  return [...Map.groupBy(lost, ({ path }) => path)].map(([path, found]) => ({
    ...{ path, type: 'import', line: 0, column: 0 },
    message: describe(found, texts),
  }))
}

function loses(change: ChangeSet[number]): boolean {
  if (change.action === 'delete' || mayBeMissed(change)) return true
  if (change.action === 'create') return false
  const had = providedNames(change.path, change.before)
  const has = providedNames(change.path, change.content)
  return had !== null && has !== null && [...had].some((name) => !has.has(name))
}

interface Trees {
  readonly changes: ChangeSet
  readonly before: ReadonlySet<string>
  /** Of the resulting tree. */
  readonly texts: ReadonlyMap<string, string>
}

function lostBy(user: string, text: string, trees: Trees): readonly Lost[] {
  const own = trees.changes.find(({ path }) => path === user)
  const earlier = own && (contentBefore(own) ?? '')
  const lines = text.split('\n')
  return importStatements(user, text)
    .filter(({ line }) => !isTried(lines, line))
    .flatMap((statement) => lostIn(user, text, statement, trees))
    .filter(
      // An import that the change brings in is looked at by itself.
      ({ name, line }) => name !== '' || (earlier ?? text).includes(lines[line - 1] ?? ''),
    )
}

/** Python guards what may be missing. */
function isTried(lines: readonly string[], line: number): boolean {
  if (!/^\s/.test(lines[line - 1] ?? '')) return false
  const above = lines.slice(Math.max(0, line - 10), line - 1).reverse()
  return above.some((each) => /^\s*(?:try|except\b.*):/.test(each))
}

function lostIn(
  user: string,
  text: string,
  { specifier, names, whole, line }: ImportStatement,
  trees: Trees,
): readonly Lost[] {
  const of = (wanted: string) => {
    const module = resolveBoth(user, wanted, trees)
    return {
      ...module,
      gone: module.was !== null && module.is === null,
      lost: lostFrom(module, trees),
    }
  }
  const lose = (path: string | null, lost: readonly string[]): readonly Lost[] =>
    path === null ? [] : lost.map((name) => ({ path, name, user, line }))
  const module = of(specifier)
  if (module.gone) return lose(module.was, [''])
  const called = whole === undefined ? [] : membersCalled(user, text, whole)
  const inner = python.test(user)
    ? names.map((name) => ({ name, ...of(specifier.replace(/[^.]$/, '$&.') + name) }))
    : []
  const isThere = (name: string) => inner.some((each) => each.name === name && each.is !== null)
  const taken = [...names.filter((name) => !isThere(name)), ...called]
  return [
    ...lose(
      module.was,
      taken.filter((name) => module.lost.has(name)),
    ),
    ...inner.flatMap(({ name, was, gone, lost }) =>
      gone && !isSaid(name, trees.texts.get(module.is ?? ''))
        ? lose(was, [''])
        : lose(
            was,
            membersCalled(user, text, name).filter((each) => lost.has(each)),
          ),
    ),
  ]
}

interface Resolved {
  readonly was: string | null
  readonly is: string | null
}

function resolveBoth(user: string, specifier: string, { changes, before, texts }: Trees): Resolved {
  const isGone = (path: string) =>
    changes.some((change) => change.path === path && change.action === 'delete')
  return {
    was: resolveImport(user, specifier, (path) => before.has(path)),
    is: resolveImport(
      user,
      specifier,
      (path) => texts.has(path) || (before.has(path) && !isGone(path)),
    ),
  }
}

const python = /\.pyi?$/i

const isSaid = (name: string, text = ''): boolean => new RegExp(`\\b${name}\\b`).test(text)

/** What a module had and has no longer. */
function lostFrom({ was, is }: Resolved, { changes, texts }: Trees): ReadonlySet<string> {
  const change = changes.find(({ path }) => path === was)
  const text = change && contentBefore(change)
  if (was === null || is === null || text === undefined) return new Set()
  const [had, has] = [providedNames(was, text), providedNames(is, texts.get(is) ?? '')]
  return new Set(has === null ? [] : [...(had ?? [])].filter((name) => !has.has(name)))
}

/** `name.member(`, where nothing else is called so. */
function membersCalled(path: string, text: string, name: string): readonly string[] {
  const masked = maskText(text, python.test(path) ? 'python' : 'script')
  const plain = name.replace(/[$.]/g, '\\$&')
  const found = masked.matchAll(new RegExp(`(?<![.\\w$])${plain}\\.([\\w$]+)\\s*\\(`, 'g'))
  return [...new Set([...found].map(([, member = '']) => member))]
}

function describe(found: readonly Lost[], texts: ReadonlyMap<string, string>): string {
  const names = [...new Set(found.flatMap(({ name }) => (name === '' ? [] : name)))]
  const users = [...Map.groupBy(found, ({ user }) => user).values()].flatMap(
    ([first]) => first ?? [],
  )
  const shown = users.slice(0, mostUsers).map(({ user, line }) => {
    const said = texts.get(user)?.split('\n')[line - 1]?.trim() ?? ''
    return `${user}:${line} (${said})`
  })
  const more = users.length > mostUsers ? ` and ${users.length - mostUsers} more` : ''
  const lost = names.length === 0 ? 'is gone' : `no longer has ${names.join(', ')}`
  return `It ${lost}, but is imported for that by ${shown.join(', ')}${more}. Keep it, or change ${users.length === 1 ? 'that file' : 'those files'}, too.`
}
