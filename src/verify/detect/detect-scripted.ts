import { posix } from 'node:path'
import { isOwn, ownFiles, rootsOf } from './project-roots.ts'
import { phpunitFlags, rspecFlags } from './report-line.ts'
import { displayIn, type RepositoryFiles, type Suite, toSuite } from './suite.ts'

type Report = (extension: string) => string

/** Ruby and PHP. */
export function detectScriptedSuites(
  repository: RepositoryFiles,
  report: Report,
): readonly Suite[] {
  return [...rubySuites(repository, report), ...phpSuites(repository, report)]
}

const rubySpec = /(?:^|\/)spec\/.*_spec\.rb$/
const rubyTest = /(?:^|\/)test\/(?:.*_test|(?:.*\/)?test_(?!helper\b)[^/]*)\.rb$/
/** More are left to a pattern of the project's own: a command line has an end. */
const mostListedFiles = 200

function rubySuites(repository: RepositoryFiles, report: Report): readonly Suite[] {
  const { files } = repository
  const tests = files.filter((path) => (rubySpec.test(path) || rubyTest.test(path)) && isOwn(path))
  const roots = withRoot(rootsOf(files, /^(?:Gemfile|Rakefile|[^/]+\.gemspec)$/))
  return roots.flatMap((root) => {
    const own = ownFiles(tests, root, roots).map((path) => posix.relative(root, path))
    return [
      ...(own.some((path) => rubySpec.test(path)) ? [rspecSuite(repository, root, report)] : []),
      ...minitestSuites(
        repository,
        root,
        own.filter((path) => rubyTest.test(path)),
      ),
    ]
  })
}

const withRoot = (roots: readonly string[]): readonly string[] =>
  roots.includes('.') ? roots : ['.', ...roots]

/** Bundler is asked where it has the gems; else those of the system serve. */
function inBundle(hasGemfile: boolean, line: string): string {
  return hasGemfile
    ? `if bundle check >/dev/null 2>&1; then bundle exec ${line}; else ${line}; fi`
    : line
}

function rspecSuite(repository: RepositoryFiles, directory: string, report: Report): Suite {
  const hasGemfile = repository.files.includes(posix.join(directory, 'Gemfile'))
  const file = report('json')
  const display = displayIn(directory, hasGemfile ? 'bundle exec rspec' : 'rspec')
  return toSuite({
    runner: 'rspec',
    command: { shell: inBundle(hasGemfile, ['rspec', ...rspecFlags(file)].join(' ')) },
    directory,
    display,
    collect: [posix.join(directory, file)],
    needs: ['ruby'],
  })
}

function minitestSuites(
  repository: RepositoryFiles,
  directory: string,
  tests: readonly string[],
): readonly Suite[] {
  if (tests.length === 0) return []
  const has = (name: string) => repository.files.includes(posix.join(directory, name))
  const rakefile = repository.read(posix.join(directory, 'Rakefile')) ?? ''
  const isRake = /\bTestTask\.(?:new|create)\b|^\s*task:?\s*\(?:?["']?test\b/m.test(rakefile)
  const given = { runner: 'minitest', directory, needs: ['ruby'] } as const
  const suite = (line: string, shell: string): readonly Suite[] => {
    const display = displayIn(directory, line)
    return [toSuite({ ...given, display, command: { shell } })]
  }
  if (has('bin/rails')) return suite('bin/rails test', 'ruby bin/rails test')
  if (isRake || tests.length > mostListedFiles) {
    return suite('rake test', inBundle(has('Gemfile'), 'rake test'))
  }
  const load = 'ARGV.each { |file| require file }'
  const display = displayIn(directory, `ruby -Ilib -Itest ${commonPattern(tests)}`)
  const argv = ['ruby', '-Ilib', '-Itest', '-e', load, ...tests.map((path) => `./${path}`)]
  return [toSuite({ ...given, display, command: { argv } })]
}

/** As a person would write it for one file, or for all. */
const commonPattern = (tests: readonly string[]): string =>
  tests.length === 1 ? (tests[0] ?? '') : 'test/**/*.rb'

const phpTest = /(?:^|\/)[tT]ests?\/.*Test\.php$/

function phpSuites(repository: RepositoryFiles, report: Report): readonly Suite[] {
  const { files } = repository
  const tests = files.filter((path) => phpTest.test(path) && isOwn(path))
  const roots = withRoot(rootsOf(files, /^(?:composer\.json|phpunit\.xml(?:\.dist)?)$/))
  return roots.flatMap((directory) => {
    const own = ownFiles(tests, directory, roots).map((path) => posix.relative(directory, path))
    if (own.length === 0) return []
    const has = (name: string) => files.includes(posix.join(directory, name))
    const manifest = repository.read(posix.join(directory, 'composer.json')) ?? ''
    const isConfigured = has('phpunit.xml') || has('phpunit.xml.dist')
    const folder = own[0]?.split('/', 1)[0] ?? 'tests'
    const bootstrap = '$(test -f vendor/autoload.php && echo --bootstrap vendor/autoload.php)'
    const file = report('xml')
    const given = isConfigured ? [] : [bootstrap, folder]
    const rest = [...phpunitFlags(file), ...given].join(' ')
    const plain = /phpunit\/phpunit/.test(manifest) ? 'vendor/bin/phpunit' : 'phpunit'
    const display = displayIn(directory, isConfigured ? plain : `${plain} ${folder}`)
    const installed = 'if test -f vendor/bin/phpunit; then php vendor/bin/phpunit'
    return [
      toSuite({
        runner: 'junit',
        command: { shell: `${installed} ${rest}; else phpunit ${rest}; fi` },
        directory,
        display,
        collect: [posix.join(directory, file)],
        needs: ['php'],
      }),
    ]
  })
}
