/** The calls of a test, as a program that no test runner starts: nothing in it shows the code that it is tested. */
import { maskText } from '../../source/source.ts'
import { parsedCalls } from './parsed-calls.ts'
import type { PlainCalls, PlainNames, TestInTree } from './plain-call.ts'
import { testModules } from './rust-tests.ts'
import { goCalls, rustCalls } from './typed-calls.ts'

/** What a test sets up outside of the call decides what it returns, and a skipped test expects nothing. */
const sets =
  /mock|patch|stub|spy|fake|environ|fixture|freeze|travel|nock|override|settings|timers|SystemTime|Setenv|set_var|chdir|skip|xfail|\b(?:before|after)(?:Each|All)?\b|set_?up|process\.env|TestMain|GOOS|#\[ignore/i

/**
 * Writes the program for a test file: of calls whose arguments and expected values are written out. `null` where there is
 * none, where the file prepares something for them, and in languages other than JavaScript, TypeScript, Python, Go and
 * Rust.
 */
export async function writePlainCalls(
  test: TestInTree,
  names: PlainNames,
): Promise<PlainCalls | null> {
  const { path } = test
  const isPython = path.endsWith('.py')
  if (sets.test(maskText(preparing(test), isPython ? 'python' : 'script'))) return null
  if (path.endsWith('_test.go')) return goCalls(test, names)
  if (path.endsWith('.rs')) return rustCalls(test, names)
  return isPython || /\.[cm]?[jt]s$/.test(path) ? parsedCalls(test, names) : null
}

/** The text that could prepare something for the calls: beside unit tests of Rust stands the code that they test. */
function preparing({ path, text }: Pick<TestInTree, 'path' | 'text'>): string {
  const modules = path.endsWith('.rs') ? testModules(text) : []
  return modules.length === 0
    ? text
    : modules.map(([start, end]) => text.slice(start, end)).join('\n')
}
