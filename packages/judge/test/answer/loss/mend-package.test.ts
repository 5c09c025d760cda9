import { describe, expect, it } from 'vitest'
import { mendPackage, packageNeighbours } from '../../../answer/loss/fit-node.ts'
import { readDraft } from '../../../answer/read-draft.ts'

const go = {
  'big.go': '// Package humanize is for people.\npackage humanize\n',
  'gen.go': '//go:build ignore\n\npackage main\n',
  'english/words.go': 'package english\n',
}
const inside = { ...go, 'big_test.go': 'package humanize\n' }
const outside = { ...go, 'big_test.go': 'package humanize_test\n' }
const both = { ...inside, 'ex_test.go': 'package humanize_test\n' }
const java = { 'src/a/b/Cart.java': '/* x */\npackage a.b;\n\nclass Cart {}\n' }

type Row = readonly [
  name: string,
  files: Readonly<Record<string, string>>,
  path: string,
  text: string,
  mended: string,
]

const rows: readonly Row[] = [
  [
    'after the file',
    go,
    'plural.go',
    'package plural\n\nfunc A() {}\n',
    'package humanize\n\nfunc A() {}\n',
  ],
  ['as a program', go, 'plural.go', '// Counts.\npackage main\n', '// Counts.\npackage humanize\n'],
  ['nowhere', go, 'plural.go', 'func A() {}\n', 'package humanize\n\nfunc A() {}\n'],
  ['of a test', inside, 'plural_test.go', 'package plural\n', 'package humanize\n'],
  [
    'of a test outside',
    outside,
    'plural_test.go',
    'package plural_test\n',
    'package humanize_test\n',
  ],
  ['of the first test', go, 'plural_test.go', 'package plural\n', 'package humanize\n'],
  [
    'in Java',
    java,
    'src/a/b/Shop.java',
    'package com.shop;\n\nclass Shop {}\n',
    'package a.b;\n\nclass Shop {}\n',
  ],
  [
    'in Java, nowhere',
    java,
    'src/a/b/Shop.java',
    'class Shop {}\n',
    'package a.b;\n\nclass Shop {}\n',
  ],
]

const right: readonly (readonly [string, Readonly<Record<string, string>>, string, string])[] = [
  [
    'below a comment with the word',
    { 'a.go': '/*\npackage x\n*/\npackage a\n' },
    'b.go',
    '/*\npackage b\n*/\npackage a\n',
  ],
  ['that is right', go, 'plural.go', 'package humanize\n'],
  ['of a test inside, beside one outside', outside, 'x_test.go', 'package humanize\n'],
  ['of a first test outside', go, 'x_test.go', 'package humanize_test\n'],
  ['of either test', both, 'x_test.go', 'package humanize_test\n'],
  ['of a file that stands apart', go, 'tool.go', '//go:build ignore\n\npackage main\n'],
  ['in a new folder', go, 'fresh/plural.go', 'package plural\n'],
  ['where two are', { 'a.go': 'package a\n', 'b.go': 'package b\n' }, 'c.go', 'package c\n'],
  ['of another language', { 'a.kt': 'package a\n' }, 'b.kt', 'package b\n'],
]

const mended = (files: Readonly<Record<string, string>>, path: string, text: string) => {
  const beside = packageNeighbours(path, Object.keys(files)).map(
    (each) => [each, files[each] ?? ''] as const,
  )
  return mendPackage(path, text, new Map(beside))
}

describe('the package of a new file', () => {
  it.each(rows)('is named as beside it: %s', (_, files, path, text, result) => {
    expect(mended(files, path, text)).toBe(result)
  })

  it.each(right)('stays: %s', (_, files, path, text) => {
    expect(mended(files, path, text)).toBe(text)
  })
})

describe('an answer', () => {
  const draft = async (answer: string) => {
    const files: Readonly<Record<string, string>> = inside
    const { changes } = await readDraft(answer, {
      base: [],
      expectedPath: undefined,
      paths: Object.keys(files),
      read: async (paths) =>
        new Map(paths.flatMap((path) => (files[path] ? [[path, files[path]]] : []))),
    })
    return changes.map((change) => ('content' in change ? change.content : change.action))
  }

  it('has the package of the files beside its new one', async () => {
    expect(await draft('plural.go\n```go\npackage plural\n```\n')).toEqual(['package humanize\n'])
  })

  it('renames a package when it writes all of its files', async () => {
    const all = ['big.go', 'big_test.go', 'gen.go', 'new.go']
    const answer = all.map((path) => `${path}\n\`\`\`go\npackage other\n\`\`\`\n`).join('')
    expect(await draft(answer)).toEqual(all.map(() => 'package other\n'))
  })
})
