import { describe, expect, it } from 'vitest'
import { createFakeClock } from '../../../../test/fakes/fake-clock.ts'
import { createProcessSandbox } from '../../../sandbox/process-sandbox.ts'
import { planDependencies } from '../../prepare/plan-dependencies.ts'
import { prepareDependencies } from '../../prepare/prepare-dependencies.ts'
import { plainVerify, repositoryOf, temporaryFolder, writeProject } from '../temporary-project.ts'
import { has, type Texts } from './toolchain.ts'

/** A package from this machine's registry, and the same from a registry that a change adds. */
interface Case {
  readonly programs: readonly string[]
  readonly texts: Texts
  readonly changed: Texts | null
}

const evil = 'https://registry.invalid'

const pom = (dependency: string, more = '') =>
  [
    '<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>a</artifactId>',
    '<version>1</version><properties><maven.compiler.source>11</maven.compiler.source><maven.compiler.target>11</maven.compiler.target></properties>',
    `${more}<dependencies><dependency>${dependency}</dependency></dependencies></project>`,
  ].join('\n')

const slf4j = (version: string) =>
  `<groupId>org.slf4j</groupId><artifactId>slf4j-api</artifactId><version>${version}</version>`

const crate = (more = '') =>
  `[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n${more}\n[dependencies]\nitoa = "1"\n`

const cases: Readonly<Record<string, Case>> = {
  pip: {
    programs: ['python3'],
    texts: { 'requirements.txt': 'six==1.16.0\n' },
    changed: { 'requirements.txt': `--index-url ${evil}/simple\nsix==1.16.0\n` },
  },
  npm: {
    programs: ['npm'],
    texts: { 'package.json': '{"dependencies": {"is-number": "7.0.0"}}' },
    changed: {
      'package.json': '{"dependencies": {"is-number": "7.0.0"}}',
      '.npmrc': `registry=${evil}\nfetch-retries=0\n`,
    },
  },
  cargo: {
    programs: ['cargo'],
    texts: { 'Cargo.toml': crate(), 'src/lib.rs': '' },
    changed: {
      'Cargo.toml': crate(),
      'src/lib.rs': '',
      '.cargo/config.toml': `[source.crates-io]\nreplace-with = "evil"\n[source.evil]\nregistry = "sparse+${evil}/"\n`,
    },
  },
  go: {
    programs: ['go'],
    texts: {
      'go.mod': 'module a\n\ngo 1.20\n\nrequire github.com/google/uuid v1.6.0\n',
      'go.sum': [
        'github.com/google/uuid v1.6.0 h1:NIvaJDMOsjHA8n1jAhLSgzrAzy1Hgr+hNrb57e+94F0=',
        'github.com/google/uuid v1.6.0/go.mod h1:TIyPZe4MgqvfeYDBFedMoGGpEw/LqOeaOT+nhxU+yHo=\n',
      ].join('\n'),
    },
    // No file of a project names the source of modules.
    changed: null,
  },
  mvn: {
    programs: ['mvn'],
    texts: {
      'pom.xml': pom(slf4j('2.0.9')),
      'src/main/java/A.java': 'class A {}',
    },
    changed: {
      'pom.xml': pom(
        slf4j('0.0.0-none'),
        `<repositories><repository><id>e</id><url>${evil}</url></repository></repositories>`,
      ),
      'src/main/java/A.java': 'class A {}',
    },
  },
}

async function install(texts: Texts) {
  const folder = await writeProject(texts)
  const sandbox = createProcessSandbox({
    ...{ mode: 'strict', cacheDirectory: await temporaryFolder(), checkout: null },
    only: 'bubblewrap',
  })
  const plans = await planDependencies(repositoryOf(texts), plainVerify, sandbox.has)
  return prepareDependencies(plans, { folder }, { sandbox, clock: createFakeClock() })
}

describe.skipIf(!has('bwrap'))('a real installer, with the registries of this machine', () => {
  for (const [name, { programs, texts, changed }] of Object.entries(cases)) {
    it.runIf(has(...programs))(
      `${name} installs a package, and reaches no registry that a change names`,
      { timeout: 600_000 },
      async () => {
        const honest = await install(texts)
        expect([honest.lack?.output, honest.notes]).toEqual([
          undefined,
          [expect.stringMatching(/: done in \d+ s\.$/)],
        ])
        if (changed === null) return
        const { lack } = await install(changed)
        expect(lack?.output).toMatch(/Refused connections to: .*registry\.invalid:443/)
      },
    )
  }
})
