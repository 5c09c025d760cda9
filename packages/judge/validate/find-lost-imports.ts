import {
  type ChangeSet,
  type CodeProblem,
  contentAfter,
  contentBefore,
} from '../../change/change.ts'
import {
  type ImportStatement,
  importStatements,
  maskText,
  positionAt,
  pythonFile,
  readProvided,
  resolveImport,
} from '../../source/source.ts'
import { type ChangeTree, textsLike } from '../answer/loss/check-replaced.ts'
import { type FileTexts, longestWay, referringOf, stemOf } from '../answer/loss/references.ts'

const mostUsers = 3

/** An import of a file, or of a name in it, that no longer exists. */
interface LostReference {
  /** The file that had it. */
  readonly path: string
  /** Empty when the file itself is gone. */
  readonly name: string
  readonly user: string
  /** 1-based. */
  readonly line: number
}

type LostName = Pick<LostReference, 'path' | 'name'>

/** The files of a tree, with the texts of changed ones and of those that may use them. */
interface Tree {
  readonly has: (path: string) => boolean
  readonly textOf: (path: string) => string | undefined
}

interface Trees {
  readonly was: Tree
  readonly is: Tree
  readonly changeOf: (path: string) => ChangeSet[number] | undefined
  /** Files that lose something of their own, or something that they re-export. */
  readonly losing: ReadonlySet<string>
}

/**
 * Finds imports that the change breaks in any file of the resulting tree: of a deleted or renamed
 * file, or of a removed export or definition, also through re-exports. Considers only statements
 * that name it, so that a word that two files share raises no alarm, and skips Python code that
 * never runs.
 */
export async function findLostImports(
  changes: ChangeSet,
  around: Pick<ChangeTree, 'paths' | 'read'>,
): Promise<readonly CodeProblem[]> {
  const losing = changes.filter(loses)
  if (losing.length === 0) return []
  const texts = await textsLike(losing, changes, around)
  const before = new Set(around.paths)
  const changeOf = (path: string) => changes.find((each) => each.path === path)
  const was: Tree = {
    has: (path) => before.has(path),
    textOf(path) {
      const change = changeOf(path)
      return change ? contentBefore(change) : texts.get(path)
    },
  }
  const is: Tree = {
    has: (path) => texts.has(path) || (before.has(path) && changeOf(path)?.action !== 'delete'),
    textOf: (path) => texts.get(path),
  }
  const paths = withPassing(losing, texts, was)
  const trees = { was, is, changeOf, losing: paths }
  // The main file of a folder is imported under any name of the folder.
  const stems = [...paths].map((path) => stemOf(path).replace(/^(?:index|__init__)$|\.d$/, ''))
  const imported = [...texts].flatMap(([user, text]) =>
    stems.some((stem) => text.includes(stem)) ? lostBy(user, text, trees) : [],
  )
  const lost = [...imported, ...findLostReferences(changes, texts)]
  return [...Map.groupBy(lost, ({ path }) => path)].map(([path, found]) => ({
    ...{ path, type: 'import', line: 0, column: 0, message: describe(found, texts) },
  }))
}

function loses(change: ChangeSet[number]): boolean {
  if (change.action === 'delete' || lossOf(change) !== null) return true
  if (change.action === 'create') return false
  const [had, has] = [change.before, change.content].map((text) => readProvided(change.path, text))
  if (!had || !has) return false
  return (
    [...had.names].some((name) => !has.names.has(name)) ||
    had.from.some((specifier) => !has.from.includes(specifier))
  )
}

/** The files that lose something, and those that re-export all of such a file. */
function withPassing(losing: ChangeSet, texts: FileTexts, { has }: Tree): ReadonlySet<string> {
  const found = new Set(losing.map(({ path }) => path))
  const passing = [...texts].flatMap(([path, text]) => {
    const passesAll = /\b(?:export|import)\s*\(?\s*(?:type\s*)?\*/.test(text)
    const from = (passesAll ? readProvided(path, text)?.from : null) ?? []
    return from.map((specifier) => ({ path, source: resolveImport(path, specifier, has) }))
  })
  for (let way = 0; way < longestWay; way += 1) {
    for (const { path, source } of passing) if (source && found.has(source)) found.add(path)
  }
  return found
}

function lostBy(user: string, text: string, trees: Trees): readonly LostReference[] {
  const own = trees.changeOf(user)
  const earlier = own ? (contentBefore(own) ?? '') : text
  const lines = text.split('\n')
  return importStatements(user, text).flatMap((statement) => {
    const { line } = statement
    if (isGuarded(user, lines, line)) return []
    // An import that the change adds is checked separately.
    const isOld = earlier.includes(lines[line - 1] ?? '')
    const lost = lostIn(user, text, statement, trees).filter(({ name }) => name !== '' || isOld)
    return lost.map((each) => ({ ...each, user, line }))
  })
}

/** Python guards imports that may be missing, and code that only type checkers read never runs. */
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
  { specifier, names, whole }: ImportStatement,
  trees: Trees,
): readonly LostName[] {
  const resolve = (wanted: string) => {
    const was = resolveImport(user, wanted, trees.was.has)
    return { was, is: resolveImport(user, wanted, trees.is.has) }
  }
  const missing = (module: Resolved, used: readonly string[]): readonly LostName[] => {
    const lost = lostFrom(module, trees)
    return used.flatMap((name) => {
      const path = lost.get(name)
      return path === undefined ? [] : [{ path, name }]
    })
  }
  const { was, is } = resolve(specifier)
  if (was !== null && is === null) return [{ path: was, name: '' }]
  // In Python, a name may be a module of the package.
  const modules = (pythonFile.test(user) ? names : []).map((name) => ({
    ...{ name, ...resolve(specifier.replace(/[^.]$/, '$&.') + name) },
  }))
  const isThere = (name: string) => modules.some((each) => each.name === name && each.is !== null)
  const called = whole === undefined ? [] : membersCalled(user, text, whole)
  const used = [...names.filter((name) => !isThere(name)), ...called]
  const isMentioned = (name: string) =>
    new RegExp(`\\b${name}\\b`).test(trees.is.textOf(is ?? '') ?? '')
  return [
    ...missing({ was, is }, used),
    ...modules.flatMap((each) =>
      each.was !== null && each.is === null && !isMentioned(each.name)
        ? { path: each.was, name: '' }
        : missing(each, membersCalled(user, text, each.name)),
    ),
  ]
}

type Resolved = Readonly<Record<'was' | 'is', string | null>>

/** The names that a module no longer has, each with the file that had it. */
function lostFrom({ was, is }: Resolved, trees: Trees): ReadonlyMap<string, string> {
  if (was === null || is === null || !trees.losing.has(was)) return new Map()
  const [had, has] = [givenBy(was, trees.was, trees), givenBy(is, trees.is, trees)]
  return new Map(has === null ? [] : [...(had ?? [])].filter(([name]) => !has.has(name)))
}

/** The names that a file provides, with the changed file they come from; `null` when unknown. */
function givenBy(
  path: string,
  tree: Tree,
  { changeOf }: Pick<Trees, 'changeOf'>,
  way: readonly string[] = [],
): ReadonlyMap<string, string> | null {
  const text = tree.textOf(path)
  const provided = text === undefined ? null : readProvided(path, text)
  if (provided === null || way.length > longestWay) return null
  const given = new Map([...provided.names].map((name) => [name, path]))
  for (const specifier of provided.from) {
    const from = resolveImport(path, specifier, tree.has)
    if (from !== null && way.includes(from)) continue
    const passed = from === null ? null : givenBy(from, tree, { changeOf }, [...way, path])
    if (passed === null) return null
    for (const [name, origin] of passed) {
      if (name === 'default' || given.has(name)) continue
      given.set(name, changeOf(path) === undefined || changeOf(origin) ? origin : path)
    }
  }
  return given
}

/** Finds the members that are called as `name.member(`. */
function membersCalled(path: string, text: string, name: string): readonly string[] {
  const masked = maskText(text, pythonFile.test(path) ? 'python' : 'script')
  const plain = name.replace(/[$.]/g, '\\$&')
  const found = masked.matchAll(new RegExp(`(?<![.\\w$])${plain}\\.([\\w$]+)\\s*\\(`, 'g'))
  return [...new Set([...found].map(([, member = '']) => member))]
}

/** What a change removes from a file that others of its language may name; `null` for nothing. */
function lossOf(change: ChangeSet[number]) {
  const { path } = change
  const before = contentBefore(change)
  const language = referringOf(path)
  if (before === undefined || language === undefined) return null
  const text = contentAfter(change)
  const loser = { path, before, isGone: text === undefined }
  const names = language
    .had(loser)
    .filter((name) => text === undefined || !language.gives(loser, name, path, text))
  return names.length === 0 ? null : { path, language, loser, names }
}

/** The same for languages whose imports do not list names: by how a name may be written there. */
const findLostReferences = (changes: ChangeSet, texts: FileTexts): readonly LostReference[] =>
  changes.flatMap((change) => {
    const loss = lossOf(change)
    if (loss === null) return []
    const { path, language } = loss
    const others = [...texts].filter(([other]) => language.files.test(other))
    const loser = { ...loss.loser, passing: language.passes?.(path, others) }
    const names = loss.names.filter(
      (name) => !others.some(([other, text]) => language.gives(loser, name, other, text)),
    )
    return others.flatMap(([user, text]) => {
      const wanted = user === path ? [] : names.filter((name) => text.includes(name))
      const masked = wanted.length > 0 ? maskText(text, 'script') : ''
      return wanted.flatMap((name) => {
        const place = language.takes(loser, name, { path: user, text, masked })
        if (place < 0) return []
        const { line } = positionAt(text, place + text.slice(place).search(/\S/))
        return [{ path, name, user, line }]
      })
    })
  })

function describe(found: readonly LostReference[], texts: FileTexts): string {
  const names = [...new Set(found.flatMap(({ name }) => (name === '' ? [] : name)))]
  const users = [...Map.groupBy(found, ({ user }) => user).values()].flatMap(
    ([first]) => first ?? [],
  )
  const shown = users.slice(0, mostUsers).map(({ user, line }) => {
    const statement = texts.get(user)?.split('\n')[line - 1]?.trim() ?? ''
    return `${user}:${line} (${statement})`
  })
  const more = users.length > mostUsers ? ` and ${users.length - mostUsers} more` : ''
  const lost = names.length === 0 ? 'is gone' : `no longer has ${names.join(', ')}`
  return `It ${lost}, but is imported for that by ${shown.join(', ')}${more}. Keep it, or change ${users.length === 1 ? 'that file' : 'those files'}, too.`
}
