/** Names of each language's standard library that a repository may define as well: who uses one needs no definition. */
import type { Language } from './sources.ts'

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

const ofScripts = Object.getOwnPropertyNames(globalThis).flatMap((name) => {
  const value: unknown = Reflect.get(globalThis, name)
  if (typeof value !== 'function') return [name]
  const prototype: unknown = value.prototype
  const members = prototype instanceof Object ? Object.getOwnPropertyNames(prototype) : []
  return [name, ...Object.getOwnPropertyNames(value), ...members]
})

/** Members of the built-in types of Python 3.12, and its built-in functions. */
const ofPython = words(`
  abs add aiter all anext any append args ascii bin bool breakpoint bytearray bytes callable capitalize casefold center chr
  classmethod clear close compile complex copy count decode delattr dict difference dir discard divmod encode endswith
  enumerate eval exec expand expandtabs extend filter find findall finditer float flush format format_map frozenset
  fromkeys fullmatch get getattr getvalue globals group groupdict groups hasattr hash help hex index input insert int
  intersection isalnum isalpha isascii isdecimal isdigit isdisjoint isidentifier isinstance islower isnumeric isspace
  issubclass issubset issuperset istitle isupper items iter join keys len list ljust locals lower lstrip map match max
  memoryview min next object oct open ord partition pop popitem pow print property range read readline readlines remove
  removeprefix removesuffix replace repr reverse reversed rfind rindex rjust round rpartition rsplit rstrip search seek set
  setattr setdefault slice sort sorted span split splitlines start startswith staticmethod str strip sub sum super swapcase
  symmetric_difference tell title translate tuple type union update upper values vars with_traceback write writelines
  zfill zip`)

const ofGo = words(`
  append cap clear close complex copy delete imag len make max min new panic print println real recover Error String Len
  Less Swap Read Write Close`)

/** Methods of the types and traits in Rust's prelude. */
const ofRust = words(`
  all any append as_bytes as_mut as_ref as_str borrow borrow_mut bytes chain char_indices chars chunks clear clone cloned
  cmp collect concat contains contains_key copied count cycle default dedup drain entry enumerate eq extend filter
  filter_map find first flat_map flatten fold for_each from from_str get get_mut hash insert into into_iter is_empty is_err
  is_none is_ok is_some iter iter_mut join keys last len lines map max min new next nth ok or_insert parse peek pop position
  product push push_str range remove replace retain rev reverse skip sort split split_at starts_with step_by sum swap take
  to_owned to_string to_uppercase to_vec trim truncate unwrap unwrap_or values windows zip Error Item Output Self`)

const standard: Readonly<Record<Language, ReadonlySet<string>>> = {
  javascript: new Set(ofScripts),
  python: new Set(ofPython),
  go: new Set(ofGo),
  rust: new Set(ofRust),
}

export const isStandard = (language: Language, name: string): boolean =>
  standard[language].has(name)
