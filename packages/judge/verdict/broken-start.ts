import { isTestFile } from '../../source/source.ts'
import { type ChangedTree, timesIn } from '../compare/find-unrun.ts'
import { identity } from '../compare/read-outcome.ts'
import type { Scope } from '../judging.ts'
import { missingModules } from '../prepare/missing-module.ts'
import type { TestFailure, TestReport } from '../results/test-report.ts'

/** `./cart/total.js` names `total`; `shop.total` is one of Python's modules. */
const fileEnding = /\.(?:[cm]?[jt]sx?|json|vue|svelte|h|hh|hpp)$/

/**
 * Finds the red tests that cannot be loaded, neither with the change nor without it, because code beside the tests that
 * the change leaves alone imports a module which is not there: one that a build generates, for example. None where the
 * task names that module, which it may ask for.
 */
export function findBrokenStart(
  red: readonly TestFailure[],
  before: TestReport | null,
  { title, details, files }: Scope,
  { changes }: Pick<ChangedTree, 'changes'>,
): readonly TestFailure[] {
  const failures = before?.commands.flatMap((command) => command.failures) ?? []
  const was = new Map(failures.map((each) => [identity(each), each.message]))
  const words = [title, details, ...files].join('\n')
  return red.filter((failure) => {
    const [innermost = ''] = failure.trace
    const path = innermost.replace(/:\d+$/, '')
    const [missing] = missingModules([failure], [])
    if (missing === undefined || path === '' || isTestFile(path)) return false
    const name =
      missing.specifier
        .replace(fileEnding, '')
        .split(/[./:\\]/)
        .at(-1) ?? ''
    const isLeftAlone = changes.every((change) => change.path !== path)
    return (
      isLeftAlone && timesIn(words, name) === 0 && was.get(identity(failure)) === failure.message
    )
  })
}
