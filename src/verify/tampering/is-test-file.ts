import { posix } from 'node:path'

const named =
  /^(?:test_.*|conftest)\.pyi?$|[._-](?:test|tests|spec|specs|e2e|cy)\.[cm]?[jt]sx?$|_(?:test|tests|spec)\.\w+$|(?:Tests?|Spec|TestCase|IT)\.(?:java|kts?|cs|swift|php|scala|groovy|cpp|cc)$|^test[-_]?[^/]*\.(?:[cm]?[jt]sx?|py|c|cc|cpp|rb|php)$|\.bats$/
const folder = /(?:^|\/)(?:tests?|__tests__|specs?|e2e|testing|cypress|unit|integration)\//i
/** What may hold code of a language that we know tests of. */
export const code =
  /\.(?:[cm]?[jt]sx?|pyi?|go|rs|java|kts?|scala|groovy|cs|rb|php|swift|c|cc|cxx|cpp|h|hpp|bats)$/i

/** A file whose tests or assertions count, or may take over those of another. */
export function isTestFile(path: string, texts: readonly (string | undefined)[]): boolean {
  if (!code.test(path) || /(?:^|\/)(?:node_modules|vendor|dist|build)\//.test(path)) return false
  if (named.test(posix.basename(path)) || folder.test(path)) return true
  // Rust's unit tests stand beside the code.
  return path.endsWith('.rs') && texts.some((text) => text?.includes('#[test]') === true)
}
