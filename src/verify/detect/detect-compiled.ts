import { posix } from 'node:path'
import { parse } from 'smol-toml'
import { z } from 'zod'
import { isOwn, isWithin, outermost, ownFiles, rootsOf } from './project-roots.ts'
import { gradleReports, surefireReports } from './report-places.ts'
import { gathering, ifOffline, keeping, whereFound } from './shell-lines.ts'
import { displayIn, type RepositoryFiles, type Suite, toSuite } from './suite.ts'

type Report = (extension: string) => string

/** Go, Rust, Java and its kin, .NET and CMake: one suite for each project that stands alone. */
export function detectCompiledSuites(
  repository: RepositoryFiles,
  report: Report,
): readonly Suite[] {
  return [
    ...goSuites(repository, report),
    ...cargoSuites(repository),
    ...javaSuites(repository, report),
    ...dotnetSuites(repository, report),
    ...ctestSuites(repository, report),
  ]
}

/** Each module is a world of its own, also where a go.work joins them. */
function goSuites({ files }: RepositoryFiles, report: Report): readonly Suite[] {
  const roots = rootsOf(files, /^go\.mod$/)
  const tests = files.filter((path) => path.endsWith('_test.go') && isOwn(path))
  return roots
    .filter((root) => ownFiles(tests, root, roots).length > 0)
    .map((directory) => {
      const display = displayIn(directory, 'go test ./...')
      const file = report('report')
      const command = { shell: keeping('go test -json ./... 2>&1', file) }
      const collect = [posix.join(directory, file)]
      const given = { command, display, directory, collect, needs: ['go'] }
      return toSuite({ ...given, runner: 'go' })
    })
}

const cargoManifest = z.object({
  package: z.unknown().optional(),
  workspace: z
    .object({ exclude: z.array(z.string()).catch([]) })
    .optional()
    .catch(undefined),
})

/** A workspace runs its members; what it excludes stands alone. */
function cargoSuites(repository: RepositoryFiles): readonly Suite[] {
  const roots = rootsOf(repository.files, /^Cargo\.toml$/)
  const known = roots.map((root) => ({ root, ...readCargo(repository, root) }))
  const workspaces = known.filter(({ workspace }) => workspace !== undefined)
  const isMember = (root: string) =>
    workspaces.some(
      (other) =>
        other.root !== root &&
        isWithin(root, other.root) &&
        !other.workspace?.exclude.some((path) => isWithin(root, posix.join(other.root, path))),
    )
  const sources = repository.files.filter((path) => path.endsWith('.rs') && isOwn(path))
  return known
    .filter(({ root }) => !isMember(root) && sources.some((path) => isWithin(path, root)))
    .map((found) => {
      const isBoth = found.workspace !== undefined && found.package !== undefined
      const line = isBoth ? 'cargo test --workspace' : 'cargo test'
      return toSuite({
        runner: 'cargo',
        command: { shell: `${line} --no-fail-fast ${ifOffline('--offline')}` },
        directory: found.root,
        display: displayIn(found.root, line),
        needs: ['cargo'],
      })
    })
}

function readCargo(repository: RepositoryFiles, root: string): z.infer<typeof cargoManifest> {
  try {
    return cargoManifest.parse(parse(repository.read(posix.join(root, 'Cargo.toml')) ?? ''))
  } catch {
    return {}
  }
}

/** A wrapper would load its own Maven from the network: an installed one goes first. */
function javaSuites({ files }: RepositoryFiles, report: Report): readonly Suite[] {
  const roots = rootsOf(files, /^(?:pom\.xml|build\.gradle(?:\.kts)?|settings\.gradle(?:\.kts)?)$/)
  const has = (directory: string, ...names: string[]) =>
    names.some((name) => files.includes(posix.join(directory, name)))
  return outermost(roots)
    .filter((root) => files.some((path) => isWithin(path, root) && isJavaTest(path)))
    .map((directory) => {
      const file = report('xml')
      const isMaven =
        has(directory, 'pom.xml') && (has(directory, 'mvnw') || !has(directory, 'gradlew'))
      const isWrapped = has(directory, isMaven ? 'mvnw' : 'gradlew')
      const program = isMaven ? 'mvn' : 'gradle'
      const wrapper = isMaven ? 'sh ./mvnw' : 'sh ./gradlew'
      const flags = isMaven
        ? `-B -q --fail-at-end ${ifOffline('-o')} test`
        : `test --continue --console=plain --no-daemon ${ifOffline('--offline')}`
      const plain = `${program} ${flags}`
      const line = !isWrapped
        ? plain
        : isMaven
          ? whereFound(program, plain, `${wrapper} ${flags}`)
          : `${wrapper} ${flags}`
      const display = displayIn(directory, `${isWrapped ? `./${program}w` : program} test`)
      return toSuite({
        runner: 'junit',
        command: { shell: gathering(line, isMaven ? surefireReports : gradleReports, file) },
        directory,
        display,
        collect: [posix.join(directory, file)],
        needs: isWrapped ? ['java'] : [program],
      })
    })
}

const isJavaTest = (path: string): boolean =>
  /(?:^|\/)src\/\w*[tT]est\w*\/.*\.(?:java|kt|groovy|scala)$/.test(path)

/** A solution runs its projects; without one each test project stands alone. */
function dotnetSuites(repository: RepositoryFiles, report: Report): readonly Suite[] {
  const { files } = repository
  const projects = files.filter((path) => /\.(?:cs|fs|vb)proj$/.test(path) && isOwn(path))
  const tests = projects.filter((path) =>
    /Microsoft\.NET\.Test\.Sdk|<IsTestProject>\s*true/.test(repository.read(path) ?? ''),
  )
  const solutions = outermost(rootsOf(files, /\.slnx?$/))
  const alone = tests
    .map((path) => posix.dirname(path))
    .filter((directory) => !solutions.some((root) => isWithin(directory, root)))
  const roots = solutions.filter((root) => tests.some((path) => isWithin(path, root)))
  return [...roots, ...new Set(alone)].map((directory) => {
    const file = report('xml')
    const display = displayIn(directory, 'dotnet test')
    const line = 'dotnet test --nologo --logger trx --results-directory .executor-trx'
    return toSuite({
      runner: 'dotnet',
      command: { shell: gathering(line, '*/.executor-trx/*.trx', file) },
      directory,
      display,
      env: { DOTNET_CLI_TELEMETRY_OPTOUT: '1', DOTNET_NOLOGO: '1' },
      collect: [posix.join(directory, file)],
      needs: ['dotnet'],
    })
  })
}

const buildFolder = '.executor-build'

/** A CMake project that declares tests. */
function ctestSuites(repository: RepositoryFiles, report: Report): readonly Suite[] {
  const roots = outermost(rootsOf(repository.files, /^CMakeLists\.txt$/))
  const declares = (root: string) =>
    /^\s*(?:enable_testing\s*\(|include\s*\(\s*CTest\b)/im.test(
      repository.read(posix.join(root, 'CMakeLists.txt')) ?? '',
    )
  return roots.filter(declares).map((directory) => {
    const file = report('xml')
    const steps = [
      `cmake -S . -B ${buildFolder}`,
      `cmake --build ${buildFolder} --parallel "$(nproc 2>/dev/null || echo 2)"`,
      `ctest --test-dir ${buildFolder} --output-on-failure --output-junit "$PWD/${file}"`,
    ]
    const display = displayIn(directory, 'ctest')
    return toSuite({
      runner: 'junit',
      command: { shell: steps.join(' && ') },
      directory,
      display,
      collect: [posix.join(directory, file)],
      needs: ['cmake', 'ctest'],
    })
  })
}
