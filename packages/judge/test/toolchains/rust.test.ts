import { describe, expect, it } from 'vitest'
import { has, type Row, show, verifyProject } from './toolchain.ts'

const crate = { 'Cargo.toml': '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n' }
const library = (add: string) =>
  [
    `pub fn add(a: i32, b: i32) -> i32 { ${add} }`,
    '#[cfg(test)]',
    'mod tests {',
    '    #[test]',
    '    fn adds() {',
    '        assert_eq!(super::add(1, 2), 3);',
    '    }',
    '    #[test]',
    '    #[ignore]',
    '    fn later() {}',
    '}',
  ].join('\n')

const rows: readonly Row[] = [
  {
    name: 'passes',
    texts: { ...crate, 'src/lib.rs': library('a + b') },
    shown: ['cargo test: ended well, 1 + 0 + 1'],
  },
  {
    name: 'fails, in two programs',
    texts: {
      ...crate,
      'src/lib.rs': library('a - b'),
      'tests/outside.rs': '#[test]\nfn outside() { panic!("bad") }\n',
    },
    shown: [
      'cargo test: ended badly, 0 + 2 + 1',
      expect.stringMatching(/^tests > adds \| src\/lib\.rs:6 \| panic \| /),
      expect.stringMatching(/^outside \| tests\/outside\.rs:2 \| panic \| /),
    ],
  },
  {
    name: 'does not build',
    texts: { ...crate, 'src/lib.rs': library('"x"') },
    shown: [
      'cargo test: ended badly, unknown',
      'E0308: mismatched types | src/lib.rs:1 | E0308 | mismatched types',
    ],
  },
  {
    name: 'lacks a module and a crate',
    texts: { ...crate, 'src/lib.rs': 'mod user;\nuse serde::Serialize;\n' },
    shown: [
      'cargo test: ended badly, unknown',
      expect.stringMatching(/\| src\/lib\.rs:1 \| E0583 \| file not found for module `user`$/),
      expect.stringMatching(/\| src\/lib\.rs:2 \| E0432 \| unresolved import `serde`$/),
    ],
  },
  {
    name: 'does not build in one of its programs',
    texts: {
      ...crate,
      'src/lib.rs': library('a + b'),
      'tests/red.rs': '#[test]\nfn red() { panic!("bad") }\n',
      'tests/outside.rs': 'use shop::no;\n#[test]\nfn outside() { no() }\n',
    },
    shown: [
      'cargo test: ended badly, 1 + 1 + 1',
      expect.stringMatching(/^red \| tests\/red\.rs:2 \| panic \| /),
      expect.stringMatching(/\| tests\/outside\.rs:1 \| E0432 \| unresolved import `shop::no`$/),
    ],
  },
  {
    name: 'is a workspace that does not build in one of its packages',
    texts: {
      'Cargo.toml': '[workspace]\nmembers = ["a", "b"]\nresolver = "2"\n',
      'a/Cargo.toml': crate['Cargo.toml'],
      'a/src/lib.rs': library('"x"'),
      'b/Cargo.toml': crate['Cargo.toml'].replace('shop', 'b'),
      'b/src/lib.rs': library('a + b'),
    },
    shown: [
      'cargo test: ended badly, 1 + 0 + 1',
      'E0308: mismatched types | a/src/lib.rs:1 | E0308 | mismatched types',
    ],
  },
  {
    name: 'has no tests',
    texts: { ...crate, 'src/lib.rs': '' },
    shown: ['cargo test: ended well, 0 + 0 + 0'],
  },
  {
    name: 'is a workspace',
    texts: {
      'Cargo.toml': '[workspace]\nmembers = ["a"]\nresolver = "2"\n',
      'a/Cargo.toml': crate['Cargo.toml'],
      'a/src/lib.rs': library('a - b'),
    },
    shown: [
      'cargo test: ended badly, 0 + 1 + 1',
      expect.stringMatching(/^tests > adds \| a\/src\/lib\.rs:6 \| panic \| /),
    ],
  },
]

describe.runIf(has('cargo', 'cc'))('cargo', () => {
  it.each(rows)('that $name', { timeout: 120_000 }, async ({ texts, shown }) => {
    expect(show(await verifyProject(texts))).toEqual(shown)
  })

  it('that hangs is stopped', { timeout: 120_000 }, async () => {
    const texts = {
      ...crate,
      'src/lib.rs':
        '#[test]\nfn hangs() { std::thread::sleep(std::time::Duration::from_secs(3600)) }\n',
    }
    const [report] = await verifyProject(texts, { timeoutSeconds: 6 })
    expect(report).toMatchObject({ timedOut: true, exitCode: null })
  })
})
