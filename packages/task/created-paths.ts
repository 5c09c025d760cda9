import { isPathWord, normalisePath, trimMarks } from '../text/text.ts'
import type { Task } from './task-schema.ts'

const creates =
  /\b(?:add|build|creat|defin|develop|extract|generat|implement|introduc|mak|new|scaffold|set|split|writ)(?:e|es|ed|s|ing)?\b/i

/** Returns true for a sentence that creates something: "Add `a.js`", not "Fix `a.js`". */
export const saysCreate = (sentence: string): boolean => creates.test(sentence)

/** The paths that a task creates: its `Files`, and those that its text says it creates. */
export function createdPaths({ title, details, files }: Task): ReadonlySet<string> {
  const lines = [title, ...details.split('\n')].filter(saysCreate)
  return new Set([...files, ...lines.flatMap(createdIn)])
}

const useVerb =
  /^(?:us(?:es|ing)|imports|importing|calls|calling|reads|reading|loads|loading|depends|needs|requires|relies|extends|inherits|wraps|wrapping|reuses|reusing)$/i
const plainUseVerb = /^(?:use|import|call|read|load|need|require|extend|wrap|reuse)$/i
const leadsToVerb = /^(?:to|that|which|and|must|should|will|can)$/i
const preposition = /^(?:from|of|for|with|like|against|on|via)$/i
/** Words that may come between a preposition and its path, or between two paths of a list. */
const link = /^(?:the|a|an|file|files|module|modules|and|or|its|both|code|existing)?$/i

/**
 * "Create `a.py` that uses `User` from `b.py`" creates only `a.py`. Paths after a verb of use, up to the next
 * sentence or verb of creation, exist already, and so do those directly after a word such as "from".
 */
function createdIn(line: string): readonly string[] {
  const found: string[] = []
  let isUsed = false
  let isAfterPreposition = false
  let before = ''
  for (const marked of line.split(/[\s,()]+/)) {
    const word = trimMarks(marked.replaceAll('`', ''))
    if (isPathWord(word)) {
      if (!isUsed && !isAfterPreposition) found.push(normalisePath(word))
    } else if (useVerb.test(word) || (plainUseVerb.test(word) && leadsToVerb.test(before))) {
      isUsed = true
    } else if (saysCreate(word) && !/ed$/i.test(word)) {
      isUsed = false
      isAfterPreposition = false
    } else if (preposition.test(word)) isAfterPreposition = true
    else if (!link.test(word)) isAfterPreposition = false
    if (/[.;]`?$/.test(marked)) {
      isUsed = false
      isAfterPreposition = false
    }
    before = word
  }
  return found
}

const packageFiles = /\/(?:index|__init__|mod)$/
const scriptExtension = /\.(?:[cm]?[jt]s|[jt]sx)$/
const pathAlias = /^(?:(?:\.{1,2}|@|~)\/+)+/

/**
 * Returns true when `reference`, in code or text, may mean the file: `./user`, `src/user.js` and `src.user` for
 * `src/user.js`, `crate::user` for `src/user.rs`, `app/user` for `app/user/index.ts`.
 */
export function namesFile(reference: string, path: string): boolean {
  const written = reference.replace(pathAlias, '')
  const names = [written, moduleName(written)].filter((name) => name !== '')
  const stem = path.replace(/\.[^./]+$/, '')
  const forms = [path, stem, stem.replace(packageFiles, '')]
  if (scriptExtension.test(path) && scriptExtension.test(written))
    names.push(written.replace(scriptExtension, ''))
  return (
    names.some((name) => forms.some((form) => form === name || form.endsWith(`/${name}`))) ||
    isGoPackage(written, path)
  )
}

// Module names with dots or colons, as in Python, Java and Rust.
function moduleName(written: string): string {
  if (written.includes('/')) return ''
  return written
    .replace(/^(?:crate|self|super)::/, '')
    .replaceAll('::', '/')
    .replace(/^\.+/, '')
    .replaceAll('.', '/')
}

function isGoPackage(written: string, path: string): boolean {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
  return path.endsWith('.go') && folder !== '' && `/${written}`.endsWith(`/${folder}`)
}
