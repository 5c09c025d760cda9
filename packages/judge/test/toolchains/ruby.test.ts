import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { looks } from '../../run/baseline.ts'
import { temporaryFolder } from '../temporary-project.ts'
import { has, type Row, show, verifyProject } from './toolchain.ts'

const sum = (add: string) => ({ 'lib/sum.rb': `def add(a, b)\n  ${add}\nend\n` })
const spec = {
  'spec/sum_spec.rb': [
    "require 'sum'",
    "RSpec.describe 'sum' do",
    "  it('adds') do",
    '    expect(add(1, 2)).to eq(3)',
    '  end',
    "  xit('later') { }",
    'end',
  ].join('\n'),
}
const minitest = {
  'test/sum_test.rb': [
    "require 'minitest/autorun'",
    "require 'sum'",
    'class SumTest < Minitest::Test',
    '  def test_adds',
    '    assert_equal 3, add(1, 2)',
    '  end',
    '  def test_later; skip; end',
    'end',
  ].join('\n'),
}

const specs: readonly Row[] = [
  {
    name: 'passes',
    texts: { ...sum('a + b'), ...spec },
    shown: ['rspec: ended well, 1 + 0 + 1'],
  },
  {
    name: 'fails',
    texts: { ...sum('a - b'), ...spec },
    shown: [
      'rspec: ended badly, 0 + 1 + 1',
      'sum adds | spec/sum_spec.rb:4 | AssertionError | expected: 3',
    ],
  },
  {
    name: 'cannot be parsed',
    texts: { 'lib/sum.rb': 'def add(\n', ...spec },
    shown: [
      'rspec: ended badly, 0 + 1 + 0',
      expect.stringMatching(
        /^spec\/sum_spec\.rb \| spec\/sum_spec\.rb:1 \| SyntaxError \| .*lib\/sum\.rb/,
      ),
    ],
  },
  {
    name: 'lacks a file',
    texts: { ...spec },
    shown: [
      'rspec: ended badly, 0 + 1 + 0',
      'spec/sum_spec.rb | spec/sum_spec.rb:1 | LoadError | LoadError: cannot load such file -- sum',
    ],
  },
  {
    name: 'has no examples',
    texts: { 'spec/a_spec.rb': '' },
    shown: ['rspec: ended well, 0 + 0 + 0'],
  },
  {
    name: 'is a package inside, with a Gemfile that asks for nothing more',
    texts: {
      'api/Gemfile': '',
      'api/spec/a_spec.rb': "RSpec.describe('a') { it('b') { raise ArgumentError, 'bad' } }\n",
    },
    shown: [
      'cd api && bundle exec rspec: ended badly, 0 + 1 + 0',
      'a b | api/spec/a_spec.rb:1 | ArgumentError | bad',
    ],
  },
]

describe.runIf(has('rspec') && !has('bundle'))('rspec', () => {
  it.each(specs)('that $name', { timeout: 60_000 }, async ({ texts, shown }) => {
    expect(show(await verifyProject(texts))).toEqual(shown)
  })

  it('that hangs is stopped', { timeout: 60_000 }, async () => {
    const texts = { 'spec/a_spec.rb': "RSpec.describe('a') { it('b') { sleep 3600 } }\n" }
    const [report] = await verifyProject(texts, { timeoutSeconds: 2 })
    expect(report).toMatchObject({ timedOut: true, exitCode: null })
  })
})

const line = 'ruby -Ilib -Itest test/sum_test.rb'
const tests: readonly Row[] = [
  {
    name: 'passes',
    texts: { ...sum('a + b'), ...minitest },
    shown: [`${line}: ended well, 1 + 0 + 1`],
  },
  {
    name: 'fails',
    texts: { ...sum('a - b'), ...minitest },
    shown: [
      `${line}: ended badly, 0 + 1 + 1`,
      'SumTest > test_adds | test/sum_test.rb:5 | AssertionError | Expected: 3',
    ],
  },
  {
    name: 'fails in rake',
    texts: {
      ...sum('a - b'),
      ...minitest,
      Rakefile:
        "require 'rake/testtask'\nRake::TestTask.new { |t| t.pattern = 'test/*_test.rb' }\n",
    },
    shown: [
      'rake test: ended badly, 0 + 1 + 1',
      'SumTest > test_adds | test/sum_test.rb:5 | AssertionError | Expected: 3',
    ],
  },
  {
    name: 'cannot be parsed',
    texts: { 'lib/sum.rb': 'def add(\n', ...minitest },
    shown: [
      `${line}: ended badly, unknown`,
      expect.stringMatching(/ \| lib\/sum\.rb:[12] \| SyntaxError \| /),
    ],
  },
  {
    name: 'lacks a file',
    texts: { ...minitest },
    shown: [
      `${line}: ended badly, unknown`,
      'test/sum_test.rb | test/sum_test.rb:2 | LoadError | cannot load such file -- sum',
    ],
  },
  {
    name: 'has no tests',
    texts: { 'test/sum_test.rb': "require 'minitest/autorun'\n" },
    shown: [`${line}: ended well, 0 + 0 + 0`],
  },
  {
    name: 'never starts a runner',
    texts: { 'test/sum_test.rb': "puts 'fine'\n" },
    shown: [`${line}: ended well, 0 + 0 + 0`],
  },
]

describe.runIf(has('ruby', 'rake'))('minitest', () => {
  it.each(tests)('that $name', { timeout: 60_000 }, async ({ texts, shown }) => {
    expect(show(await verifyProject(texts))).toEqual(shown)
  })
})

describe.runIf(has('ruby'))('a package that is looked for', () => {
  it.each([
    ['is there', 'set', 0],
    ['is there, and fails when it is loaded', './broken', 0],
    ['is not there', 'no_such_package', 1],
  ])('%s', async (_, name, code) => {
    const cwd = await temporaryFolder()
    await writeFile(join(cwd, 'broken.rb'), "raise 'not here'\n")
    const [program = '', ...args] = looks.ruby ?? []
    expect(spawnSync(program, [...args, name], { cwd }).status).toBe(code)
  })
})
