import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { dependencyTools } from '../../prepare/dependency-tools.ts'

/** Compiles what is below `src/`, keeps classes without a source, and runs every class of a test. */
const fakeMaven = `#!/bin/sh
case "$*" in *compile*|*'test -DskipTests'*)
  mkdir -p target/test-classes
  for source in src/test/java/*.java; do touch "target/test-classes/$(basename "$source" .java).class"; done ;;
esac
case "$*" in *surefire:test*) ls target/test-classes >>"$RAN" ;; esac
`

it('installs what Maven needs without running a test of the project', async () => {
  const root = mkdtempSync(join(tmpdir(), 'tools-'))
  try {
    mkdirSync(join(root, 'bin'))
    mkdirSync(join(root, 'project/src/test/java'), { recursive: true })
    writeFileSync(join(root, 'bin/mvn'), fakeMaven, { mode: 0o755 })
    writeFileSync(join(root, 'project/pom.xml'), '<project/>')
    writeFileSync(join(root, 'project/src/test/java/OwnTest.java'), 'class OwnTest {}')
    const { install = '' } = dependencyTools.find(({ name }) => name === 'mvn') ?? {}
    const ran = join(root, 'ran')
    const PATH = `${join(root, 'bin')}${delimiter}${process.env.PATH}`
    mkdirSync(join(root, 'packages'))
    await execa('sh', ['-c', install], { cwd: root, env: { PATH, RAN: ran } })
    expect(readFileSync(ran, 'utf8')).toBe('PlaceTest.class\n')
  } finally {
    rmSync(root, { recursive: true })
  }
})
