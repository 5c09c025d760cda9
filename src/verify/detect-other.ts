import { posix } from 'node:path'
import { type RepositoryFiles, type Suite, toSuite } from './suite.ts'

/** Languages whose tests are started by one well-known command at the root. */
const conventions: readonly {
  readonly manifest: RegExp
  readonly tests: RegExp
  readonly argv: readonly string[]
}[] = [
  { manifest: /^go\.mod$/, tests: /_test\.go$/, argv: ['go', 'test', './...'] },
  { manifest: /^Cargo\.toml$/, tests: /\.rs$/, argv: ['cargo', 'test'] },
  { manifest: /^mvnw$/, tests: /src\/test\//, argv: ['./mvnw', '-B', 'test'] },
  { manifest: /^pom\.xml$/, tests: /src\/test\//, argv: ['mvn', '-B', 'test'] },
  { manifest: /^gradlew$/, tests: /src\/test\//, argv: ['./gradlew', 'test'] },
  { manifest: /^build\.gradle(?:\.kts)?$/, tests: /src\/test\//, argv: ['gradle', 'test'] },
  { manifest: /^Gemfile$/, tests: /^spec\/.*_spec\.rb$/, argv: ['bundle', 'exec', 'rspec'] },
  { manifest: /^phpunit\.xml/, tests: /Test\.php$/, argv: ['vendor/bin/phpunit'] },
]

export function detectOtherSuites(repository: RepositoryFiles): readonly Suite[] {
  const { files } = repository
  const fitting = conventions.filter(
    ({ manifest, tests }) =>
      files.some((path) => manifest.test(path)) && files.some((path) => tests.test(path)),
  )
  const wrapped = fitting.some(({ argv }) => argv[0]?.startsWith('./'))
  const chosen = fitting.filter(
    ({ argv }) => !wrapped || !['mvn', 'gradle'].includes(argv[0] ?? ''),
  )
  const suites = chosen.map(({ argv }) => {
    const display = argv.join(' ')
    const needs = argv.slice(0, 1).filter((program) => !program.includes(posix.sep))
    return toSuite({ name: display, runner: 'command', command: { argv }, display, needs })
  })
  return suites
}

/** The last resort: a Makefile with a target of that name. */
export function detectMakeSuite(repository: RepositoryFiles): readonly Suite[] {
  const text = ['Makefile', 'makefile', 'GNUmakefile']
    .map((path) => repository.read(path))
    .find((found) => found !== undefined)
  if (text === undefined || !/^test\s*:/m.test(text)) return []
  const command = { argv: ['make', 'test'] }
  return [
    toSuite({
      name: 'make test',
      runner: 'command',
      command,
      display: 'make test',
      needs: ['make'],
    }),
  ]
}
