import { existsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { has } from './toolchain.ts'

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

export const hasMaven = has('mvn', 'javac') && isReadable

/** For programs that run a few seconds: optimizing them takes longer than running them. */
const quickly = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC'

export const withMaven = {
  mounts: [{ from: repository, within: null, to: '.executor-packages' }],
  env: { MAVEN_OPTS: `-Dmaven.repo.local=.executor-packages ${quickly}` },
} as const

/** As the executor itself mounts them. */
export const installed = [{ ...withMaven.mounts[0], to: '.executor-packages/java' }]

const plugin = (name: string, version: string) =>
  `<plugin><artifactId>maven-${name}-plugin</artifactId><version>${version}</version></plugin>`

export const pom = {
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
