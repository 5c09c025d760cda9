import { posix } from 'node:path'
import {
  codeFile,
  declaresTest,
  importedFiles,
  isPlainTest,
  isTestFile,
} from '../../source/source.ts'
import { inScope, testFolder } from './check-scope.ts'

/**
 * Returns true for a new file that tests code of the scope, whatever it is called: no change is done without its test.
 * Its name is that of a test and of nothing that other tests load, it declares a test, and it reaches code of the scope:
 * by an import in JavaScript, TypeScript and Python, from the same folder in Go, by that or a file's name elsewhere.
 *
 * @param paths of the start commit and of the change
 */
export function testsScope(
  { path, content }: { readonly path: string; readonly content: string },
  scope: readonly string[],
  paths: ReadonlySet<string>,
): boolean {
  if (!isPlainTest(path) || !declaresTest(path, content)) return false
  const isTested = (other: string) =>
    codeFile.test(other) && !isTestFile(other) && inScope(other, scope)
  if (/\.(?:[cm]?[jt]sx?|pyi?)$/i.test(path)) {
    return importedFiles(path, content, (each) => paths.has(each)).some(
      (each) => isTested(each) || opensFolder(each, scope),
    )
  }
  const reaches = reachOf(path, content)
  return [...paths].some((each) => reaches(each) && isTested(each))
}

/** An index stands for the files in and below its folder. */
const opensFolder = (path: string, scope: readonly string[]): boolean =>
  /^(?:index|__init__)\.\w+$/.test(posix.basename(path)) &&
  scope.some((entry) => codeFile.test(entry) && isBelow(entry, posix.dirname(path)))

const isBelow = (path: string, folder: string): boolean =>
  folder === '.' || path.startsWith(`${folder}/`)

const plain = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '')

/** Tells files of the same folder, and those of the package around the test's folder that its text names. */
function reachOf(path: string, text: string): (other: string) => boolean {
  const own = posix.dirname(path)
  if (path.endsWith('.go')) return (other) => other.endsWith('.go') && posix.dirname(other) === own
  const folders = own.split('/')
  const at = folders.findIndex((folder) => testFolder.test(folder))
  const around = at > 0 ? folders.slice(0, at).join('/') : '.'
  const words = new Set((text.match(/[\p{L}\p{N}_]+/gu) ?? []).map(plain))
  return (other) =>
    posix.dirname(other) === own ||
    (isBelow(other, around) &&
      (/(?:^|\/)(?:lib|main|mod)\.rs$/.test(other) || words.has(plain(posix.parse(other).name))))
}
