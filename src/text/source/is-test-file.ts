import { posix } from 'node:path'

const named =
  /^(?:test_.*|conftest)\.pyi?$|[._-](?:tests?|specs?)\.\w+$|[._-](?:e2e|cy)\.[cm]?[jt]sx?$|(?:Tests?|Spec|TestCase|IT)\.(?:java|kts?|cs|swift|php|scala|groovy|cpp|cc)$|^tests?(?:[-_.A-Z\d][^/]*)?\.[cm]?[jt]sx?$|^test[^/]*\.(?:py|c|cc|cpp|rb|php)$|\.bats$/
const folder = /(?:^|\/)(?:tests?|__tests__|specs?|e2e|testing|cypress|unit|integration)\//i
/** What may hold code of a language that we know tests of. */
export const codeFile =
  /\.(?:[cm]?[jt]sx?|pyi?|go|rs|java|kts?|scala|groovy|cs|rb|php|swift|c|cc|cxx|cpp|h|hpp|bats)$/i

/**
 * A file whose tests or assertions count, or may take over those of another.
 *
 * @param texts of the file, before or after a change: Rust's unit tests stand beside the code
 */
export function isTestFile(path: string, ...texts: readonly string[]): boolean {
  if (!codeFile.test(path) || /(?:^|\/)(?:node_modules|vendor|dist|build)\//.test(path))
    return false
  if (named.test(posix.basename(path)) || folder.test(path)) return true
  return path.endsWith('.rs') && texts.some((text) => text.includes('#[test]'))
}
