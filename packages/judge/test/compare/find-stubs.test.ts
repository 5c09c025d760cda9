import { expect, it } from 'vitest'
import { findOnlyStubs, findStubs } from '../../compare/find-stubs.ts'

const look = (path: string, content: string, title = 'Add a parser', before?: string) =>
  findOnlyStubs(
    [
      before === undefined
        ? { action: 'create', path, content }
        : { action: 'modify', path, before, content },
    ],
    { title, details: '' },
  )

const stubs: readonly (readonly [string, string])[] = [
  ['a.js', "export function parse(text) {\n  throw new Error('not implemented')\n}\n"],
  ['a.ts', "export const parse = (text: string): string => { throw new Error('todo') }\n"],
  ['a.js', 'export function parse() {}\n'],
  ['a.js', '// later\nexport function parse(text) {\n  return null\n}\n'],
  ['a.py', 'import re\n\n\ndef parse(text):\n    """Parses."""\n    pass\n'],
  [
    'a.py',
    'class Parser:\n    def parse(self, text: str) -> str:\n        raise NotImplementedError\n',
  ],
  ['a.py', 'def parse(text): ...\n'],
  ['a.go', 'package a\n\nfunc Parse(text string) string {\n\tpanic("not implemented")\n}\n'],
  ['src/a.rs', 'pub fn parse(text: &str) -> String {\n    todo!()\n}\n'],
  [
    'A.java',
    'public class A {\n  public String parse(String text) {\n    throw new UnsupportedOperationException("x");\n  }\n}\n',
  ],
  ['a.rb', "def parse(text)\n  raise NotImplementedError, 'later'\nend\n"],
]

it.each([
  ['a.go', 'func A(a int) {\n\tif a < 0 {\n\t\tpanic("%")\n\t}\n\trun(a)\n}\n'],
  ['a.js', "function a(b) {\n  if (b < 0) {\n    throw new Error('%')\n  }\n  run(b)\n}\n"],
])('%s: another message of a guard does something', (path, text) => {
  const [before, after] = ['negative', 'below zero'].map((said) => text.replace('%', said))
  expect(look(path, after ?? '', 'Say it better', before)).toBeNull()
  expect(look(path, text.replace('%', 'not implemented'), 'Say it better', before)).not.toBeNull()
})

it.each(stubs)('%s %j does nothing', (path, text) => {
  expect(look(path, text)).toMatch(new RegExp(`^${path}: `))
  expect(look(path, text, 'Add a stub of the parser')).toBeNull()
})

it.each([
  ['a.js', "export const greet = () => 'hello'\n"],
  ['a.js', 'export const value = 1\n'],
  ['a.js', "export { parse } from './parse.js'\n"],
  ['a.py', 'LIMIT = 3\n'],
  ['a.py', 'def parse(text):\n    if not text:\n        return None\n    return text.split()\n'],
  ['a.py', 'class ParseError(Exception):\n    def __str__(self):\n        return self.args[0]\n'],
  ['a.go', 'package a\n\nfunc Parse(text string) (string, error) {\n\treturn text, nil\n}\n'],
  ['README.md', 'pass\n'],
  ['a.js', `export class Data { ${'a = 1; '.repeat(50)}}\nexport function parse() {}\n`],
  ['test/a.test.js', 'export function parse() {}\n'],
  ['a.py', 'class NotFound(Exception):\n    pass\n\n\nclass Denied(NotFound): ...\n'],
  [
    'a.py',
    'class Shape(ABC):\n    @abstractmethod\n    def area(self) -> float:\n        raise NotImplementedError\n',
  ],
  ['a.py', '@overload\ndef at(x: int) -> int: ...\n'],
  ['a.py', 'class Store(Protocol):\n    def at(self, key: str) -> str:\n        ...\n'],
  ['a.pyi', 'def parse(text: str) -> str: ...\n'],
  ['a.ts', 'export class Point {\n  constructor(readonly x: number) {}\n}\n'],
  ['A.java', 'public record A(int x, int y) {}\n'],
  ['a.kt', 'data class Point(val x: Int) {}\n'],
  ['a.php', '<?php\nclass A\n{\n    public function __construct(public int $x) {}\n}\n'],
  ['a.js', 'export class NullLogger {\n  log() {}\n}\n'],
])('%s %j does something, or is no code', (path, text) => {
  expect(look(path, text)).toBeNull()
})

it('ends on generated lines', () => {
  const texts = ['=> { ', '): ', 'pub(a) ', 'a '].map((part) => part.repeat(40_000))
  expect(texts.map((text) => look('a.js', text))).toEqual([null, null, null, null])
})

it('checks only the lines that a change adds', () => {
  const before = 'def a(text):\n    return text.strip()\n'
  expect(look('a.py', `${before}\n\ndef b():\n    pass\n`, 'Add b', before)).toBe('a.py: pass')
  expect(look('a.py', before.replace('strip', 'lower'), 'Lower it', before)).toBeNull()
  expect(look('a.py', '', 'Clean up', before)).toBeNull()
  const guard = 'def may(user):\n    return user.known\n'
  expect(look('a.py', guard.replace('user.known', 'False'), 'Deny it', guard)).toBeNull()
  expect(look('a.py', guard.replace('return user.known', 'pass'), 'Mend it', guard)).not.toBeNull()
  const left = 'def may(user):\n    raise NotImplementedError\n'
  expect(look('a.py', 'def may(user):\n    return None\n', 'Write it', left)).not.toBeNull()
  const port = 'class Store(Protocol):\n    def one(self): ...\n'
  expect(look('a.py', `${port}\n    def two(self): ...\n`, 'Add two', port)).toBeNull()
  expect(look('a.py', `${port}\ndef two(): ...\n`, 'Add two', port)).toBe('a.py: def two(): ...')
})

it.each([
  ['a.js', "const one = () => 1\nfunction two() {\n  throw new Error('not implemented')\n}\n", 1],
  ['a.py', 'def one():\n    return 1\n\n\ndef two():\n    pass\n', 1],
  ['a.py', 'def one():\n    return 1\n\n\ndef two(): ...\n', 1],
  ['a.py', 'def one(x):\n    try:\n        return x()\n    except OSError:\n        pass\n', 0],
  ['a.rs', 'fn one() -> u8 {\n    1\n}\n\nfn two() {\n    todo!()\n}\n', 1],
  ['a.go', 'package a\n\nfunc Two() {\n\tpanic("TODO")\n}\n', 1],
  [
    'A.java',
    'class A {\n  void b() {\n    throw new UnsupportedOperationException();\n  }\n}\n',
    1,
  ],
  ['a.js', 'export function find() {\n  return null\n}\n', 0],
  ['a.py', 'class One(ABC):\n    def two(self):\n        raise NotImplementedError\n', 0],
  ['a.test.js', "function two() {\n  throw new Error('not implemented')\n}\n", 0],
])('counts what a change leaves for later: %s %j', (path, content, number) => {
  expect(findStubs([{ action: 'create', path, content }]).stubs).toHaveLength(number)
})
