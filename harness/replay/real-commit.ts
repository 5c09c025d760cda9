import { newFileMode } from '../../packages/change/change-set.ts'
import { isProtected } from '../../packages/judge/gate/protected-paths.ts'
import { isTestFile } from '../../packages/source/code/test-files.ts'
import type { FileChange } from '../answer.ts'

/** A commit that was made once, and is made again. */
export interface RealCommit {
  readonly sha: string
  readonly parent: string
  readonly subject: string
  readonly files: readonly FileChange[]
}

/** One file of a commit as git lists it: modes are six digits, zeros for no file. */
export interface ListedFile {
  readonly path: string
  readonly modeBefore: string
  readonly modeAfter: string
}

const mostFiles = 20
const noFile = '000000'
const source =
  /\.(?:[cm]?[jt]sx?|pyx?|go|rs|java|kts?|scala|groovy|cs|rb|php|swift|c|cc|cxx|cpp|h|hpp|vue|svelte|ex|exs|lua|sh)$/i

/** Why a commit with these files is passed over, before any of them is read; `null` when it is not. */
export function passOverFiles(files: readonly ListedFile[]): string | null {
  if (files.length > mostFiles) return `more than ${mostFiles} files`
  if (files.some(({ path }) => isProtected(path, open) !== null)) return 'a protected file'
  if (!files.some(({ path }) => source.test(path))) return 'no source'
  if (files.some(isNotText)) return 'a link, a submodule or a mode'
  return null
}

const open = { roadmap: 'ROADMAP.md', extra: [], allowed: [] }

/** What no answer can say: links, submodules, a file that becomes executable. */
function isNotText({ modeBefore, modeAfter }: ListedFile): boolean {
  if (modeAfter === noFile) return !modeBefore.startsWith('100')
  if (modeBefore === noFile) return !modeAfter.startsWith('100')
  return modeBefore !== modeAfter || !modeAfter.startsWith('100')
}

/** True for a new file whose mode its text does not say. */
export const isOddMode = (
  { modeBefore, modeAfter }: Omit<ListedFile, 'path'>,
  after: string | null,
): boolean => modeBefore === noFile && after !== null && modeAfter !== newFileMode(after)

/** The same, once its files are read; `null` stands for bytes that are no text. */
export function passOverTexts(files: readonly FileChange[] | null): string | null {
  if (files === null) return 'a file that is no text'
  if (!files.some(isTest)) return 'no tests'
  if (!files.some(isSource)) return 'no source'
  return null
}

const isTest = ({ path, before, after }: FileChange): boolean =>
  isTestFile(path, before ?? '', after ?? '')

/** A file that holds code that runs: in Rust, the tests may stand in it. */
const isSource = ({ path }: FileChange): boolean => source.test(path) && !isTestFile(path)

/** Source in which no test stands. */
export const isSourceAlone = (file: FileChange): boolean => isSource(file) && !isTest(file)
