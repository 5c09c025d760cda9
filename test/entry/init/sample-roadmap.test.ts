import { describe, expect, it } from 'vitest'
import { sampleFiles } from '../../../packages/github-simulator/demo/sample-repository.ts'
import { lintText } from '../../../packages/roadmap/test/lint/lint-text.ts'
import { readDocument } from '../../../packages/roadmap/unboxed/tick-unboxed.ts'
import { initFiles } from '../../../src/entry/init/init-files.ts'
import { mainLanguage, sampleRoadmap } from '../../../src/entry/init/sample-roadmap.ts'
import { someSettings } from '../../fakes/facts.ts'

/** The files that the sample's first task names. */
function named(files: readonly string[]): readonly string[] {
  const { tasks, problems } = readDocument(sampleRoadmap(files), someSettings()).roadmap
  expect(problems).toEqual([])
  expect(tasks.map(({ id, dependsOn }) => [id, dependsOn])).toMatchObject([
    ['T-1', []],
    ['T-2', {}],
  ])
  return tasks[0]?.files ?? []
}

describe('the sample roadmap', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['an empty repository', [], ['package.json', 'src/health.js', 'test/health.test.js']],
    [
      'only a README',
      ['README.md', '.gitignore'].slice(0, 1),
      ['package.json', 'src/health.js', 'test/health.test.js'],
    ],
    [
      'a Python package with tests beside it',
      [
        'setup.py',
        'boltons/a.py',
        'boltons/b.py',
        'tests/conftest.py',
        'tests/test_a.py',
        'docs/conf.py',
      ],
      ['boltons/health.py', 'tests/test_health.py'],
    ],
    [
      'a Python project without code',
      ['pyproject.toml', 'README.md'],
      ['src/health.py', 'tests/test_health.py'],
    ],
    [
      'Go at the root',
      ['go.mod', 'mux.go', 'mux_test.go', 'a/b/c.go'],
      ['health.go', 'health_test.go'],
    ],
    [
      'TypeScript with specs beside the code',
      ['package.json', 'tsconfig.json', 'src/a.ts', 'src/a.spec.ts', 'vite.config.js'],
      ['src/health.ts', 'src/health.spec.ts'],
    ],
    [
      'TypeScript without code',
      ['package.json', 'tsconfig.json'],
      ['src/health.ts', 'test/health.test.ts'],
    ],
    [
      'JavaScript',
      ['package.json', 'lib/a.js', 'tests/a.test.js'],
      ['lib/health.js', 'tests/health.test.js'],
    ],
    [
      'Java in packages',
      ['pom.xml', 'src/main/java/org/x/A.java', 'src/test/java/org/x/ATest.java'],
      ['src/main/java/org/x/Health.java', 'src/test/java/org/x/HealthTest.java'],
    ],
    [
      'Ruby with specs',
      ['Gemfile', 'lib/a.rb', 'spec/a_spec.rb'],
      ['lib/health.rb', 'spec/health_spec.rb'],
    ],
    ['a language without a sample', ['main.zig', 'README.md'], ['README.md']],
    ['prose', ['guide/a.md', 'guide/b.md'], ['README.md']],
  ])('is in the language of %s', (_, files, expected) => {
    expect(named(files)).toEqual(expected)
  })

  it('goes by the code, not by a manifest of its tools', () => {
    expect(mainLanguage(['package.json', 'a.py', 'b.py'])).toMatchObject({ id: 'python' })
    expect(mainLanguage(['docs/a.js', 'docs/b.js', 'a.go'])).toMatchObject({ id: 'go' })
    expect(mainLanguage(['node_modules/x/index.js'])).toBeNull()
  })
})

it('has nothing to say about the roadmaps that we hand out', () => {
  const sample = initFiles({ model: null, baseUrl: null, workflow: 'full' }).find(
    ({ path }) => path === 'ROADMAP.md',
  )
  expect(lintText(sample?.text ?? '', ['package.json'])).toEqual([])
  expect(lintText(sampleFiles['ROADMAP.md'] ?? '', Object.keys(sampleFiles))).toEqual([])
})
