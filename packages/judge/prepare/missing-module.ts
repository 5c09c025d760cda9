import { posix } from 'node:path'
import type { TestFailure } from '../results/test-report.ts'
import { dependencyTools, type ModuleLanguage } from './dependency-tools.ts'

/** Returns true when the project has, or will have, this file or directory. */
type Exists = (path: string) => boolean

/** Resolves a specifier to a path in the project; `null` for a package. */
type Locate = (specifier: string, from: string | null, exists: Exists) => string | null

/** A module that code tried to import and that is missing. */
interface MissingModule {
  /** As in the message: `./user`, `left-pad`, `src.user`, `crate::user`. */
  readonly specifier: string
  /** `local`: belongs in the project; `package`: must be installed. */
  readonly kind: 'local' | 'package'
  /** The importing file, relative to the project, if the message names it. */
  readonly from: string | null
  /** Where a local module would be, relative to the project and without extension. */
  readonly path: string | null
  readonly language: ModuleLanguage
  /** The command to type; `null` for local modules and for names that belong to no package. */
  readonly install: string | null
}

const withoutExtension = (path: string): string => path.replace(/\.[cm]?[jt]sx?$/, '')

const locateFromFile: Locate = (specifier, from) => {
  if (/^(?:#|@\/|~\/)/.test(specifier)) return withoutExtension(specifier.replace(/^\W+/, ''))
  if (!/^\.{0,2}\//.test(specifier)) return null
  const base = specifier.startsWith('/') || from === null ? '.' : posix.dirname(from)
  return withoutExtension(posix.join(base, specifier).replace(/^\/+/, ''))
}

/** Returns the path below the first folder that contains its first `steps` segments. */
function locateBelow(
  roots: readonly string[],
  path: string,
  exists: (start: string) => boolean,
  steps = 1,
): string | null {
  const start = path.split('/').slice(0, steps).join('/')
  const root = roots.find((each) => exists(each + start))
  return root === undefined ? null : root + path
}

const locatePython: Locate = (specifier, _from, exists) =>
  locateBelow(
    ['', 'src/'],
    specifier.replaceAll('.', '/'),
    (start) => exists(start) || exists(`${start}.py`),
  )

/** The path of a local Go package is the module's name, then folders of the project. */
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

const javaRoots = ['src/main/java/', 'src/test/java/', 'src/', '']

const locateJava: Locate = (specifier, _from, exists) =>
  locateBelow(javaRoots, specifier.replaceAll('.', '/'), exists, 2)

/** Looks for a class unknown to javac beside the file that names it. */
const locateClass: Locate = (specifier, from) =>
  from === null || posix.isAbsolute(from) ? specifier : posix.join(posix.dirname(from), specifier)

/** Required Ruby files are in `lib/` unless they are gems; `require_relative` yields a path. */
const locateRuby: Locate = (specifier, _from, exists) => {
  const path = specifier.replace(/\.rb$/, '')
  return /^\.{0,2}\//.test(path)
    ? posix.normalize(path).replace(/^\/+/, '')
    : locateBelow(['lib/', 'app/', ''], path, (start) => exists(start) || exists(`${start}.rb`))
}

/** Namespaces of well-known packages; any other is the project's own. */
const phpVendors =
  /^\\?(?:Amp|Carbon|Composer|Doctrine|Faker|GuzzleHttp|Illuminate|Laravel|League|Mockery|Monolog|PHPUnit|Pest|Phalcon|PhpParser|Psr|Ramsey|React|Slim|Symfony|Twig|Yii|Zend)\\/

/** PSR-4: the first part of a namespace stands for the source folder. */
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

/** Looks for a quoted header beside the including file first. */
const locateHeader: Locate = (specifier, from) =>
  posix.join(from === null ? '.' : posix.dirname(from), specifier)

/** Patterns with a group `name` and, where the message names the importer, `from`. */
type Row = readonly [ModuleLanguage, Locate, ...(readonly RegExp[])]

/** The most detailed messages come first: the first pattern to find a name decides. */
const missingPatterns: readonly Row[] = [
  [
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
  ],
  ['python', locatePython, /No module named '?(?<name>[A-Za-z_][\w.]*)/g],
  [
    'go',
    locateGo,
    /no required module provides package (?<name>[^\s;:"]+)/g,
    /cannot find (?:package|module providing package) "?(?<name>[^\s;:"]+)/g,
    /package (?<name>[^\s;:"]+) is not in (?:std|GOROOT)/g,
  ],
  [
    'rust',
    locateRust,
    /unresolved import `(?<name>[\w:]+)`/g,
    /use of (?:undeclared crate or module|unresolved module or unlinked crate) `(?<name>\w+)`/g,
    /can't find crate for `(?<name>\w+)`/g,
    /no matching package named `(?<name>[\w-]+)` found/g,
  ],
  ['rust', (name) => `src/${name}`, /file not found for module `(?<name>\w+)`/g],
  [
    'java',
    locateJava,
    /package (?<name>[a-z][\w.]*) does not exist/g,
    /(?:ClassNotFoundException|NoClassDefFoundError): (?<name>[\w.$/]+)/g,
  ],
  [
    'java',
    locateClass,
    /cannot find symbol: class (?<name>\w+)/g,
    // Kotlin words it differently.
    /(?<from>[^\s:]+\.kts?):\d+:\d+:? (?:error: )?[Uu]nresolved reference:? '?(?<name>\w+)/g,
  ],
  // C compilers quote the source line; only its quotes or brackets tell whose header it is.
  [
    'c',
    locateHeader,
    /(?<from>[^\s:]+):\d+:\d+: fatal error: '?(?<name>[\w./+-]+)'?(?::| file)[^\n]{0,80}\n[^\n]{0,80}#\s*include\s*"/g,
  ],
  [
    'c',
    () => null,
    /fatal error: '?(?<name>[\w./+-]+)'?(?::| file)[^\n]{0,80}\n[^\n]{0,80}#\s*include\s*</g,
    /cannot find -l(?<name>[\w.+-]+)/g,
    /Could not find a package configuration file provided by "(?<name>\w+)"/g,
  ],
  [
    'ruby',
    locateRuby,
    /cannot load such file -- (?<name>[^\s)]+)/g,
    /Could not find gem '(?<name>[\w-]+)/g,
    /Could not find (?<name>[\w-]+)-\d[\w.]* in (?:any of the sources|locally installed gems)/g,
  ],
  [
    'php',
    locatePhp,
    /(?:Class|Interface|Trait|Enum) ["'](?<name>[A-Za-z_][\w\\]*)["'] not found/g,
    /Failed opening required '(?<name>[^'\n]+\.php)'/g,
  ],
  [
    'csharp',
    locateDotnet,
    /The type or namespace name '(?<name>\w+)' could not be found/g,
    /The type or namespace name '(?<name>\w+)' does not exist in the namespace '[\w.]+'/g,
  ],
]

/**
 * Finds the missing modules that messages name, each once. The project's paths decide for languages whose
 * specifiers do not: `src.user` is local when the project has `src`, `yaml` is a package.
 */
export function missingModules(
  output: string | readonly (string | Pick<TestFailure, 'message' | 'file'>)[],
  files: Iterable<string>,
): readonly MissingModule[] {
  const paths = [...files]
  const exists: Exists = (path) =>
    paths.some((each) => each === path || each.startsWith(`${path}/`))
  const found = new Map<string, MissingModule>()
  for (const each of typeof output === 'string' ? [output] : output) {
    const { message: text, file } = typeof each === 'string' ? { message: each, file: null } : each
    for (const [language, locate, ...messages] of missingPatterns) {
      for (const { groups } of messages.flatMap((message) => [...text.matchAll(message)])) {
        const specifier = groups?.name ?? ''
        const from = groups?.from === undefined ? file : posix.normalize(groups.from)
        if (found.has(`${language} ${specifier}`)) continue
        const path = locate(specifier, from, exists)
        const kind = path === null ? 'package' : 'local'
        const install = path === null ? installCommandFor(specifier, language, paths) : null
        found.set(`${language} ${specifier}`, { specifier, kind, from, path, language, install })
      }
    }
  }
  return [...found.values()]
}

/** Packages whose import name differs from their own. */
const otherNames: Readonly<Partial<Record<ModuleLanguage, Readonly<Record<string, string>>>>> = {
  python: {
    ...{ attr: 'attrs', bs4: 'beautifulsoup4', cv2: 'opencv-python', dateutil: 'python-dateutil' },
    ...{ dotenv: 'python-dotenv', github: 'PyGithub', jose: 'python-jose', jwt: 'PyJWT' },
    ...{ magic: 'python-magic', MySQLdb: 'mysqlclient', PIL: 'Pillow', serial: 'pyserial' },
    ...{ psycopg2: 'psycopg2-binary', sklearn: 'scikit-learn', yaml: 'pyyaml' },
  },
  ruby: {
    ...{ active_support: 'activesupport', active_record: 'activerecord' },
    'rack/test': 'rack-test',
  },
  csharp: { Newtonsoft: 'Newtonsoft.Json', Xunit: 'xunit' },
  php: {
    ...{ Carbon: 'nesbot/carbon', Faker: 'fakerphp/faker', GuzzleHttp: 'guzzlehttp/guzzle' },
    ...{ Mockery: 'mockery/mockery', Monolog: 'monolog/monolog', Ramsey: 'ramsey/uuid' },
    ...{ PHPUnit: '--dev phpunit/phpunit', Twig: 'twig/twig' },
  },
}

/** The package manager's command to add a package, by the first lock or manifest found. */
function adding(language: 'javascript' | 'python', paths: readonly string[]): string {
  const own = dependencyTools.find(
    (tool) => tool.language === language && paths.some((path) => tool.lock.test(path)),
  )
  const otherwise = language === 'javascript' ? 'npm install' : 'pip install'
  return own === undefined || /^(?:npm|python3)$/.test(own.program)
    ? otherwise
    : `${own.program} add`
}

function installCommandFor(
  specifier: string,
  language: ModuleLanguage,
  paths: readonly string[],
): string | null {
  const named = (name: string) => otherNames[language]?.[name]
  const firstOf = (separator: string) => specifier.split(separator)[0] ?? ''
  switch (language) {
    case 'javascript': {
      const name = /^(?:@[\w.-]+\/)?[\w.-]+/.exec(specifier)?.[0]
      return name === undefined ? null : `${adding(language, paths)} ${name}`
    }
    case 'python':
      return `${adding(language, paths)} ${named(firstOf('.')) ?? firstOf('.')}`
    case 'go':
      return /^[\w./~-]+$/.test(specifier) ? `go get ${specifier}` : null
    case 'rust':
      return `cargo add ${firstOf('::')}`
    case 'ruby': {
      const gem = named(specifier) ?? named(firstOf('/')) ?? firstOf('/')
      return `${paths.includes('Gemfile') ? 'bundle add' : 'gem install'} ${gem}`
    }
    case 'csharp':
      return `dotnet add package ${named(specifier) ?? specifier}`
    case 'php': {
      const name = named(specifier.replace(/^\\/, '').split('\\')[0] ?? '')
      return name === undefined ? null : `composer require ${name}`
    }
    default:
      return null
  }
}
