import { describe, expect, it } from 'vitest'
import { keepDocs, withoutDocs } from '../../../answer/loss/keep-docs.ts'
import { readDraft } from '../../../answer/read-draft.ts'

const python =
  'def add(a, b):\n    """Adds two numbers.\n\n    Of any kind.\n    """\n    raise NotImplementedError\n'
const script = '/**\n * Adds.\n */\nexport function add(a, b) {\n  return a - b\n}\n'

describe('keepDocs', () => {
  it.each<[name: string, path: string, before: string, content: string, kept: string]>([
    [
      'puts back the docstring of a function that is written anew',
      ...(['a.py', python] as const),
      'def add(a, b):\n    return a + b\n',
      python.replace('raise NotImplementedError', 'return a + b'),
    ],
    [
      'puts back a block above a declaration',
      ...(['a.ts', script] as const),
      'export function add(a, b) {\n  return a + b\n}\n',
      script.replace('a - b', 'a + b'),
    ],
    [
      'leaves a block of its own alone',
      'a.js',
      script,
      `/** Sums. */\n${script.slice(18)}`,
      `/** Sums. */\n${script.slice(18)}`,
    ],
    [
      'never ends in a block without an end',
      'a.py',
      'def a():\n    """b\n    c\n',
      'def a():\n    c\n',
      'def a():\n    c\n',
    ],
    ['knows no blocks of Markdown', 'a.md', 'A:\n"""\nb\n"""\n', 'A:\nc\n', 'A:\nc\n'],
  ])('%s', (_, path, before, content, kept) => {
    expect(keepDocs(path, before, content)).toBe(kept)
  })

  it.each([
    ['a docstring of its own', 'def add(a, b):\n    """Sums."""\n    return a + b\n'],
    ['another signature', 'def add(*all):\n    return sum(all)\n'],
    ['another indentation', 'def add(a, b):\n  return a + b\n'],
    ['two such lines', 'def add(a, b):\n    return 1\ndef add(a, b):\n    return 2\n'],
    ['an empty file', ''],
  ])('leaves %s alone', (_, content) => {
    expect(keepDocs('a.py', python, content)).toBe(content)
  })

  it.each([
    ['an argument', 'a = run(\n    """\n    b\n    """\n)\n', 'a = run(\n    c\n)\n'],
    ['of a key', 'a = {\n    "b":\n    """\n    c\n    """,\n}\n', 'a = {\n    "b":\n    d,\n}\n'],
    ['in a list', 'a = [\n    """b""",\n]\n', 'a = [\n    c,\n]\n'],
  ])('puts back no text that is %s', (_, before, content) => {
    expect(keepDocs('a.py', before, content)).toBe(content)
    expect(withoutDocs('a.py', before)).toBe(before)
  })

  it('puts back the docstring below a head of several lines', () => {
    const before = 'def f(\n    a,\n) -> int:\n    """Doc."""\n    return 1\n'
    const content = 'def f(\n    a,\n) -> int:\n    return 2\n'
    expect(keepDocs('a.py', before, content)).toBe(before.replace('1', '2'))
  })

  it('leaves a text that is a value among the lines of code', () => {
    const text = 'page = """\n<p>\n"""\n'
    expect(withoutDocs('a.py', text)).toBe(text)
    expect(withoutDocs('a.py', python)).toBe('def add(a, b):\n    raise NotImplementedError\n')
  })
})

describe('an answer in full that drops documentation', () => {
  const long = python.replace('    Of any kind.\n', '    Of any kind.\n'.repeat(9))
  const read = (title: string, content: string) =>
    readDraft(`a.py\n\`\`\`\n${content}\`\`\``, {
      ...{ base: [], expectedPath: 'a.py', task: { title, details: '' } },
      ...{ paths: ['a.py'], read: async () => new Map([['a.py', long]]) },
    })

  it.each<[name: string, title: string, content: string, kept: string]>([
    [
      'keeps it',
      'Implement `add`',
      'def add(a, b):\n    return a + b\n',
      long.replace('raise NotImplementedError', 'return a + b'),
    ],
    [
      'is what it says where the task is about documentation',
      ...(['Remove the docstrings', 'def add(a, b):\n    return a + b\n'] as const),
      'def add(a, b):\n    return a + b\n',
    ],
    [
      'is taken where another signature leaves no place for it',
      ...(['Implement `add`', 'def add(*all):\n    return sum(all)\n'] as const),
      'def add(*all):\n    return sum(all)\n',
    ],
  ])('%s', async (_, title, content, kept) => {
    const { changes, refusals } = await read(title, content)
    expect(refusals).toEqual([])
    expect(changes).toMatchObject([{ path: 'a.py', content: kept }])
  })

  it('is an echo where it drops nothing else', async () => {
    const { changes, refusals } = await read(
      'Implement `add`',
      'def add(a, b):\n    raise NotImplementedError\n',
    )
    expect(changes).toEqual([])
    expect(refusals).toMatchObject([{ path: 'a.py', isEcho: true }])
  })
})
