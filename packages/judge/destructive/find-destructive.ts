import { createHash } from 'node:crypto'
import { type ChangeSet, contentAfter, contentBefore, type Tree } from '../../change/change.ts'
import { blank, languageOf, lineCounter, parsePythonText, readSyntax } from '../../source/source.ts'
import { oneLine } from '../../text/text.ts'
import type { Rules } from '../judging.ts'
import { findInCode } from './code/find-in-code.ts'
import { findInSyntax } from './code/find-in-tree.ts'
import { type CodeLanguageName, codeLanguages } from './code/read-code-tokens.ts'
import { findInDockerfile } from './files/find-in-dockerfile.ts'
import { findInMarkup } from './files/find-in-markup.ts'
import { findInRecipes } from './files/find-in-recipes.ts'
import { findInManifest, findInYaml, isScriptManifest, runsCommands } from './files/find-in-yaml.ts'
import type { Finding, FindNested, ScriptLanguage } from './finding.ts'
import reasons from './former-reasons.json' with { type: 'json' }
import type { DestructiveOperation } from './operation.ts'
import { findInShell } from './shell/find-in-shell.ts'
import { findInSql } from './sql/find-in-sql.ts'

/** Longer files are data or generated; only this much of them is read. */
const MOST_CHARACTERS = 1_000_000
const LONGEST_SHOWN = 160

/**
 * Finds what a file does irreversibly when it runs, by parsing: syntax trees of JavaScript,
 * TypeScript and Python; tokens of shell, SQL and other languages; the commands in Dockerfiles,
 * Makefiles, pipelines and package scripts. Never reports comments, prose and texts that nothing
 * runs.
 *
 * With `before`, the replaced text, reports only what the change adds: an operation that was
 * already there in the same words is not reported, wherever it moved; one more of the same is.
 */
export async function findDestructive(
  file: DestructiveFile,
): Promise<readonly DestructiveOperation[]> {
  const { path, text, before } = file
  const inPackages = isSource(path) ? () => [] : await readerOfPackages(file)
  const look = (whole: string) => operationsOf(path, whole, inPackages)
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

interface DestructiveFile {
  readonly path: string
  readonly text: string
  readonly before?: string | undefined
  /** Registries and repositories named elsewhere, see `sourcesOf`. */
  readonly known?: ReadonlySet<string> | undefined
  /** True for a lock file that an installer has just written for us. */
  readonly isOurs?: boolean | undefined
}

async function operationsOf(
  path: string,
  whole: string,
  inPackages: (text: string) => readonly Finding[],
): Promise<readonly DestructiveOperation[]> {
  const all = whole.replace(/^\uFEFF/, ' ')
  if (all.includes('\0')) return []
  const found = await findIn(path, all.slice(0, MOST_CHARACTERS))
  // A manifest is read to its end: entries that install something may follow the cut.
  return toOperations(path, all, [...found, ...inPackages(all)])
}

/** Code or prose, which no installer reads under such a name. */
const isSource = (path: string): boolean =>
  /(?:^|\/)(?!(?:(?:gnu)?make|\.?just|docker|container)file\.)[^/]*\.(?:[cm]?[jt]sx?|py|go|rs|java|css|md)$/i.test(
    path,
  )

/** The readers of manifests are loaded with the first file that may be one. */
const readersOfPackages = () => import('./packages/find-in-packages.ts')

async function readerOfPackages({
  path,
  before,
  known = new Set(),
  isOurs,
}: Omit<DestructiveFile, 'text'>): Promise<(text: string) => readonly Finding[]> {
  const { findInPackages, sourcesOf } = await readersOfPackages()
  const named = before === undefined ? [] : sourcesOf(path, before)
  const sources = new Set([...known, ...named])
  return (text) => findInPackages(path, text, sources, isOurs)
}

type Reader = (
  text: string,
  look: FindNested,
  path: string,
) => readonly Finding[] | Promise<readonly Finding[]>

const nested =
  (language: ScriptLanguage): Reader =>
  (text, look) =>
    look(language, text)
const code =
  (language: CodeLanguageName): Reader =>
  (text, look) =>
    findInCode(language, text, look)
const syntax =
  (language: 'javascript' | 'python'): Reader =>
  async (text, look, path) =>
    findInSyntax(language, await readSyntax(path, text), text, look)

/** By a file's name without its folder; the first match counts. */
const readersByName: readonly (readonly [name: RegExp, read: Reader])[] = [
  [/^(?:dockerfile|containerfile)(?:\..*)?$|\.dockerfile$/i, findInDockerfile],
  [/^(?:gnu)?makefile(?:\..*)?$|\.mk$/i, (text, look) => findInRecipes('makefile', text, look)],
  [/^\.?justfile$|\.just$/i, (text, look) => findInRecipes('justfile', text, look)],
  [/^(?:rakefile|gemfile|guardfile|capfile|fastfile|podfile|vagrantfile|brewfile)$/i, code('ruby')],
  [/^jenkinsfile(?:\..*)?$/i, code('groovy')],
  [/^procfile(?:\..*)?$/i, (text, look) => look('shell', text.replace(/^\w+:/gm, blank))],
  [/(?:^|\.)(?:zsh|ksh|bats|fish|envrc|profile|bashrc|zshrc)$/i, nested('shell')],
  [/\.(?:ps1|psm1)$/i, (text, look) => look('shell', asShell(text, /<#[\s\S]*?#>/g))],
  [
    /\.(?:bat|cmd)$/i,
    (text, look) => look('shell', asShell(text, /^[ \t]*@?(?:rem\b|::)[^\n]*/gim)),
  ],
  [/\.(?:ddl|pgsql|psql|mysql|hql|cql)$/i, nested('sql')],
  [/\.(?:scala|sc)$/i, code('scala')],
  [/\.(?:groovy|gradle)$/i, code('groovy')],
  [/\.dart$/i, code('dart')],
  [/\.exs?$/i, code('elixir')],
  [/\.lua$/i, code('lua')],
  [/\.p[lm]$/i, code('perl')],
  // Objective-C.
  [/\.m$/i, code('c')],
  [/\.mm$/i, code('cpp')],
]

const readersByLanguage: Readonly<Record<string, Reader>> = {
  ...Object.fromEntries(
    Object.keys(codeLanguages).map((name) => [name, code(name as CodeLanguageName)]),
  ),
  ...{ shell: nested('shell'), sql: nested('sql'), python: syntax('python') },
  ...{ javascript: syntax('javascript'), jsx: syntax('javascript') },
  ...{ typescript: syntax('javascript'), tsx: syntax('javascript') },
  ...{ vue: findInMarkup, svelte: findInMarkup, html: findInMarkup },
}

async function findIn(path: string, text: string): Promise<readonly Finding[]> {
  const look = createLook()
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (/\.(?:jsonc?|ya?ml)$/i.test(name)) {
    if (isScriptManifest(path)) return findInManifest(text, look)
    if (runsCommands(path, text)) return findInYaml(text, look)
  }
  const [, read] = readersByName.find(([names]) => names.test(name)) ?? []
  const language = languageOf(path, text)
  const known = Object.hasOwn(readersByLanguage, language) ? readersByLanguage[language] : undefined
  return (read ?? known)?.(text, look, path) ?? []
}

/** Makes PowerShell and batch files shell-like: no comments or leading `@`, forward slashes. */
const asShell = (text: string, comments: RegExp): string =>
  text
    .replace(comments, blank)
    .replace(/\\/g, '/')
    .replace(/^([ \t]*)@/gm, '$1 ')

/** The old wording of reasons. Fingerprints use it, so that earlier approvals stay valid. */
const formerReasons: Readonly<Record<string, string>> = reasons

/** Returns the operations in the order of the file, with lines and columns. */
function toOperations(
  path: string,
  text: string,
  findings: readonly Finding[],
): readonly DestructiveOperation[] {
  const lineAt = lineCounter(text)
  let [lastLine, lineStart] = [1, 0]
  const operations = new Map<string, DestructiveOperation>()
  for (const { start, end, category, why, meaning, shown } of findings.toSorted(
    (a, b) => a.start - b.start || a.end - b.end,
  )) {
    const written = oneLine((shown ?? text.slice(start, end)).replace(/\\?\r?\n/g, ' '))
    const parts = [path, category, formerReasons[why] ?? why, written, meaning]
    const hash = createHash('sha256').update(parts.join('\0'))
    const fingerprint = hash.digest('hex').slice(0, 24)
    const operation =
      written.length > LONGEST_SHOWN ? `${written.slice(0, LONGEST_SHOWN - 1)}…` : written
    const line = lineAt(start)
    if (line !== lastLine) [lastLine, lineStart] = [line, text.lastIndexOf('\n', start - 1) + 1]
    const column = start - lineStart + 1
    const found = { path, line, column, category, operation, why, fingerprint }
    // A call that does the same thing in two ways is one operation.
    operations.set(`${start} ${fingerprint}`, found)
  }
  return [...operations.values()]
}

/** Commands nested deeper are not read; no person nests them that deep. */
const MAX_NESTING = 6

/** Reads texts that programs are given to run, each one level deeper. */
function createLook(depth = 0): FindNested {
  return (language, text) =>
    depth >= MAX_NESTING ? [] : findInText(language, text, createLook(depth + 1))
}

function findInText(language: ScriptLanguage, text: string, look: FindNested): readonly Finding[] {
  switch (language) {
    case 'shell':
      return findInShell(text, look)
    case 'sql':
      return findInSql(text)
    case 'python':
      return findInSyntax('python', parsePythonText(text), text, look)
    default:
      return findInCode(language, text, look)
  }
}

/**
 * Finds the destructive operations that a change set adds, file by file. To load packages from a source that neither
 * the start commit nor the settings name is one.
 *
 * @param start the tree that the change starts from
 * @param isOurs true for lock files that an installer has just written for us
 */
export async function findOperations(
  changes: ChangeSet,
  start: Tree,
  { verify }: { readonly verify: Pick<Rules['verify'], 'registries'> },
  isOurs?: boolean,
): Promise<readonly DestructiveOperation[]> {
  const known = changes.every(({ path }) => isSource(path))
    ? undefined
    : await (await readersOfPackages()).sourcesBefore(start, changes, verify.registries)
  const found: DestructiveOperation[] = []
  for (const change of changes) {
    const text = contentAfter(change)
    if (text === undefined) continue
    const before = contentBefore(change)
    found.push(...(await findDestructive({ path: change.path, text, before, known, isOurs })))
  }
  return found
}
