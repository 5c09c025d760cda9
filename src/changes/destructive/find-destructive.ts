import { createHash } from 'node:crypto'
import type { DestructiveOperation } from '../../core/domain/destructive.ts'
import { languageOf } from '../../text/source/languages.ts'
import { readSyntax } from '../../text/syntax/read-syntax.ts'
import { findInCode } from './code/find-in-code.ts'
import { findInSyntax } from './code/find-in-tree.ts'
import { type CodeLanguageName, codeLanguages } from './code/read-code-tokens.ts'
import { findInDockerfile } from './files/find-in-dockerfile.ts'
import { findInManifest, isScriptManifest } from './files/find-in-manifest.ts'
import { findInMarkup } from './files/find-in-markup.ts'
import { findInRecipes } from './files/find-in-recipes.ts'
import { findInYaml, runsCommands } from './files/find-in-yaml.ts'
import { createLook } from './find-text.ts'
import type { Finding } from './finding.ts'
import { findInPackages, sourcesOf } from './packages/find-in-packages.ts'

/** Longer files are data, or made by a program; they are looked at up to here. */
const MOST_CHARACTERS = 1_000_000
const LONGEST_SHOWN = 160

/**
 * What a file does when it runs that cannot be undone, found by parsing: syntax trees of JavaScript,
 * TypeScript and Python; tokens of shell, SQL and other languages; the commands in Dockerfiles,
 * Makefiles, pipelines and package scripts. Comments, prose and texts that nothing runs are never
 * reported.
 *
 * With `before`, the text it replaces, only what the change brings in: an operation that stood there
 * already, in the same words, is not reported wherever it moved; one more of the same is.
 */
export async function findDestructive(file: {
  readonly path: string
  readonly text: string
  readonly before?: string | undefined
  /** Registries and repositories named elsewhere, see `sourcesOf`. */
  readonly known?: ReadonlySet<string> | undefined
  /** A lock that an installer has just made for us. */
  readonly isOurs?: boolean | undefined
}): Promise<readonly DestructiveOperation[]> {
  const { path, text, before } = file
  const named = before === undefined ? [] : sourcesOf(path, before)
  const sources = new Set([...(file.known ?? []), ...named])
  const look = (whole: string) => operationsOf(path, whole, sources, file.isOurs)
  const found = await look(text)
  if (found.length === 0 || before === undefined) return found
  const known = new Map<string, number>()
  for (const { fingerprint } of await look(before)) {
    known.set(fingerprint, (known.get(fingerprint) ?? 0) + 1)
  }
  return found.filter(({ fingerprint }) => {
    const left = known.get(fingerprint) ?? 0
    known.set(fingerprint, left - 1)
    return left <= 0
  })
}

async function operationsOf(
  path: string,
  whole: string,
  sources: ReadonlySet<string>,
  isOurs = false,
): Promise<readonly DestructiveOperation[]> {
  const all = whole.replace(/^\uFEFF/, ' ')
  if (all.includes('\0')) return []
  const found = await findIn(path, all.slice(0, MOST_CHARACTERS))
  // A manifest is read to its end: what installs may stand behind what is too long.
  return toOperations(path, all, [...found, ...findInPackages(path, all, sources, isOurs)])
}

const codeByExtension: Readonly<Record<string, CodeLanguageName>> = {
  scala: 'scala',
  sc: 'scala',
  groovy: 'groovy',
  gradle: 'groovy',
  kts: 'kotlin',
  dart: 'dart',
  ex: 'elixir',
  exs: 'elixir',
  lua: 'lua',
  pl: 'perl',
  pm: 'perl',
  rake: 'ruby',
  gemspec: 'ruby',
  cxx: 'cpp',
  hh: 'cpp',
  m: 'c',
  mm: 'cpp',
  swift: 'swift',
}

async function findIn(path: string, text: string): Promise<readonly Finding[]> {
  const look = createLook()
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (isScriptManifest(path)) return findInManifest(text, look)
  if (runsCommands(path, text)) return findInYaml(text, look)
  if (/^(?:dockerfile|containerfile)(?:\..*)?$|\.dockerfile$/i.test(name))
    return findInDockerfile(text, look)
  if (/^(?:gnu)?makefile(?:\..*)?$|\.mk$/i.test(name)) return findInRecipes('makefile', text, look)
  if (/^\.?justfile$|\.just$/i.test(name)) return findInRecipes('justfile', text, look)
  if (/^(?:rakefile|gemfile|guardfile|capfile|fastfile|podfile|vagrantfile|brewfile)$/i.test(name))
    return findInCode('ruby', text, look)
  if (/^jenkinsfile(?:\..*)?$/i.test(name)) return findInCode('groovy', text, look)
  if (/^procfile(?:\..*)?$/i.test(name))
    return look(
      'shell',
      text.replace(/^\w+:/gm, (found) => ' '.repeat(found.length)),
    )
  const language = languageOf(path, text)
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  if (/^(?:zsh|ksh|bats|fish|envrc|profile|bashrc|zshrc)$/.test(extension) || language === 'shell')
    return look('shell', text)
  switch (language) {
    case 'javascript':
    case 'jsx':
    case 'typescript':
    case 'tsx':
      return findInSyntax('javascript', await readSyntax(path, text), text, look)
    case 'python':
      return findInSyntax('python', await readSyntax(path, text), text, look)
    case 'sql':
      return look('sql', text)
    case 'vue':
    case 'svelte':
    case 'html':
      return findInMarkup(text, look)
    default:
      return findInOther(language, extension, text)
  }
}

async function findInOther(
  language: string,
  extension: string,
  text: string,
): Promise<readonly Finding[]> {
  const look = createLook()
  if (/^(?:ps1|psm1)$/.test(extension)) return look('shell', asShell(text, /<#[\s\S]*?#>/g))
  if (/^(?:bat|cmd)$/.test(extension))
    return look('shell', asShell(text, /^[ \t]*@?(?:rem\b|::)[^\n]*/gim))
  if (/^(?:ddl|pgsql|psql|mysql|hql|cql)$/.test(extension)) return look('sql', text)
  const own = Object.hasOwn(codeByExtension, extension) ? codeByExtension[extension] : undefined
  const name =
    own ?? (Object.hasOwn(codeLanguages, language) ? (language as CodeLanguageName) : undefined)
  return name === undefined ? [] : findInCode(name, text, look)
}

/** PowerShell and batch files, close enough to a shell's words: their comments blanked, their escapes doubled. */
const asShell = (text: string, comments: RegExp): string =>
  text
    .replace(comments, (found) => found.replace(/[^\n]/g, ' '))
    .replace(/\\/g, '/')
    .replace(/^([ \t]*)@/gm, '$1 ')

/** In the order of the file, with lines and columns. */
function toOperations(
  path: string,
  text: string,
  findings: readonly Finding[],
): readonly DestructiveOperation[] {
  const ordered = [...findings].sort((a, b) => a.start - b.start || a.end - b.end)
  const operations: DestructiveOperation[] = []
  let line = 1
  let lineStart = 0
  let last = ''
  for (const { start, end, category, why, meaning, shown } of ordered) {
    for (
      let next = text.indexOf('\n', lineStart);
      next >= 0 && next < start;
      next = text.indexOf('\n', lineStart)
    ) {
      line += 1
      lineStart = next + 1
    }
    const written = oneLine(shown ?? text.slice(start, end))
    const hash = createHash('sha256').update([path, category, why, written, meaning].join('\0'))
    const fingerprint = hash.digest('hex').slice(0, 24)
    // One call that does the same thing in two ways is one operation.
    const place = `${start} ${fingerprint}`
    if (place === last) continue
    last = place
    const operation =
      written.length > LONGEST_SHOWN ? `${written.slice(0, LONGEST_SHOWN - 1)}…` : written
    operations.push({
      path,
      line,
      column: start - lineStart + 1,
      category,
      operation,
      why,
      fingerprint,
    })
  }
  return operations
}

const oneLine = (text: string): string =>
  text
    .replace(/\\?\r?\n/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
