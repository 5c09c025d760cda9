import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { type Row, show, verifyProject } from './toolchain.ts'

const hasPytest = spawnSync('python3', ['-m', 'pytest', '--version']).status === 0

const sum = (add: string) => ({
  'shop/__init__.py': '',
  'shop/sum.py': `def add(a, b):\n    return ${add}\n`,
})
const test = {
  'tests/test_sum.py': [
    'import pytest',
    'from shop.sum import add',
    'def test_adds():',
    '    assert add(1, 2) == 3',
    "@pytest.mark.skip(reason='later')",
    'def test_later(): pass',
  ].join('\n'),
}
const inside = (texts: Readonly<Record<string, string>>) => ({
  'api/pyproject.toml': '',
  ...Object.fromEntries(Object.entries(texts).map(([path, text]) => [`api/${path}`, text])),
})

const rows: readonly Row[] = [
  {
    name: 'passes',
    texts: { ...sum('a + b'), ...test },
    shown: ['pytest: ended well, 1 + 0 + 1'],
  },
  {
    name: 'fails',
    texts: { ...sum('a - b'), ...test },
    shown: [
      'pytest: ended badly, 0 + 1 + 1',
      expect.stringMatching(
        /^test_adds \| tests\/test_sum\.py:4 \| AssertionError \| assert -1 == 3/,
      ),
    ],
  },
  {
    name: 'fails in a project inside',
    texts: inside({ ...sum('a - b'), ...test }),
    shown: [
      'cd api && pytest: ended badly, 0 + 1 + 1',
      expect.stringMatching(/^test_adds \| api\/tests\/test_sum\.py:4 \| AssertionError \| /),
    ],
  },
  {
    name: 'cannot be parsed',
    texts: { ...sum('a +'), ...test },
    shown: [
      'pytest: ended badly, 0 + 1 + 0',
      expect.stringMatching(/^tests\/test_sum\.py \| tests\/test_sum\.py:\d+ \| SyntaxError \| /),
    ],
  },
  {
    name: 'lacks a module',
    texts: { 'shop/__init__.py': '', ...test },
    shown: [
      'pytest: ended badly, 0 + 1 + 0',
      "tests/test_sum.py | tests/test_sum.py:2 | ModuleNotFoundError | ModuleNotFoundError: No module named 'shop.sum'",
    ],
  },
  {
    name: 'has one file that cannot be imported, and others',
    texts: { ...sum('a + b'), ...test, 'tests/test_absent.py': 'import absent_from_here\n' },
    shown: [
      'pytest: ended badly, 1 + 1 + 1',
      expect.stringMatching(/^tests\/test_absent\.py \| .*No module named 'absent_from_here'/),
    ],
  },
  {
    name: 'has no tests',
    texts: { 'pytest.ini': '[pytest]\npython_functions = check_*\n', ...test, ...sum('a + b') },
    shown: ['pytest: ended badly, 0 + 0 + 0'],
  },
]

describe.runIf(hasPytest)('pytest', () => {
  it.each(rows)('that $name', { timeout: 60_000 }, async ({ texts, shown }) => {
    expect(show(await verifyProject(texts))).toEqual(shown)
  })

  it('that hangs is stopped', { timeout: 60_000 }, async () => {
    const texts = { 'test_a.py': 'import time\n\ndef test_a():\n    time.sleep(3600)\n' }
    const [report] = await verifyProject(texts, { timeoutSeconds: 4 })
    expect(report).toMatchObject({ timedOut: true, exitCode: null })
  })
})
