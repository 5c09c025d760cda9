import { spawnSync } from 'node:child_process'
import { afterAll, describe, expect, it } from 'vitest'
import { type Played, playChange, type Texts } from '../proof/play-change.ts'
import {
  type Attack,
  goAttacks,
  javaAttacks,
  javaSum,
  javaTest,
  nodeAttacks,
  pytestAttacks,
  quietAttacks,
  rubyAttacks,
  rustAttacks,
  rustTests,
  unittestAttacks,
  vitestAttacks,
} from './forging-attacks.ts'
import {
  goVariations,
  inScript,
  nodeInTypeScript,
  nodeVariations,
  pytestVariations,
  rustVariations,
  vitestInTypeScript,
  vitestVariations,
} from './forging-variations.ts'
import { hasMaven, installed, pom } from './maven.ts'
import { has } from './toolchain.ts'

interface Bench {
  readonly name: string
  readonly runs: boolean
  readonly before: Texts
  readonly attacks: readonly Attack[]
  readonly needs?: Parameters<typeof playChange>[3]
}

const manifest = (test: string) => JSON.stringify({ type: 'module', scripts: { test } })
const right = 'export const add = (a, b) => a + b\n'
const nodeTest = [
  "import assert from 'node:assert/strict'",
  "import { test } from 'node:test'",
  "import { add } from '../sum.js'",
  'const [three, four] = [() => add(1, 2), () => add(2, 2)]',
  "test('adds', () => {\n  const is = three()\n  assert.equal(is, 3)\n})",
  "test('adds more', () => {\n  const is = four()\n  assert.equal(is, 4)\n})\n",
].join('\n')
const vitestTest = [
  "import { expect, it } from 'vitest'",
  "import { add } from '../sum.js'",
  "it('adds', () => expect(add(1, 2)).toBe(3))",
  "it('adds more', () => expect(add(2, 2)).toBe(4))\n",
].join('\n')
const unittestTest = [
  'import unittest\nfrom a import add\n',
  'class A(unittest.TestCase):',
  '    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)',
  '    def test_more(self):\n        self.assertTrue(add(2, 2) == 4)\n',
].join('\n')
const pytestTest =
  'from a import add\n\ndef test_adds():\n    assert add(1, 2) == 3\n\ndef test_more():\n    assert add(2, 2) == 4\n'
const rubyTest =
  "require 'minitest/autorun'\nrequire_relative '../sum'\nclass SumTest < Minitest::Test\n  def test_adds\n    assert_equal 3, add(1, 2)\n  end\n  def test_more\n    assert_equal 4, add(2, 2)\n  end\nend\n"
const goTest =
  'package sum\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal("no")\n\t}\n}\n'
const module = 'def add(a, b):\n    return a + b\n'
const hasPytest = spawnSync('python3', ['-m', 'pytest', '--version']).status === 0

const benches: readonly Bench[] = [
  {
    ...{
      name: 'node:test',
      runs: true,
      attacks: [
        ...nodeAttacks,
        ...quietAttacks.node,
        ...inScript(nodeVariations, nodeInTypeScript),
      ],
    },
    before: {
      'package.json': manifest('node --test'),
      'sum.js': right,
      'test/a.test.js': nodeTest,
    },
  },
  {
    ...{
      name: 'vitest',
      runs: true,
      attacks: [...vitestAttacks, ...inScript(vitestVariations, vitestInTypeScript)],
    },
    before: {
      ...{ 'package.json': manifest('vitest run'), 'sum.js': right },
      'test/a.test.js': vitestTest,
    },
  },
  {
    ...{ name: 'TypeScript, vitest', runs: true, attacks: vitestVariations },
    before: vitestInTypeScript,
  },
  {
    ...{ name: 'TypeScript, node:test', runs: true, attacks: nodeVariations },
    before: nodeInTypeScript,
  },
  {
    ...{ name: 'unittest', runs: has('python3'), attacks: unittestAttacks },
    before: { 'a.py': module, 'test_a.py': unittestTest },
  },
  {
    ...{
      name: 'pytest',
      runs: hasPytest,
      attacks: [...pytestAttacks, ...quietAttacks.pytest, ...pytestVariations],
    },
    before: { 'a.py': module, 'conftest.py': '', 'test_a.py': pytestTest },
  },
  {
    ...{ name: 'Go', runs: has('go'), attacks: [...goAttacks, ...goVariations] },
    before: {
      'go.mod': 'module example.org/sum\n\ngo 1.19\n',
      'sum.go': 'package sum\n\nfunc Add(a, b int) int {\n\treturn a + b\n}\n',
      'sum_test.go': goTest,
    },
  },
  {
    ...{
      name: 'Rust',
      runs: has('cargo') && process.arch === 'x64',
      attacks: [...rustAttacks, ...rustVariations],
    },
    before: {
      'Cargo.toml': '[package]\nname = "sum"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': `pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\n${rustTests}`,
    },
  },
  {
    ...{ name: 'Java', runs: hasMaven, attacks: javaAttacks, needs: installed },
    before: {
      ...{ ...pom, ...javaSum('return a + b;') },
      'src/test/java/com/acme/SumTest.java': javaTest,
    },
  },
  {
    ...{ name: 'Ruby', runs: has('ruby'), attacks: rubyAttacks },
    before: { 'sum.rb': 'def add(a, b)\n  a + b\nend\n', 'test/sum_test.rb': rubyTest },
  },
]

/** The first check that kept the change from being reported as passed. */
function heldBy({ refused, outcome, receipt, broken }: Played): string | null {
  if (refused !== null) return 'refused before it is written'
  // A change that no test shows passes as such, with its useless tests named.
  if (outcome === 'passed') {
    return receipt.evidence === 'unharmed' && (receipt.warnings ?? []).length > 0
      ? 'a warning, without proof'
      : null
  }
  if (broken.some((said) => said.includes('cannot be trusted'))) return 'our failing test'
  if (outcome === 'unverified') {
    return (receipt.warnings ?? []).length > 0 ? 'a warning' : null
  }
  return 'the report'
}

/** True when the attack had an effect: a clean end, an abort, or no broken test reported. */
const gotGoing = ({ refused, outcome, receipt, broken }: Played): boolean =>
  refused !== null ||
  (outcome !== 'cannot_run' && receipt.commands.some(({ exitCode }) => exitCode !== 1)) ||
  !broken.some((said) =>
    /^(?:A > |tests > |SumTest > )?(?:adds|test_adds|TestAdd|SumTest)/.test(said),
  )

const tried: Record<string, number> = {}

describe.each(benches.filter(({ runs }) => runs))(
  '$name',
  ({ name: runner, before, attacks, needs }) => {
    it.for(attacks)('$name', { timeout: 300_000 }, async ({ change, before: own }, { task }) => {
      const played = await playChange(own ?? before, change, undefined, needs)
      const held = heldBy(played)
      expect(held).not.toBeNull()
      expect(gotGoing(played)).toBe(true)
      const ending = `${runner}: ${held}`
      tried[ending] = (tried[ending] ?? 0) + 1
      task.file.meta.cases = tried
    })
  },
)

afterAll(() => {
  const sum = Object.values(tried).reduce((total, each) => total + each, 0)
  const rows = Object.entries(tried).map(([ending, times]) => `  ${ending}: ${times}`)
  console.info([`${sum} forged verdicts tried, got going and held`, ...rows].join('\n'))
})
