import { describe, expect, it } from 'vitest'
import { findWeakenedTests } from '../../tampering/weakened-tests.ts'
import { deleted, kindsIn, modified, type Row } from './cases.ts'

const path = 'tests/test_sum.py'
const adds = 'def test_adds():\n    assert add(1, 2) == 3\n\n'
const takes = 'def test_takes():\n    assert take(3, 2) == {"left": 1}\n\n'
const inClass =
  'class SumTest(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n'

const weaker: readonly Row[] = [
  ['a test deleted', adds + takes, adds, ['deleted test_takes']],
  [
    'a test that no longer asserts',
    adds,
    adds.replace('assert add(1, 2) == 3', 'add(1, 2)'),
    ['weakened test_adds'],
  ],
  ['@pytest.mark.skip', adds, `@pytest.mark.skip\n${adds}`, ['skipped test_adds']],
  [
    '@pytest.mark.skipif',
    adds,
    `@pytest.mark.skipif(True, reason="x")\n${adds}`,
    ['skipped test_adds'],
  ],
  ['@pytest.mark.xfail', adds, `@pytest.mark.xfail\n${adds}`, ['skipped test_adds']],
  [
    '@unittest.skip',
    inClass,
    inClass.replace('    def', '    @unittest.skip("no")\n    def'),
    ['skipped SumTest > test_adds'],
  ],
  [
    '@unittest.expectedFailure',
    inClass,
    inClass.replace('    def', '    @unittest.expectedFailure\n    def'),
    ['skipped SumTest > test_adds'],
  ],
  ['a skipped class', inClass, `@unittest.skip("no")\n${inClass}`, ['skipped SumTest > test_adds']],
  ['a skipped module', adds, `pytestmark = pytest.mark.skip\n${adds}`, ['skipped test_adds']],
  [
    'pytest.skip()',
    adds,
    adds.replace('    assert', '    pytest.skip("later")\n    assert'),
    ['skipped test_adds'],
  ],
  [
    'self.skipTest()',
    inClass,
    inClass.replace('        self.assert', '        self.skipTest("x")\n        self.assert'),
    ['skipped SumTest > test_adds'],
  ],
  ['== to truth', takes, takes.replace('== {"left": 1}', ''), ['weakened test_takes']],
  [
    '== to is not None',
    takes,
    takes.replace('== {"left": 1}', 'is not None'),
    ['weakened test_takes'],
  ],
  ['== to in', adds, adds.replace('== 3', 'in (3, 4)'), ['weakened test_adds']],
  ['or True', adds, adds.replace('== 3', '== 3 or True'), ['weakened test_adds']],
  ['assert True', adds, adds.replace('add(1, 2) == 3', 'True'), ['weakened test_adds']],
  [
    'assertEqual to assertTrue(True)',
    inClass,
    inClass.replace('self.assertEqual(add(1, 2), 3)', 'self.assertTrue(True)'),
    ['weakened SumTest > test_adds'],
  ],
  [
    'assertEqual to assertIsNotNone',
    inClass,
    inClass.replace('assertEqual(add(1, 2), 3)', 'assertIsNotNone(add(1, 2))'),
    ['weakened SumTest > test_adds'],
  ],
  ['another value', adds, adds.replace('== 3', '== 4'), ['expectation test_adds']],
  [
    'another value of assertEqual',
    inClass,
    inClass.replace('3)', '4)'),
    ['expectation SumTest > test_adds'],
  ],
  ['pass', adds, 'def test_adds():\n    pass\n', ['weakened test_adds']],
  [
    'an early return',
    adds,
    adds.replace('    assert', '    return\n    assert'),
    ['weakened test_adds'],
  ],
  [
    'a swallowed failure',
    adds,
    'def test_adds():\n    try:\n        assert add(1, 2) == 3\n    except Exception:\n        pass\n',
    ['weakened test_adds'],
  ],
  [
    'if False',
    adds,
    adds.replace('    assert', '    if False:\n        assert'),
    ['weakened test_adds'],
  ],
  [
    'rows taken out',
    `@pytest.mark.parametrize("a,b", [(1, 2), (3, 4)])\n${adds}`,
    `@pytest.mark.parametrize("a,b", [(1, 2)])\n${adds}`,
    ['weakened test_adds'],
  ],
  [
    'raises gone',
    'def test_no():\n    with pytest.raises(ValueError):\n        f()\n',
    'def test_no():\n    f()\n',
    ['weakened test_no'],
  ],
]

const honest: readonly Row[] = [
  ['a test added', adds, adds + takes, []],
  ['a test renamed', adds + takes, adds.replace('test_adds', 'test_sum_of_two') + takes, []],
  [
    'a test moved into a class',
    adds,
    'class TestSum:\n    def test_adds(self):\n        assert add(1, 2) == 3\n',
    [],
  ],
  [
    'a table made of tests',
    'def test_a():\n    assert add(1, 1) == 2\n\ndef test_b():\n    assert add(2, 2) == 4\n',
    '@pytest.mark.parametrize("n, sum", [(1, 2), (2, 4)])\ndef test_adds(n, sum):\n    assert add(n, n) == sum\n',
    [],
  ],
  [
    'subtests made of assertions',
    'class A(TestCase):\n    def test_a(self):\n        self.assertEqual(f(1), 1)\n        self.assertEqual(f(2), 2)\n',
    'class A(TestCase):\n    def test_a(self):\n        for n in (1, 2):\n            with self.subTest(n=n):\n                self.assertEqual(f(n), n)\n',
    [],
  ],
  ['a message', adds, adds.replace('== 3', '== 3, "one and two"'), []],
  ['another fixture', adds, adds.replace('test_adds()', 'test_adds(tmp_path)'), []],
  ['unittest turned into pytest', inClass, adds, []],
  ['a doc string', adds, adds.replace('    assert', '    """Adds."""\n    assert'), []],
  [
    'formatting',
    adds,
    'def test_adds() -> None:\n    assert (\n        add(\n            1,\n            2,\n        )\n        == 3\n    )\n',
    [],
  ],
  ['async', adds, `@pytest.mark.asyncio\nasync ${adds.replace('add(', 'await add(')}`, []],
  ['a mark', adds, `@pytest.mark.slow\n${adds}`, []],
  ['no longer skipped', `@pytest.mark.skip\n${adds}`, adds, []],
  [
    'an end under a condition',
    adds,
    adds.replace('    assert', '    if sys.platform == "win32":\n        return\n    assert'),
    [],
  ],
  [
    'a skip under a condition',
    adds,
    adds.replace(
      '    assert',
      '    if sys.platform == "win32":\n        pytest.skip("no")\n    assert',
    ),
    [],
  ],
]

const target = 'def test_a():\n    with f() as (a, b):\n        assert a == 1\n\n'
const unknown = 'def test_x():\n    match = $x\n\n'

describe('in Python', () => {
  it.each([
    ['names in brackets', target + adds, target + takes + adds, []],
    [
      'names in brackets, and a test less',
      target + adds + takes,
      target + takes,
      ['deleted test_adds'],
    ],
    ['unknown syntax', unknown + adds, unknown + adds + takes, []],
    [
      'unknown syntax, and a test less',
      unknown + adds + takes,
      unknown + takes,
      ['deleted test_adds'],
    ],
    [
      'unknown syntax, and a test skipped',
      unknown + adds,
      `${unknown}@pytest.mark.skip\n${adds}`,
      ['skipped test_adds'],
    ],
    [
      'a table with comments',
      `@pytest.mark.parametrize("a", [1, 2])\n${adds}`,
      `@pytest.mark.parametrize("a", [\n    1,\n    # the \`two\`, too\n    2,\n])\n${adds}`,
      [],
    ],
  ])('reads %s', async (_, before, after, found) => {
    expect(await kindsIn(modified(path, before, after))).toEqual(found)
  })

  it.each(weaker)('finds %s', async (_, before, after, found) => {
    expect(await kindsIn(modified(path, before, after))).toEqual(found)
  })

  it.each(honest)('is quiet about %s', async (_, before, after) => {
    expect(await findWeakenedTests(modified(path, before, after))).toEqual([])
  })

  it('finds a test that is no longer collected, and a file that is gone', async () => {
    expect(await kindsIn(modified(path, adds, adds.replace('test_adds', 'check_adds')))).toEqual([
      'deleted test_adds',
    ])
    expect(await kindsIn(deleted(path, adds + takes))).toEqual([
      'deleted test_adds',
      'deleted test_takes',
    ])
  })
})
