import { posix } from 'node:path'
import { parse } from 'smol-toml'
import { z } from 'zod'
import { isOwn } from '../../source/source.ts'
import { mostListedFiles } from './detect-node.ts'
import {
  gathering,
  gradleReports,
  keeping,
  phpunitFlags,
  rspecFlags,
  surefireReports,
} from './report-line.ts'
import {
  isWithin,
  type NameReport,
  outermost,
  ownFiles,
  type RepositoryFiles,
  rootsOf,
  type Suite,
  suiteIn,
  withTop,
} from './suite.ts'

type Detect = (repository: RepositoryFiles, report: NameReport) => readonly Suite[]

/** Expands to the flag in a sandbox whose only network is its loopback, elsewhere to nothing. */
const ifOffline = (flag: string): string =>
  `$(test -r /proc/net/dev && ! grep -v -e '|' -e '^ *lo:' /proc/net/dev | grep -q : && echo ${flag})`

/** Each module is tested separately, also when a go.work joins them. */
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
  package: z.object({ name: z.string() }).partial().optional(),
  workspace: z
    .object({ exclude: z.array(z.string()).catch([]) })
    .optional()
    .catch(undefined),
})

/** A workspace tests its members; an excluded package is tested separately. */
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
      const own = known.filter(({ root }) => isWithin(root, found.root))
      const command = { shell: cargoScript(line, cargoParts(own, sources)) }
      return suiteIn(found.root, line, { runner: 'cargo', command, needs: ['cargo'] })
    })
}

/** For each package, its programs that hold tests, as options of `cargo test`. */
function cargoParts(
  packages: readonly ({ readonly root: string } & z.infer<typeof cargoManifest>)[],
  sources: readonly string[],
): readonly string[] {
  const roots = packages.map(({ root }) => root)
  return packages.flatMap(({ root, package: { name = '' } = {} }) => {
    const programs = ownFiles(sources, root, roots).flatMap((path) => {
      const inside = posix.relative(root, path)
      const [, test] = /^tests\/([\w-]+)(?:\/main)?\.rs$/.exec(inside) ?? []
      if (test !== undefined) return [`--test ${test}`]
      if (inside === 'src/lib.rs') return ['--lib', '--doc']
      return /^src\/(?:main|bin\/.*)\.rs$/.test(inside) ? ['--bins'] : []
    })
    return /^[\w-]+$/.test(name) ? [...new Set(programs)].map((each) => `-p ${name} ${each}`) : []
  })
}

/** Each of more programs would tell the same error of a crate that they need, and take its time. */
const mostParts = 40

/**
 * Runs one program after the other where they do not all compile: cargo runs none of them then. A toolchain or a
 * dependency that is missing stops all of them alike. The last line is the plain command.
 */
function cargoScript(line: string, parts: readonly string[]): string {
  const offline = ifOffline('--offline')
  const plain = `${line} --no-fail-fast ${offline}`
  if (parts.length < 2 || parts.length > mostParts) return plain
  const words = parts.map((part) => `'${part}'`).join(' ')
  return `${line} --no-run ${offline}; built=$?
if [ $built -ne 0 ]; then
cargo metadata --format-version 1 ${offline} >/dev/null 2>&1 || exit $built
for part in ${words}; do cargo test --no-fail-fast $part ${offline}; done
exit $built
fi
${plain}`
}

function readCargo(repository: RepositoryFiles, root: string): z.infer<typeof cargoManifest> {
  try {
    return cargoManifest.parse(parse(repository.read(posix.join(root, 'Cargo.toml')) ?? ''))
  } catch {
    return {}
  }
}

/**
 * Maven comes before Gradle, whose packages are not installed before the tests. An installed Maven comes first: a
 * wrapper would download its own.
 */
const javaSuites: Detect = ({ files }, report) => {
  const roots = rootsOf(files, /^(?:pom\.xml|(?:build|settings)\.gradle(?:\.kts)?)$/)
  return outermost(roots)
    .filter((root) => files.some((path) => isWithin(path, root) && isJavaTest(path)))
    .map((root) => {
      const has = (name: string) => files.includes(posix.join(root, name))
      const isMaven = has('pom.xml')
      const program = isMaven ? 'mvn' : 'gradle'
      const isWrapped = has(`${program}w`)
      const flags = isMaven
        ? `-B -q --fail-at-end ${mavenTest()}`
        : `test --continue --console=plain --no-daemon ${ifOffline('--offline')}`
      const [plain, wrapped] = [`${program} ${flags}`, `sh ./${program}w ${flags}`]
      const own = isMaven
        ? `if command -v mvn >/dev/null 2>&1; then ${plain}; else ${wrapped}; fi`
        : wrapped
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

/** The end of Maven's line, which runs all tests or these classes: no other module of the project has them. */
const mavenTest = (classes: readonly string[] = []): string => {
  const chosen = `-Dtest=${classes.join(',')} -DfailIfNoTests=false -Dsurefire.failIfNoSpecifiedTests=false `
  return `${ifOffline('-o')} ${classes.length === 0 ? '' : chosen}test`
}

/** Narrows a suite of Maven to these classes; `null` for another suite. */
export function onClasses({ command }: Suite, classes: readonly string[]): string | null {
  const shell = 'shell' in command ? command.shell : ''
  const narrowed = shell.replaceAll(mavenTest(), () => mavenTest(classes))
  return narrowed === shell ? null : narrowed
}

const isJavaTest = (path: string): boolean =>
  /(?:^|\/)src\/\w*[tT]est\w*\/.*\.(?:java|kt|groovy|scala)$/.test(path)

/** A solution runs its projects; without one, each test project is a suite. */
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

/** Detects CMake projects that declare tests. */
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

/** Uses Bundler when the bundle's gems are installed, else the system's gems. */
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
  // What a person would type for one file, or for all.
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

/** Each makes one suite for each standalone project. */
export const languageSuites: readonly Detect[] = [
  ...[goSuites, cargoSuites, javaSuites, dotnetSuites, ctestSuites, rubySuites, phpSuites],
]

const names = ['GNUmakefile', 'makefile', 'Makefile']
const targets = ['test', 'check']

/** The last resort: a Makefile with a `test` or `check` target. */
export function detectMakeSuite(repository: RepositoryFiles): readonly Suite[] {
  const text = names.map((path) => repository.read(path)).find((found) => found !== undefined)
  const known = makeTargets(text ?? '')
  const target = targets.find((name) => known.has(name))
  if (target === undefined) return []
  const command = { argv: ['make', '--keep-going', target] }
  return [suiteIn('.', `make ${target}`, { runner: 'command', command, needs: ['make'] })]
}

/**
 * Finds the targets of a Makefile that have a recipe or prerequisites. Ignores names in recipes,
 * comments, `define` blocks, variables and `.PHONY` lists.
 */
export function makeTargets(text: string): ReadonlySet<string> {
  const found = new Set<string>()
  const lines = text.replaceAll('\r\n', '\n').replaceAll('\\\n', ' ').split('\n')
  let isDefinition = false
  for (const [index, line] of lines.entries()) {
    if (/^\s*endef\b/.test(line)) isDefinition = false
    else if (/^\s*define\b/.test(line)) isDefinition = true
    if (isDefinition || line.startsWith('\t')) continue
    const rule = readRule(line.replace(/(?:^|\s)#.*$/, ''))
    if (rule === null) continue
    if (!rule.isFilled && !hasRecipe(lines, index)) continue
    for (const name of rule.names) if (/^[^.]/.test(name)) found.add(name)
  }
  return found
}

/** A tab starts the first line after the rule that is neither empty nor a comment. */
function hasRecipe(lines: readonly string[], rule: number): boolean {
  let next = rule + 1
  while (next < lines.length && /^\s*(?:#.*)?$/.test(lines[next] ?? '')) next += 1
  return lines[next]?.startsWith('\t') === true
}

interface Rule {
  readonly names: readonly string[]
  /** It has prerequisites, or a recipe on its own line. */
  readonly isFilled: boolean
}

/** Reads `test check: all | out ; echo` and `test::`, but not `A := b` or `test: CFLAGS = -g`. */
function readRule(line: string): Rule | null {
  const colon = line.indexOf(':')
  if (colon <= 0 || /[=?+!]/.test(line.slice(0, colon))) return null
  const rest = line.slice(colon + 1).replace(/^:(?!:?=)/, '')
  if (/^:{0,2}=/.test(rest)) return null
  const [prerequisites = '', recipe] = rest.split(';', 2)
  if (/^\s*(?:(?:export|private|override)\s+)*[\w.-]+\s*(?:[?+!]|:{1,3})?=/.test(prerequisites)) {
    return null
  }
  const names = line.slice(0, colon).trim().split(/\s+/)
  return { names, isFilled: prerequisites.trim() !== '' || (recipe ?? '').trim() !== '' }
}
