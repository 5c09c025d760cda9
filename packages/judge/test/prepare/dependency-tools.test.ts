import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { dependencyTools } from '../../prepare/dependency-tools.ts'

/** Compiles the tests of one language, keeps classes without a source, and runs every class of a test. */
const fakeMaven = `#!/bin/sh
case "$*" in *compile*|*'test -DskipTests'*)
  mkdir -p target/test-classes
  for source in src/test/$LANGUAGE/*; do
    test -e "$source" && touch "target/test-classes/$(basename "\${source%.*}").class"
  done ;;
esac
case "$*" in *surefire:test*) ls target/test-classes >>"$RAN" ;; esac
`

const fakeCompiler = '#!/bin/sh\ntouch "$2/$(basename "$3" .java).class"\n'

it.each([
  ['java', 'OwnTest.java'],
  ['kotlin', 'OwnTest.kt'],
])(
  'installs what Maven needs without running a test of the project, in %s',
  async (language, own) => {
    const root = mkdtempSync(join(tmpdir(), 'tools-'))
    try {
      mkdirSync(join(root, 'bin'))
      mkdirSync(join(root, 'project/src/test', language), { recursive: true })
      writeFileSync(join(root, 'bin/mvn'), fakeMaven, { mode: 0o755 })
      writeFileSync(join(root, 'bin/javac'), fakeCompiler, { mode: 0o755 })
      writeFileSync(join(root, 'project/pom.xml'), '<project/>')
      writeFileSync(join(root, 'project/src/test', language, own), 'class OwnTest {}')
      const { install = '' } = dependencyTools.find(({ name }) => name === 'mvn') ?? {}
      const ran = join(root, 'ran')
      const PATH = `${join(root, 'bin')}${delimiter}${process.env.PATH}`
      mkdirSync(join(root, 'packages'))
      await execa('sh', ['-c', install], { cwd: root, env: { PATH, RAN: ran, LANGUAGE: language } })
      expect(readFileSync(ran, 'utf8')).toBe('PlaceTest.class\n')
    } finally {
      rmSync(root, { recursive: true })
    }
  },
)
