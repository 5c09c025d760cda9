import { posix } from 'node:path'
import { isJavaScriptTest } from '../detect/detect-node.ts'
import { isPythonTest } from '../detect/detect-python.ts'

const manifests =
  /^(?:package\.json|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|pnpm-workspace\.yaml|yarn\.lock|bun\.lockb?|\.yarnrc\.yml|bunfig\.toml|pyproject\.toml|setup\.cfg|tox\.ini|pytest\.ini|requirements[^/]*\.txt|uv\.lock|poetry\.lock|go\.(?:mod|sum)|Cargo\.(?:toml|lock)|pom\.xml|Gemfile(?:\.lock)?|Rakefile|CMakeLists\.txt|[^/]+\.(?:cs|fs|vb)proj|composer\.(?:json|lock)|[Mm]akefile|GNUmakefile)$/
const outside = /(?:^|\/)(?:node_modules|site-packages|vendor)\//

/** Enough to tell the runners apart. */
const mostTests = 200

/** The paths whose text `detectSuites` and `planDependencies` look at. */
export function filesToRead(files: readonly string[]): readonly string[] {
  const known = files.filter((path) => manifests.test(posix.basename(path)) && !outside.test(path))
  const tests = [isJavaScriptTest, isPythonTest].flatMap((isTest) =>
    files.filter(isTest).slice(0, mostTests),
  )
  return [...new Set([...known, ...tests])]
}
