import { posix } from 'node:path'
import { parse } from 'smol-toml'
import { z } from 'zod'
import { isOwn, isWithin, outermost, ownFiles, rootsOf, withTop } from './project-roots.ts'
import { phpunitFlags, rspecFlags } from './report-line.ts'
import {
  gathering,
  gradleReports,
  ifOffline,
  keeping,
  surefireReports,
  whereFound,
} from './shell-lines.ts'
import { type NameReport, type RepositoryFiles, type Suite, suiteIn } from './suite.ts'

type Detect = (repository: RepositoryFiles, report: NameReport) => readonly Suite[]

/** More are left to a pattern of the project's own: a command line has an end. */
const mostListedFiles = 200

/** Each module is a world of its own, also where a go.work joins them. */
const goSuites: Detect = ({ files }, report) => {
  const roots = rootsOf(files, /^go\.mod$/)
  const tests = files.filter((path) => path.endsWith('_test.go') && isOwn(path))
  return roots
    .filter((root) => ownFiles(tests, root, roots).length > 0)
    .map((root) => {
      const file = report('report')
      const command = { shell: keeping('go test -json ./... 2>&1', file) }
      return suiteIn(root, 'go test ./...', { runner: 'go', command, report: file, needs: ['go'] })
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
const cargoSuites: Detect = (repository) => {
  const roots = rootsOf(repository.files, /^Cargo\.toml$/)
  const known = roots.map((root) => ({ root, ...readCargo(repository, root) }))
  const isMember = (root: string) =>
    known.some(
      ({ root: other, workspace }) =>
        workspace !== undefined &&
        other !== root &&
        isWithin(root, other) &&
        !workspace.exclude.some((path) => isWithin(root, posix.join(other, path))),
    )
  const sources = repository.files.filter((path) => path.endsWith('.rs') && isOwn(path))
  return known
    .filter(({ root }) => !isMember(root) && sources.some((path) => isWithin(path, root)))
    .map((found) => {
      const isBoth = found.workspace !== undefined && found.package !== undefined
      const line = isBoth ? 'cargo test --workspace' : 'cargo test'
      const command = { shell: `${line} --no-fail-fast ${ifOffline('--offline')}` }
      return suiteIn(found.root, line, { runner: 'cargo', command, needs: ['cargo'] })
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
const javaSuites: Detect = ({ files }, report) => {
  const roots = rootsOf(files, /^(?:pom\.xml|(?:build|settings)\.gradle(?:\.kts)?)$/)
  return outermost(roots)
    .filter((root) => files.some((path) => isWithin(path, root) && isJavaTest(path)))
    .map((root) => {
      const has = (name: string) => files.includes(posix.join(root, name))
      const isMaven = has('pom.xml') && (has('mvnw') || !has('gradlew'))
      const program = isMaven ? 'mvn' : 'gradle'
      const isWrapped = has(`${program}w`)
      const flags = isMaven
        ? `-B -q --fail-at-end ${ifOffline('-o')} test`
        : `test --continue --console=plain --no-daemon ${ifOffline('--offline')}`
      const [plain, wrapped] = [`${program} ${flags}`, `sh ./${program}w ${flags}`]
      const own = isMaven ? whereFound(program, plain, wrapped) : wrapped
      const file = report('xml')
      const reports = isMaven ? surefireReports : gradleReports
      return suiteIn(root, `${isWrapped ? `./${program}w` : program} test`, {
        runner: 'junit',
        command: { shell: gathering(isWrapped ? own : plain, reports, file) },
        report: file,
        needs: isWrapped ? ['java'] : [program],
      })
    })
}

const isJavaTest = (path: string): boolean =>
  /(?:^|\/)src\/\w*[tT]est\w*\/.*\.(?:java|kt|groovy|scala)$/.test(path)

/** A solution runs its projects; without one each test project stands alone. */
const dotnetSuites: Detect = ({ files, read }, report) => {
  const projects = files.filter((path) => /\.(?:cs|fs|vb)proj$/.test(path) && isOwn(path))
  const tests = projects.filter((path) =>
    /Microsoft\.NET\.Test\.Sdk|<IsTestProject>\s*true/.test(read(path) ?? ''),
  )
  const solutions = outermost(rootsOf(files, /\.slnx?$/))
  const roots = solutions.filter((root) => tests.some((path) => isWithin(path, root)))
  const alone = tests
    .map((path) => posix.dirname(path))
    .filter((directory) => !solutions.some((root) => isWithin(directory, root)))
  return [...roots, ...new Set(alone)].map((root) => {
    const file = report('xml')
    const line = 'dotnet test --nologo --logger trx --results-directory .executor-trx'
    return suiteIn(root, 'dotnet test', {
      runner: 'dotnet',
      command: { shell: gathering(line, '*/.executor-trx/*.trx', file) },
      env: { DOTNET_CLI_TELEMETRY_OPTOUT: '1', DOTNET_NOLOGO: '1' },
      report: file,
      needs: ['dotnet'],
    })
  })
}

const buildFolder = '.executor-build'

/** A CMake project that declares tests. */
const ctestSuites: Detect = ({ files, read }, report) => {
  const declares = (root: string) =>
    /^\s*(?:enable_testing\s*\(|include\s*\(\s*CTest\b)/im.test(
      read(posix.join(root, 'CMakeLists.txt')) ?? '',
    )
  const roots = outermost(rootsOf(files, /^CMakeLists\.txt$/))
  return roots.filter(declares).map((root) => {
    const file = report('xml')
    const steps = [
      `cmake -S . -B ${buildFolder}`,
      `cmake --build ${buildFolder} --parallel "$(nproc 2>/dev/null || echo 2)"`,
      `ctest --test-dir ${buildFolder} --output-on-failure --output-junit "$PWD/${file}"`,
    ]
    const command = { shell: steps.join(' && ') }
    const needs = ['cmake', 'ctest']
    return suiteIn(root, 'ctest', { runner: 'junit', command, report: file, needs })
  })
}

const rubySpec = /(?:^|\/)spec\/.*_spec\.rb$/
const rubyTest = /(?:^|\/)test\/(?:.*_test|(?:.*\/)?test_(?!helper\b)[^/]*)\.rb$/

const rubySuites: Detect = (repository, report) => {
  const { files } = repository
  const tests = files.filter((path) => (rubySpec.test(path) || rubyTest.test(path)) && isOwn(path))
  const roots = withTop(rootsOf(files, /^(?:Gemfile|Rakefile|[^/]+\.gemspec)$/))
  return roots.flatMap((root) => {
    const own = ownFiles(tests, root, roots).map((path) => posix.relative(root, path))
    const plain = own.filter((path) => rubyTest.test(path))
    return [
      ...(own.some((path) => rubySpec.test(path)) ? [rspecSuite(repository, root, report)] : []),
      ...(plain.length === 0 ? [] : [minitestSuite(repository, root, plain)]),
    ]
  })
}

/** Bundler is asked where it has the gems; else those of the system serve. */
const inBundle = (hasGemfile: boolean, line: string): string =>
  hasGemfile ? `if bundle check >/dev/null 2>&1; then bundle exec ${line}; else ${line}; fi` : line

function rspecSuite({ files }: RepositoryFiles, root: string, report: NameReport): Suite {
  const hasGemfile = files.includes(posix.join(root, 'Gemfile'))
  const file = report('json')
  const shell = inBundle(hasGemfile, ['rspec', ...rspecFlags(file)].join(' '))
  const given = { runner: 'rspec', command: { shell }, report: file, needs: ['ruby'] } as const
  return suiteIn(root, hasGemfile ? 'bundle exec rspec' : 'rspec', given)
}

function minitestSuite(
  { files, read }: RepositoryFiles,
  root: string,
  tests: readonly string[],
): Suite {
  const has = (name: string) => files.includes(posix.join(root, name))
  const suite = (line: string, command: Suite['command']) =>
    suiteIn(root, line, { runner: 'minitest', command, needs: ['ruby'] })
  if (has('bin/rails')) return suite('bin/rails test', { shell: 'ruby bin/rails test' })
  const rakefile = read(posix.join(root, 'Rakefile')) ?? ''
  const isRake = /\bTestTask\.(?:new|create)\b|^\s*task:?\s*\(?:?["']?test\b/m.test(rakefile)
  if (isRake || tests.length > mostListedFiles) {
    return suite('rake test', { shell: inBundle(has('Gemfile'), 'rake test') })
  }
  const load = 'ARGV.each { |file| require file }'
  // As a person would write it for one file, or for all.
  const pattern = tests.length === 1 ? tests[0] : 'test/**/*.rb'
  return suite(`ruby -Ilib -Itest ${pattern}`, {
    argv: ['ruby', '-Ilib', '-Itest', '-e', load, ...tests.map((path) => `./${path}`)],
  })
}

const phpTest = /(?:^|\/)[tT]ests?\/.*Test\.php$/

const phpSuites: Detect = ({ files, read }, report) => {
  const tests = files.filter((path) => phpTest.test(path) && isOwn(path))
  const roots = withTop(rootsOf(files, /^(?:composer\.json|phpunit\.xml(?:\.dist)?)$/))
  return roots.flatMap((root) => {
    const [first] = ownFiles(tests, root, roots).map((path) => posix.relative(root, path))
    if (first === undefined) return []
    const has = (name: string) => files.includes(posix.join(root, name))
    const isConfigured = has('phpunit.xml') || has('phpunit.xml.dist')
    const [folder = 'tests'] = first.split('/', 1)
    const bootstrap = '$(test -f vendor/autoload.php && echo --bootstrap vendor/autoload.php)'
    const file = report('xml')
    const rest = [...phpunitFlags(file), ...(isConfigured ? [] : [bootstrap, folder])].join(' ')
    const manifest = read(posix.join(root, 'composer.json')) ?? ''
    const plain = /phpunit\/phpunit/.test(manifest) ? 'vendor/bin/phpunit' : 'phpunit'
    const installed = 'if test -f vendor/bin/phpunit; then php vendor/bin/phpunit'
    return suiteIn(root, isConfigured ? plain : `${plain} ${folder}`, {
      runner: 'junit',
      command: { shell: `${installed} ${rest}; else phpunit ${rest}; fi` },
      report: file,
      needs: ['php'],
    })
  })
}

/** One suite for each project that stands alone. */
export const languageSuites: readonly Detect[] = [
  ...[goSuites, cargoSuites, javaSuites, dotnetSuites, ctestSuites, rubySuites, phpSuites],
]
