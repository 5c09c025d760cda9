import { posix } from 'node:path'
import { isJavaScriptTest } from '../detect/detect-node.ts'
import { isPythonTest } from '../detect/detect-python.ts'
import { isInstalled } from '../detect/project-roots.ts'
import { dependencyTools } from '../prepare/dependency-tools.ts'

/** What tells a runner, beside what an installer reads. */
const settings =
  /^(?:setup\.cfg|tox\.ini|pytest\.ini|requirements[^/]*\.txt|Rakefile|CMakeLists\.txt|[^/]+\.(?:cs|fs|vb)proj|[Mm]akefile|GNUmakefile)$/

const isTelling = (name: string): boolean =>
  settings.test(name) ||
  dependencyTools.some(({ lock, reads }) => lock.test(name) || reads.includes(name))

/** Enough to tell the runners apart. */
const mostTests = 200

/** The paths whose text `detectSuites` and `planDependencies` look at. */
export function filesToRead(files: readonly string[]): readonly string[] {
  const known = files.filter((path) => isTelling(posix.basename(path)) && !isInstalled(path))
  const tests = [isJavaScriptTest, isPythonTest].flatMap((isTest) =>
    files.filter(isTest).slice(0, mostTests),
  )
  return [...new Set([...known, ...tests])]
}
