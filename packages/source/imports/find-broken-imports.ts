import { posix } from 'node:path'
import { stepsTo } from '../../text/text.ts'
import { importStatements } from './import-statements.ts'
import {
  type IsKnown,
  misplacedImports,
  type UnresolvedImport,
  unresolvedImports,
} from './imports.ts'

/** A file before and after a change: without a text before it is new, without one after it is deleted. */
interface ChangedFile {
  readonly path: string
  readonly before?: string
  readonly content?: string
}

/** The files before the change. */
interface Files {
  readonly paths: readonly string[]
  readonly read: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

/** An import of a local file that the change added and that resolves to no file. */
interface BrokenImport extends UnresolvedImport {
  readonly path: string
  readonly type: 'import'
  readonly message: string
  readonly column: number
  /** What the language itself says of it. */
  readonly error: string
}

/** Finds imports of local files that will not exist once the changes are written. */
export async function findBrokenImports(
  changes: readonly ChangedFile[],
  { paths, read }: Files,
): Promise<readonly BrokenImport[]> {
  const all = new Set(paths)
  if (brokenBy(changes, all, () => false).length === 0) return []
  return brokenBy(changes, all, await knownImports(paths, read))
}

/** @param isKnown the project's knowledge of imports that are not relative */
function brokenBy(
  changes: readonly ChangedFile[],
  paths: ReadonlySet<string>,
  isKnown: IsKnown,
): readonly BrokenImport[] {
  const isWritten = ({ content }: ChangedFile) => content !== undefined
  const gone = new Set(changes.filter((each) => !isWritten(each)).map(({ path }) => path))
  const written = new Set(changes.filter(isWritten).map(({ path }) => path))
  const exists = (path: string) => written.has(path) || (paths.has(path) && !gone.has(path))
  const there = [...new Set([...paths, ...written])].filter(exists)
  return changes.flatMap((change) =>
    brokenIn(paths, change, (text) => [
      ...unresolvedImports(change.path, text, exists, [...paths, ...written]),
      ...misplacedImports(change.path, text, there, isKnown),
    ]),
  )
}

/** True below a path of the commit that is no folder of it: a submodule, or a link. */
function isElsewhere(path: string, specifier: string, paths: ReadonlySet<string>): boolean {
  const named = specifier.startsWith('.')
    ? [posix.join(posix.dirname(path), specifier)]
    : [specifier, specifier.replaceAll('.', '/')]
  return named.flatMap((each) => stepsTo(each).slice(0, -1)).some((step) => paths.has(step))
}

function brokenIn(
  paths: ReadonlySet<string>,
  { path, before = '', content }: ChangedFile,
  find: (text: string) => readonly UnresolvedImport[],
): readonly BrokenImport[] {
  if (content === undefined) return []
  const known = new Set(find(before).map((found) => found.specifier))
  return find(content)
    .filter(({ specifier }) => !known.has(specifier) && !isElsewhere(path, specifier, paths))
    .map((found) => {
      const { specifier, suggestion } = found
      const error = errorOf(path, specifier)
      const missing = `${error}: there is no such file.`
      const message = suggestion === null ? missing : `${missing} The file is at '${suggestion}'.`
      return { ...found, path, type: 'import', message, column: 1, error }
    })
}

const errorOf = (path: string, specifier: string): string =>
  /\.pyi?$/i.test(path)
    ? `No module named '${absoluteModule(path, specifier)}'`
    : `Cannot find module '${specifier}'`

/** `..label` in `pantry/stock/count.py` is `pantry.label`; a name without leading dots stays. */
function absoluteModule(path: string, specifier: string): string {
  const [dots = ''] = /^\.*/.exec(specifier) ?? []
  const folders = dots === '' ? [] : path.split('/').slice(0, -dots.length)
  return [...folders, specifier.slice(dots.length)].join('.')
}

/** Files that configure the folders and packages from which a project imports. */
const settings =
  /(?:^|\/)(?:pyproject\.toml|setup\.(?:py|cfg)|pytest\.ini|tox\.ini|noxfile\.py|conftest\.py|pyrightconfig\.json|requirements[\w.-]*\.txt|Pipfile|environment\.ya?ml|package\.json|deno\.jsonc?|import_map\.json|[tj]sconfig[\w.-]*\.json|(?:vite|vitest|webpack|jest|babel|rollup|next|metro|craco)[\w.-]*\.\w+|\.babelrc|Makefile|Dockerfile|\.env|[\w-]+\.ya?ml)$/
const source = /\.(?:[mc]?[jt]sx?|pyi?)$/i
const mostFiles = 2_000
/** Lines in which a folder's name means that imports start there. */
const aboutFolders = /path|dir|where|from|packages?|include|root|modules?|alias|cd /i

/** Reads the project's import settings at the first question. */
async function knownImports(paths: readonly string[], read: Files['read']): Promise<IsKnown> {
  const wanted = [
    ...paths.filter((path) => settings.test(path)).slice(0, mostFiles),
    ...paths.filter((path) => source.test(path)).slice(0, mostFiles),
  ]
  const texts = await read([...new Set(wanted)])
  const said = [...texts].filter(([path]) => settings.test(path)).map(([, text]) => text)
  const words = new Set(said.flatMap((text) => text.match(word) ?? []))
  const folders = new Set(
    said.flatMap((text) =>
      text.split('\n').flatMap((line) => (aboutFolders.test(line) ? (line.match(word) ?? []) : [])),
    ),
  )
  const imported = new Set([...texts].flatMap(([path, text]) => namesImported(path, text)))
  const isRoot = (root: string) =>
    paths.includes(posix.join(root, 'conftest.py')) || folders.has(posix.basename(root))
  return (language, name, root) =>
    words.has(name) ||
    imported.has(`${language} ${name}`) ||
    (language === 'python' ? isRoot(root) : said.some((text) => aliases.test(text)))
}

const word = /[A-Za-z_][\w-]*/g
/** Settings under which a name may mean any folder. */
const aliases =
  /"?(?:baseUrl|paths|rootDirs|imports|modulePaths|moduleDirectories|moduleNameMapper|roots)"?\s*:|alias|module-resolver/

function namesImported(path: string, text: string): readonly string[] {
  const language = /\.pyi?$/i.test(path) ? 'python' : 'script'
  return importStatements(path, text)
    .filter(({ specifier }) => !specifier.startsWith('.'))
    .map(({ specifier }) => `${language} ${specifier.split(/[/.]/)[0]}`)
}
