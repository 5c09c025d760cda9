import { posix } from 'node:path'
import type { TestFailure } from '../domain/test-report.ts'

/** Something that code wanted to import and that is not there. */
export interface MissingModule {
  /** As the message says it: `./user`, `left-pad`, `src.user`, `crate::user`. */
  readonly specifier: string
  /** `local`: the project itself should have it; `package`: it is to be installed. */
  readonly kind: 'local' | 'package'
  /** The importing file, relative to the project, where the message tells. */
  readonly from: string | null
  /** Where a local module would be, relative to the project and without extension. */
  readonly path: string | null
  readonly language: 'javascript' | 'python' | 'go' | 'rust' | 'java'
}

/** Whether the project has, or will have, a file or directory of this path. */
type Exists = (path: string) => boolean

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

interface Pattern {
  readonly language: MissingModule['language']
  /** Groups `name` and, where the message tells, `from`. */
  readonly message: RegExp
  readonly locate: Locate
}

const pattern = (language: Pattern['language'], locate: Locate, ...messages: RegExp[]): Pattern[] =>
  messages.map((message) => ({ language, message, locate }))

/** The more a message tells, the earlier it stands: the first one to find a name speaks for it. */
const patterns: readonly Pattern[] = [
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
  ),
  ...pattern('rust', (name) => `src/${name}`, /file not found for module `(?<name>\w+)`/g),
  ...pattern(
    'java',
    locateJava,
    /package (?<name>[a-z][\w.]*) does not exist/g,
    /(?:ClassNotFoundException|NoClassDefFoundError): (?<name>[\w.$/]+)/g,
  ),
]

/**
 * The modules that messages say are missing, each once. `exists` decides for languages whose
 * specifiers do not show it: `src.user` is local when the project has `src`, `yaml` is a package.
 */
export function missingModules(
  told: string | readonly (string | Pick<TestFailure, 'message' | 'file'>)[],
  exists: Exists,
): readonly MissingModule[] {
  const found = new Map<string, MissingModule>()
  for (const each of typeof told === 'string' ? [told] : told) {
    const text = typeof each === 'string' ? each : each.message
    const file = typeof each === 'string' ? null : each.file
    for (const { language, message, locate } of patterns) {
      for (const { groups } of text.matchAll(message)) {
        const specifier = groups?.name ?? ''
        const from = groups?.from === undefined ? file : posix.normalize(groups.from)
        if (found.has(`${language} ${specifier}`)) continue
        const path = locate(specifier, from, exists)
        const kind = path === null ? 'package' : 'local'
        found.set(`${language} ${specifier}`, { specifier, kind, from, path, language })
      }
    }
  }
  return [...found.values()]
}

/** Packages of PyPI that are imported by another name. */
const pythonNames: Readonly<Record<string, string>> = {
  attr: 'attrs',
  bs4: 'beautifulsoup4',
  cv2: 'opencv-python',
  dateutil: 'python-dateutil',
  dotenv: 'python-dotenv',
  github: 'PyGithub',
  jose: 'python-jose',
  jwt: 'PyJWT',
  magic: 'python-magic',
  MySQLdb: 'mysqlclient',
  PIL: 'Pillow',
  psycopg2: 'psycopg2-binary',
  serial: 'pyserial',
  sklearn: 'scikit-learn',
  yaml: 'pyyaml',
}

const javaScriptInstallers = [
  { lock: /^pnpm-lock\.yaml$/, command: 'pnpm add' },
  { lock: /^yarn\.lock$/, command: 'yarn add' },
  { lock: /^bun\.lockb?$/, command: 'bun add' },
]

const pythonInstallers = [
  { lock: /^uv\.lock$/, command: 'uv add' },
  { lock: /^poetry\.lock$/, command: 'poetry add' },
]

/** The command a person would type; `null` for local modules and for names that are no package's. */
export function installCommandFor(missing: MissingModule, files: Iterable<string>): string | null {
  const paths = [...files]
  if (missing.kind === 'local') return null
  const choose = (installers: readonly { lock: RegExp; command: string }[], otherwise: string) =>
    installers.find(({ lock }) => paths.some((path) => lock.test(path)))?.command ?? otherwise
  const { specifier } = missing
  switch (missing.language) {
    case 'javascript': {
      const name = /^(?:@[\w.-]+\/)?[\w.-]+/.exec(specifier)?.[0]
      return name === undefined ? null : `${choose(javaScriptInstallers, 'npm install')} ${name}`
    }
    case 'python': {
      const first = specifier.split('.')[0] ?? specifier
      return `${choose(pythonInstallers, 'pip install')} ${pythonNames[first] ?? first}`
    }
    case 'go':
      return /^[\w./~-]+$/.test(specifier) ? `go get ${specifier}` : null
    case 'rust':
      return `cargo add ${specifier.split('::')[0]}`
    case 'java':
      return null
  }
}
