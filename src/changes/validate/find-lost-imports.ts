import { type ChangeSet, contentBefore } from '../../core/domain/change-set.ts'
import type { CodeProblem } from '../../core/domain/problem.ts'
import {
  type ImportStatement,
  importStatements,
  pythonFile,
} from '../../text/imports/import-statements.ts'
import { resolveImport } from '../../text/imports/imports.ts'
import { type Provided, readProvided } from '../../text/imports/provided-names.ts'
import { maskText } from '../../text/source/mask.ts'
import { type ChangeTree, textsLike } from '../reply/loss/check-replaced.ts'
import { stemOf } from '../reply/loss/may-mean.ts'
import {
  findLostReferences,
  type LostReference,
  longestWay,
  mayBeMissed,
} from './find-lost-references.ts'

const mostUsers = 3

/**
 * What files of the resulting tree, changed or not, import and could import before: a file that is deleted or renamed,
 * an export or a definition that is gone, also where others pass all of it on. Judged by statements that name it, so
 * that a word that two files share is no alarm; and what Python never executes breaks nothing.
 */
export async function findLostImports(
  changes: ChangeSet,
  around: Pick<ChangeTree, 'paths' | 'read'>,
): Promise<readonly CodeProblem[]> {
  const losing = changes.filter(loses)
  if (losing.length === 0) return []
  const texts = await textsLike(losing, changes, around)
  const tree = { changes, before: new Set(await around.paths()), texts }
  const paths = withPassing(
    losing.map(({ path }) => path),
    tree,
  )
  const trees = { ...tree, losing: paths }
  // The file of a folder is imported by any name of it.
  const stems = [...paths].map((path) => stemOf(path).replace(/^(?:index|__init__)$|\.d$/, ''))
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
  const [had, has] = [change.before, change.content].map((text) => readProvided(change.path, text))
  const goes = (each: keyof Provided) =>
    [...(had?.[each] ?? [])].some((one) => ![...(has?.[each] ?? [])].includes(one))
  return Boolean(had && has) && (goes('names') || goes('from'))
}

/** The files that lose something, and those that pass all of one on. */
function withPassing(losing: readonly string[], trees: Trees): ReadonlySet<string> {
  const found = new Set(losing)
  const passing = [...trees.texts].flatMap(([path, text]) => {
    const from = /\b(?:export|import)\s*\(?\s*(?:type\s*)?\*/.test(text)
      ? readProvided(path, text)?.from
      : []
    return (from ?? []).map((specifier) => ({ path, ...resolveBoth(path, specifier, trees) }))
  })
  for (let way = 0; way < longestWay; way += 1) {
    for (const { path, was } of passing) if (was !== null && found.has(was)) found.add(path)
  }
  return found
}

interface Trees {
  readonly changes: ChangeSet
  readonly before: ReadonlySet<string>
  /** Of the resulting tree. */
  readonly texts: ReadonlyMap<string, string>
}

interface Losing extends Trees {
  /** Files that lose something, themselves or what they pass on. */
  readonly losing: ReadonlySet<string>
}

function lostBy(user: string, text: string, trees: Losing): readonly LostReference[] {
  const own = trees.changes.find(({ path }) => path === user)
  const earlier = own && (contentBefore(own) ?? '')
  const lines = text.split('\n')
  return importStatements(user, text)
    .filter(({ line }) => !isGuarded(user, lines, line))
    .flatMap((statement) => lostIn(user, text, statement, trees))
    .filter(
      // An import that the change brings in is looked at by itself.
      ({ name, line }) => name !== '' || (earlier ?? text).includes(lines[line - 1] ?? ''),
    )
}

/** Python guards what may be missing, and what only a type checker reads is in no program. */
function isGuarded(user: string, lines: readonly string[], line: number): boolean {
  if (!pythonFile.test(user)) return false
  let depth = depthOf(lines[line - 1])
  for (let at = line - 2; at >= 0 && depth > 0; at -= 1) {
    const above = lines[at] ?? ''
    if (above.trim() === '' || depthOf(above) >= depth) continue
    if (guard.test(above)) return true
    depth = depthOf(above)
  }
  return user.endsWith('.pyi')
}

const guard = /^\s*(?:try|except\b.*|if\s*\(?\s*(?:\w+\.)?TYPE_CHECKING\s*\)?)\s*:/
const depthOf = (line = ''): number => line.search(/\S|$/)

function lostIn(
  user: string,
  text: string,
  { specifier, names, whole, line }: ImportStatement,
  trees: Losing,
): readonly LostReference[] {
  const of = (wanted: string) => {
    const module = resolveBoth(user, wanted, trees)
    return {
      ...module,
      gone: module.was !== null && module.is === null,
      lost: lostFrom(module, trees),
    }
  }
  const gone = (path: string | null): readonly LostReference[] =>
    path === null ? [] : [{ path, name: '', user, line }]
  const missing = (lost: ReadonlyMap<string, string>, taken: readonly string[]) =>
    taken.flatMap((name) => {
      const path = lost.get(name)
      return path === undefined ? [] : [{ path, name, user, line }]
    })
  const module = of(specifier)
  if (module.gone) return gone(module.was)
  const called = whole === undefined ? [] : membersCalled(user, text, whole)
  const inner = pythonFile.test(user)
    ? names.map((name) => ({ name, ...of(specifier.replace(/[^.]$/, '$&.') + name) }))
    : []
  const isThere = (name: string) => inner.some((each) => each.name === name && each.is !== null)
  const taken = [...names.filter((name) => !isThere(name)), ...called]
  return [
    ...missing(module.lost, taken),
    ...inner.flatMap((each) =>
      each.gone && !isSaid(each.name, trees.texts.get(module.is ?? ''))
        ? gone(each.was)
        : missing(each.lost, membersCalled(user, text, each.name)),
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

const isSaid = (name: string, text = ''): boolean => new RegExp(`\\b${name}\\b`).test(text)

/** What a module had and has no longer, with the file that had it. */
function lostFrom({ was, is }: Resolved, trees: Losing): ReadonlyMap<string, string> {
  if (was === null || is === null || !trees.losing.has(was)) return new Map()
  const [had, has] = [givenBy(was, trees, 'was'), givenBy(is, trees, 'is')]
  return new Map(has === null ? [] : [...(had ?? [])].filter(([name]) => !has.has(name)))
}

/**
 * What a file gives before or after the change, each name with the changed file that it comes from; `null` where
 * nobody can tell.
 */
function givenBy(
  path: string,
  trees: Trees,
  when: keyof Resolved,
  way: readonly string[] = [],
): ReadonlyMap<string, string> | null {
  const changed = (other: string) => trees.changes.find((each) => each.path === other)
  const change = changed(path)
  const text = change && when === 'was' ? contentBefore(change) : trees.texts.get(path)
  const provided = text === undefined ? null : readProvided(path, text)
  if (provided === null || way.length > longestWay) return null
  const given = new Map([...provided.names].map((name) => [name, path]))
  for (const specifier of provided.from) {
    const from = resolveBoth(path, specifier, trees)[when]
    if (from !== null && way.includes(from)) continue
    const passed = from === null ? null : givenBy(from, trees, when, [...way, path])
    if (passed === null) return null
    for (const [name, origin] of passed) {
      if (name === 'default' || given.has(name)) continue
      given.set(name, change === undefined || changed(origin) ? origin : path)
    }
  }
  return given
}

/** `name.member(`, where nothing else is called so. */
function membersCalled(path: string, text: string, name: string): readonly string[] {
  const masked = maskText(text, pythonFile.test(path) ? 'python' : 'script')
  const plain = name.replace(/[$.]/g, '\\$&')
  const found = masked.matchAll(new RegExp(`(?<![.\\w$])${plain}\\.([\\w$]+)\\s*\\(`, 'g'))
  return [...new Set([...found].map(([, member = '']) => member))]
}

function describe(found: readonly LostReference[], texts: ReadonlyMap<string, string>): string {
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
