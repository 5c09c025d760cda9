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
