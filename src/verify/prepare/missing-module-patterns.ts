import { posix } from 'node:path'
export type ModuleLanguage =
  | 'javascript'
  | 'python'
  | 'go'
  | 'rust'
  | 'java'
  | 'ruby'
  | 'php'
  | 'csharp'
  | 'c'

/** Whether the project has, or will have, a file or directory of this path. */
export type Exists = (path: string) => boolean

/** Where in the project a specifier points; `null` for a package. */
type Locate = (specifier: string, from: string | null, exists: Exists) => string | null

const withoutExtension = (path: string): string => path.replace(/\.[cm]?[jt]sx?$/, '')

const locateFromFile: Locate = (specifier, from) => {
  if (/^(?:#|@\/|~\/)/.test(specifier)) return withoutExtension(specifier.replace(/^\W+/, ''))
  if (!/^\.{0,2}\//.test(specifier)) return null
  const base = specifier.startsWith('/') || from === null ? '.' : posix.dirname(from)
  return withoutExtension(posix.join(base, specifier).replace(/^\/+/, ''))
}

const locatePython: Locate = (specifier, _from, exists) => {
  const path = specifier.replaceAll('.', '/')
  const [first = ''] = path.split('/')
  const root = ['', 'src/'].find(
    (each) => exists(`${each}${first}`) || exists(`${each}${first}.py`),
  )
  return root === undefined ? null : root + path
}

/** Local packages of Go start with the module's own name, which folders of the project continue. */
const locateGo: Locate = (specifier, _from, exists) => {
  const parts = specifier.split('/')
  const inner = parts.map((_, index) => parts.slice(index + 1).join('/'))
  const found = inner.find((path) => path !== '' && exists(path.split('/')[0] ?? path))
  return (
    found ?? (specifier.split('/')[0]?.includes('.') ? null : parts.slice(1).join('/') || specifier)
  )
}

const locateRust: Locate = (specifier, _from, exists) => {
  const parts = specifier.split('::')
  if (['crate', 'self', 'super'].includes(parts[0] ?? '')) return `src/${parts.slice(1).join('/')}`
  return exists(`src/${parts[0]}.rs`) || exists(`src/${parts[0]}`) ? `src/${parts.join('/')}` : null
}

const locateJava: Locate = (specifier, _from, exists) => {
  const path = specifier.replaceAll('.', '/')
  const start = path.split('/').slice(0, 2).join('/')
  const root = ['src/main/java', 'src/test/java', 'src', '.'].find((each) =>
    exists(posix.join(each, start)),
  )
  return root === undefined ? null : posix.join(root, path)
}

/** A class that javac does not know is looked for beside the file that names it. */
const locateClass: Locate = (specifier, from) =>
  from === null || posix.isAbsolute(from) ? specifier : posix.join(posix.dirname(from), specifier)

/** What Ruby requires lies in `lib/`, unless it is a gem; a path was made of `require_relative`. */
const locateRuby: Locate = (specifier, _from, exists) => {
  const path = specifier.replace(/\.rb$/, '')
  if (/^\.{0,2}\//.test(path)) return posix.normalize(path).replace(/^\/+/, '')
  const [first = ''] = path.split('/')
  const root = ['lib/', 'app/', ''].find(
    (each) => exists(`${each}${first}`) || exists(`${each}${first}.rb`),
  )
  return root === undefined ? null : root + path
}

/** Namespaces of well-known packages; any other is the project's own. */
const phpVendors =
  /^\\?(?:Amp|Carbon|Composer|Doctrine|Faker|GuzzleHttp|Illuminate|Laravel|League|Mockery|Monolog|PHPUnit|Pest|Phalcon|PhpParser|Psr|Ramsey|React|Slim|Symfony|Twig|Yii|Zend)\\/

/** PSR-4: a namespace's first part stands for the folder of the sources. */
const locatePhp: Locate = (specifier, _from, exists) => {
  if (/\.php$/.test(specifier)) return posix.normalize(specifier.replace(/\.php$/, ''))
  if (phpVendors.test(specifier)) return null
  const parts = specifier.replace(/^\\/, '').split('\\')
  const root = ['src', 'app', 'lib'].find(exists) ?? 'src'
  return posix.join(root, ...(parts.length > 1 ? parts.slice(1) : parts))
}

const dotnetPackages =
  /^(?:AutoMapper|Bogus|CsvHelper|Dapper|FluentAssertions|FluentValidation|MediatR|Moq|NSubstitute|NUnit|Newtonsoft|Polly|RestSharp|Serilog|Shouldly|Xunit|YamlDotNet)$/

const locateDotnet: Locate = (specifier, from) =>
  dotnetPackages.test(specifier.split('.')[0] ?? '')
    ? null
    : from === null || specifier.includes('.')
      ? specifier.replaceAll('.', '/')
      : posix.join(posix.dirname(from), specifier)

/** A header in quotes is looked for beside the file first. */
const locateHeader: Locate = (specifier, from) =>
  posix.join(from === null ? '.' : posix.dirname(from), specifier)

interface Pattern {
  readonly language: ModuleLanguage
  /** Groups `name` and, where the message tells, `from`. */
  readonly message: RegExp
  readonly locate: Locate
}

const pattern = (language: Pattern['language'], locate: Locate, ...messages: RegExp[]): Pattern[] =>
  messages.map((message) => ({ language, message, locate }))

/** The more a message tells, the earlier it stands: the first one to find a name speaks for it. */
export const missingPatterns: readonly Pattern[] = [
  ...pattern(
    'javascript',
    locateFromFile,
    /Cannot find (?:module|package) '(?<name>[^'\n]+)' imported from ['"]?(?<from>[^\s'"]+)/g,
    /(?<from>[^\s(:]+)[(:]\d+[,:]\d+\)?(?: -|:) error TS2307: Cannot find module '(?<name>[^'\n]+)'/g,
    /Cannot find module '(?<name>[^'\n]+)' from '(?<from>[^'\n]+)'/g,
    /Cannot find module '(?<name>[^'\n]+)'\s+Require stack:\s+- (?<from>\S+)/g,
    /Failed to resolve import "(?<name>[^"\n]+)" from "(?<from>[^"\n]+)"/g,
    /Failed to load url (?<name>\S+) \([^)\n]*\) in (?<from>[^\s'"]+)/g,
    /Could not resolve "(?<name>[^"\n]+)"/g,
    /Cannot find (?:module|package) '(?<name>[^'\n]+)'/g,
  ),
  ...pattern('python', locatePython, /No module named '?(?<name>[A-Za-z_][\w.]*)/g),
  ...pattern(
    'go',
    locateGo,
    /no required module provides package (?<name>[^\s;:"]+)/g,
    /cannot find (?:package|module providing package) "?(?<name>[^\s;:"]+)/g,
    /package (?<name>[^\s;:"]+) is not in (?:std|GOROOT)/g,
  ),
  ...pattern(
    'rust',
    locateRust,
    /unresolved import `(?<name>[\w:]+)`/g,
    /use of (?:undeclared crate or module|unresolved module or unlinked crate) `(?<name>\w+)`/g,
    /can't find crate for `(?<name>\w+)`/g,
    /no matching package named `(?<name>[\w-]+)` found/g,
  ),
  ...pattern('rust', (name) => `src/${name}`, /file not found for module `(?<name>\w+)`/g),
  ...pattern(
    'java',
    locateJava,
    /package (?<name>[a-z][\w.]*) does not exist/g,
    /(?:ClassNotFoundException|NoClassDefFoundError): (?<name>[\w.$/]+)/g,
  ),
  ...pattern(
    'java',
    locateClass,
    /cannot find symbol: class (?<name>\w+)/g,
    // Kotlin says it in words of its own.
    /(?<from>[^\s:]+\.kts?):\d+:\d+:? (?:error: )?[Uu]nresolved reference:? '?(?<name>\w+)/g,
  ),
  // The compilers of C show the line itself, and only that tells whose header it is.
  ...pattern(
    'c',
    locateHeader,
    /(?<from>[^\s:]+):\d+:\d+: fatal error: '?(?<name>[\w./+-]+)'?(?::| file)[^\n]{0,80}\n[^\n]{0,80}#\s*include\s*"/g,
  ),
  ...pattern(
    'c',
    () => null,
    /fatal error: '?(?<name>[\w./+-]+)'?(?::| file)[^\n]{0,80}\n[^\n]{0,80}#\s*include\s*</g,
    /cannot find -l(?<name>[\w.+-]+)/g,
    /Could not find a package configuration file provided by "(?<name>\w+)"/g,
  ),
  ...pattern(
    'ruby',
    locateRuby,
    /cannot load such file -- (?<name>[^\s)]+)/g,
    /Could not find gem '(?<name>[\w-]+)/g,
    /Could not find (?<name>[\w-]+)-\d[\w.]* in (?:any of the sources|locally installed gems)/g,
  ),
  ...pattern(
    'php',
    locatePhp,
    /(?:Class|Interface|Trait|Enum) ["'](?<name>[A-Za-z_][\w\\]*)["'] not found/g,
    /Failed opening required '(?<name>[^'\n]+\.php)'/g,
  ),
  ...pattern(
    'csharp',
    locateDotnet,
    /The type or namespace name '(?<name>\w+)' could not be found/g,
    /The type or namespace name '(?<name>\w+)' does not exist in the namespace '[\w.]+'/g,
  ),
]
