import { posix } from 'node:path'
import { type ChangeSet, contentAfter } from '../../../change/change.ts'
import { isTestFile, maskCurly, maskText, resolveImport } from '../../../source/source.ts'
import { importTestFunctions } from './mend-imports.ts'
import { type AnswerTree, openChanged, type StartTree } from './mend-paths.ts'

/**
 * Adapts new code to Node: modules of Node leave the dependencies of a package.json. Where nothing but Node runs the
 * code, imports of JavaScript modules get the file extension that Node needs, and tests for `node --test` import the
 * functions that it does not define.
 */
export async function fitToNode(given: ChangeSet, start: StartTree): Promise<ChangeSet> {
  const changes = withoutNodeModules(given)
  const modules = changes.filter(({ path }) => /\.m?js$/.test(path))
  const isOpen = modules.some(
    (change) => isTestFile(change.path) || fromFile.test(contentAfter(change) ?? ''),
  )
  if (!isOpen) return changes
  const tree = openChanged(changes, start)
  const textOf = await tree.read(modules.flatMap(({ path }) => manifestsOf(path)))
  return changes.map((change) => {
    if (change.action === 'delete' || !modules.includes(change)) return change
    const { path } = change
    const manifest = manifestsOf(path).map(textOf).find(Boolean) ?? ''
    if (!isNodeAlone(manifest)) return change
    const before = change.action === 'create' ? '' : change.before
    const extended = withExtensions(path, change.content, before, tree)
    const isModule = path.endsWith('.mjs') || /"type"\s*:\s*"module"/.test(manifest)
    const isTest = isNodeTest(testCommand(manifest)) && isTestFile(path)
    const content = isTest ? importTestFunctions(before, extended, isModule) : extended
    return content === change.content ? change : { ...change, content }
  })
}

const fromFile = /\bfrom\s*["']\.\.?\//

/** The package.json files that may hold for a file, nearest first. */
function manifestsOf(path: string): readonly string[] {
  const folders = posix.dirname(path).split('/')
  const above = folders.map((_, index) => folders.slice(0, folders.length - index).join('/'))
  return [...new Set([...above, '.'])].map((folder) => posix.join(folder, 'package.json'))
}

/** Tools that resolve imports themselves. */
const resolvers =
  /"(?:[^"]*\b(?:vite|vitest|webpack|rollup|rolldown|esbuild|parcel|next|nuxt|jest|babel|typescript|tsx|ts-node|swc|metro|bun|react-scripts|expo)\b[^"]*)"/

const testCommand = (manifest: string): string =>
  /"test"\s*:\s*"([^"\n]*)"/.exec(manifest)?.[1] ?? ''

const isNodeTest = (command: string): boolean => /\bnode\b.*\s--test\b/.test(command)

/** Returns true when Node itself runs the tests, or nothing does yet. */
function isNodeAlone(manifest: string): boolean {
  const command = testCommand(manifest)
  return (command === '' || isNodeTest(command)) && !resolvers.test(manifest)
}

/** The head of `import … from './a'` up to the closing quote, in masked text. */
const bareImport = /^(?:import|export)\b[^;='"`()]{0,2000}?\bfrom\s*(["'])( *)\1/gm

function withExtensions(
  path: string,
  text: string,
  before: string,
  { exists }: Pick<AnswerTree, 'exists'>,
): string {
  const places = [...maskText(text, 'script').matchAll(bareImport)].flatMap((found) => {
    const end = found.index + found[0].length - 1
    const specifier = text.slice(end - (found[2] ?? '').length, end)
    const isBare = /^\.\.?\//.test(specifier) && posix.extname(specifier) === ''
    const isNew = !before.includes(`'${specifier}'`) && !before.includes(`"${specifier}"`)
    const target = isBare && isNew ? resolveImport(path, specifier, exists) : null
    const missing = target?.slice(posix.join(posix.dirname(path), specifier).length) ?? ''
    return /^(?:\/index)?\.[mc]?js$/.test(missing) ? [{ end, missing }] : []
  })
  return places.reduceRight(
    (kept, { end, missing }) => kept.slice(0, end) + missing + kept.slice(end),
    text,
  )
}

/** A list of a package.json that npm installs from: its head, its entries, its end. */
const dependencies =
  /("(?:dependencies|(?:dev|optional|peer)Dependencies)"\s*:\s*\{)([^{}]*?)(\s*\})/g
const entry = /\s*"([^"]*)"\s*:\s*"[^"]*"/g

/** No package can be called `node:test`: npm refuses the whole list. */
const withoutNodeModules = (changes: ChangeSet): ChangeSet =>
  changes.map((change) => {
    const isManifest = posix.basename(change.path) === 'package.json'
    if (change.action === 'delete' || !isManifest) return change
    const content = change.content.replace(
      dependencies,
      (list: string, head: string, entries: string, end: string) => {
        const all = [...entries.matchAll(entry)]
        const kept = all.filter(([, name = '']) => !name.startsWith('node:'))
        if (kept.length === all.length) return list
        return head + kept.map(([text]) => text).join(',') + (kept.length > 0 ? end : end.trim())
      },
    )
    return content === change.content ? change : { ...change, content }
  })

/** How a language names the package of a file; its first group is the name. */
const clauses: Readonly<Record<string, { clause: RegExp; write: (name: string) => string }>> = {
  '.go': { clause: /^package[ \t]+(\w+)/m, write: (name) => `package ${name}` },
  '.java': { clause: /^package[ \t]+([\w.]+)[ \t]*;/m, write: (name) => `package ${name};` },
}

/** A file like this says itself that it belongs to no package of its folder. */
const standsApart = /^\/\/go:build\b|^\/\/ \+build\b/m

const isBeside = (path: string, other: string): boolean =>
  posix.dirname(path) === posix.dirname(other) && posix.extname(path) === posix.extname(other)

/** Paths of the files whose package a new file of this path shares, a few of them; for a test also tests. */
export function packageNeighbours(path: string, paths: readonly string[]): readonly string[] {
  const extension = posix.extname(path)
  if (clauses[extension] === undefined) return []
  const neighbours = paths.filter((each) => isBeside(each, path))
  const [tests, others] = [true, false].map((isTest) =>
    neighbours.filter((each) => each.endsWith('_test.go') === isTest).slice(0, 4),
  )
  return [...(others ?? []), ...(path.endsWith('_test.go') ? (tests ?? []) : [])]
}

/**
 * Names in a new file the package of the files beside it, where all of them name one: Go refuses a folder with two, and
 * a weak model names the file instead. Tests in Go may also be in that package with `_test`.
 *
 * @param neighbours texts by path, those of `packageNeighbours` among them
 */
export function mendPackage(
  path: string,
  text: string,
  neighbours: ReadonlyMap<string, string>,
): string {
  const { clause, write } = clauses[posix.extname(path)] ?? {}
  if (clause === undefined || write === undefined || standsApart.test(text)) return text
  // A comment above may begin a line with the word.
  const find = (of: string) => clause.exec(maskCurly(of, ''))
  const named = [...neighbours].filter(
    ([each, of]) => isBeside(each, path) && !standsApart.test(of),
  )
  const isTest = path.endsWith('_test.go')
  const namesOf = (areTests: boolean) =>
    new Set(
      named.flatMap(([each, of]) =>
        each.endsWith('_test.go') === areTests ? (find(of)?.[1] ?? []) : [],
      ),
    )
  const [own, tests] = [namesOf(false), namesOf(true)]
  const [name] = own.size > 0 ? own : tests
  const found = find(text)
  const fits = (each: string) =>
    own.has(each) || (isTest && (tests.has(each) || each === `${name}_test`))
  if (name === undefined || own.size > 1 || fits(found?.[1] ?? '')) return text
  const [used] = isTest && tests.size === 1 ? tests : [name]
  const line = write(used ?? name)
  if (found === null) return `${line}\n\n${text}`
  return text.slice(0, found.index) + line + text.slice(found.index + found[0].length)
}

/** Modules of Python's standard library that code names by `module.member`, without those that share a name with a class. */
const modules =
  'abc argparse array ast asyncio atexit base64 bisect calendar cmath collections colorsys configparser contextlib copy csv ctypes dataclasses decimal difflib enum errno fnmatch fractions functools gc getpass glob gzip hashlib heapq hmac html http importlib inspect io ipaddress itertools json keyword logging math mimetypes multiprocessing numbers operator os pathlib pickle platform pprint queue random re sched secrets select shlex shutil signal socket sqlite3 ssl stat statistics string struct subprocess sys tempfile textwrap threading time timeit tokenize traceback types typing unicodedata unittest urllib uuid warnings weakref xml zipfile zlib zoneinfo'

/** Names that code imports from a module, where only one module means them. */
const members: Readonly<Record<string, string>> = {
  abc: 'ABC ABCMeta abstractmethod',
  collections: 'ChainMap Counter OrderedDict defaultdict deque namedtuple',
  contextlib: 'contextmanager suppress',
  copy: 'deepcopy',
  dataclasses: 'dataclass',
  decimal: 'Decimal ROUND_HALF_UP',
  enum: 'Enum IntEnum',
  fractions: 'Fraction',
  functools: 'cache cached_property cmp_to_key lru_cache partial reduce total_ordering wraps',
  itertools:
    'accumulate chain combinations combinations_with_replacement groupby islice permutations product takewhile zip_longest',
  pathlib: 'Path',
  typing:
    'Any Callable ClassVar DefaultDict Dict FrozenSet Generator Iterable Iterator List Mapping MutableMapping NamedTuple NoReturn Optional Sequence Set Tuple Type TypeVar TypedDict Union',
}

const ofModule = new Set(modules.split(' '))
const byName = new Map(
  Object.entries(members).flatMap(([module, names]) =>
    names.split(' ').map((name) => [name, module] as const),
  ),
)

/**
 * The statement that imports what a name of Python means in the standard library; `null` for no such name.
 *
 * @param hasMember the name is used as `name.member`
 */
export function standardImport(name: string, hasMember: boolean): string | null {
  const module = byName.get(name)
  if (module !== undefined) return `from ${module} import ${name}`
  return hasMember && ofModule.has(name) ? `import ${name}` : null
}

const builtIns = new Set(
  'ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception ExceptionGroup False FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError None NotADirectoryError NotImplemented NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError True TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning ZeroDivisionError abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex copyright credits delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter len license list locals map max memoryview min next object oct open ord pow print property quit range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip'.split(
    ' ',
  ),
)

/** What runners of JavaScript's tests define. */
const ofTests = new Set(
  'after afterAll afterEach before beforeAll beforeEach describe expect it jest suite test vi'.split(
    ' ',
  ),
)

/** Returns true for a name that a file may use without an import: a text that drops its import may mean that one. */
export const isBuiltIn = (name: string, language: 'python' | 'script'): boolean =>
  language === 'python' ? builtIns.has(name) : name in globalThis || ofTests.has(name)
