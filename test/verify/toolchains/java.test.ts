import { existsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { has, type Row, show, verifyProject } from './toolchain.ts'

/** Maven's local repository on this machine: the only source without network. */
const repository = join(homedir(), '.m2/repository')
const needed = [
  'org/junit/jupiter/junit-jupiter-engine/5.11.4',
  'org/apache/maven/surefire/surefire-junit-platform/3.2.5',
  'org/apache/maven/plugins/maven-compiler-plugin/3.13.0',
  'org/apache/maven/plugins/maven-resources-plugin/3.3.1',
]
const isPrepared = needed.every((path) => existsSync(join(repository, path)))
/** Without bubblewrap, tests may run as another user, who needs access. */
const isReadable = isPrepared && (has('bwrap') || (statSync(repository).mode & 0o005) === 0o005)
/** For programs that run a few seconds: optimizing them takes longer than running them. */
const quickly = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC'
const prepared = {
  mounts: [{ from: repository, within: null, to: '.executor-packages' }],
  env: { MAVEN_OPTS: `-Dmaven.repo.local=.executor-packages ${quickly}` },
}

const plugin = (name: string, version: string) =>
  `<plugin><artifactId>maven-${name}-plugin</artifactId><version>${version}</version></plugin>`
const pom = {
  'pom.xml': [
    '<project><modelVersion>4.0.0</modelVersion>',
    '<groupId>com.acme</groupId><artifactId>shop</artifactId><version>1</version>',
    '<properties><maven.compiler.release>11</maven.compiler.release>',
    '<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>',
    `<argLine>${quickly}</argLine></properties>`,
    '<dependencies><dependency><groupId>org.junit.jupiter</groupId>',
    '<artifactId>junit-jupiter</artifactId><version>5.11.4</version><scope>test</scope>',
    '</dependency></dependencies><build><plugins>',
    plugin('surefire', '3.2.5') + plugin('compiler', '3.13.0') + plugin('resources', '3.3.1'),
    '</plugins></build></project>',
  ].join('\n'),
}
const sum = (add: string) => ({
  'src/main/java/com/acme/Sum.java': `package com.acme;\npublic class Sum {\n  static int add(int a, int b) { return ${add}; }\n}\n`,
})
const test = {
  'src/test/java/com/acme/SumTest.java': [
    'package com.acme;',
    'import static org.junit.jupiter.api.Assertions.assertEquals;',
    'import org.junit.jupiter.api.*;',
    'class SumTest {',
    '  @Test void adds() {',
    '    assertEquals(3, Sum.add(1, 2));',
    '  }',
    '  @Disabled @Test void later() {}',
    '}',
  ].join('\n'),
}

const rows: readonly Row[] = [
  {
    name: 'passes',
    texts: { ...pom, ...sum('a + b'), ...test },
    shown: ['mvn test: ended well, 1 + 0 + 1'],
  },
  {
    name: 'fails',
    texts: { ...pom, ...sum('a - b'), ...test },
    shown: [
      'mvn test: ended badly, 0 + 1 + 1',
      'SumTest > adds | src/test/java/com/acme/SumTest.java:6 | AssertionFailedError | expected: <3> but was: <-1>',
    ],
  },
  {
    name: 'does not build',
    texts: { ...pom, ...sum('nothere'), ...test },
    shown: [
      'mvn test: ended badly, unknown',
      expect.stringMatching(
        / \| src\/main\/java\/com\/acme\/Sum\.java:3 \| null \| cannot find symbol/,
      ),
    ],
  },
  {
    name: 'has no tests',
    texts: {
      ...pom,
      'src/test/java/com/acme/Nothing.java': 'package com.acme;\nclass Nothing {}\n',
    },
    shown: ['mvn test: ended well, 0 + 0 + 0'],
  },
]

describe.runIf(has('mvn', 'javac') && isReadable)('maven', () => {
  it.each(rows)('that $name', { timeout: 120_000 }, async ({ texts, shown }) => {
    expect(show(await verifyProject(texts, prepared))).toEqual(shown)
  })

  it('that hangs is stopped', { timeout: 120_000 }, async () => {
    const texts = { ...pom, ...sum('a + b'), ...test }
    const path = 'src/test/java/com/acme/SumTest.java'
    const hanging = texts[path].replace(
      'adds() {',
      'adds() throws Exception { Thread.sleep(3600000);',
    )
    const [report] = await verifyProject(
      { ...texts, [path]: hanging },
      { ...prepared, timeoutSeconds: 5 },
    )
    expect(report).toMatchObject({ timedOut: true, exitCode: null })
  })
})
