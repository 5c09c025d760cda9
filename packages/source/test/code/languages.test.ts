import { describe, expect, test } from 'vitest'
import { excerptAround } from '../../../judge/validate/explain.ts'
import { languageOf } from '../../code/languages.ts'

describe('languageOf', () => {
  test.each([
    ['src/a.JS', '', 'javascript'],
    ['a.mjs', '', 'javascript'],
    ['a.d.ts', '', 'typescript'],
    ['a.cts', '', 'typescript'],
    ['a.tsx', '', 'tsx'],
    ['package.json', '', 'json'],
    ['packages/a/tsconfig.build.json', '', 'jsonc'],
    ['.vscode/launch.json', '', 'jsonc'],
    ['vscode/launch.json', '', 'json'],
    ['.github/workflows/ci.yml', '', 'yaml'],
    ['chart/templates/a.yaml', '{{ .Values }}', 'template'],
    ['chart/templates/a.yaml', 'a: 1', 'yaml'],
    ['Cargo.lock', '', 'toml'],
    ['a.pyi', '', 'python'],
    ['bin/run', '#!/usr/bin/env node\n', 'javascript'],
    ['bin/run', '#!/usr/bin/env -S python3 -u\n', 'python'],
    ['bin/run', '#!/bin/bash\n', 'shell'],
    ['bin/run', '', 'unknown'],
    ['constructor', '', 'unknown'],
    ['a.__proto__', '', 'unknown'],
    ['Dockerfile', '', 'dockerfile'],
    ['docker/Dockerfile.dev', '', 'dockerfile'],
    ['src/dockerfile.js', '', 'javascript'],
    ['web.dockerfile', '', 'dockerfile'],
    ['Rakefile', '', 'ruby'],
    ['build.gradle.kts', '', 'kotlin'],
    ['bin/run', '#!/usr/bin/env ruby\n', 'ruby'],
    ['renovate.json', '', 'jsonc'],
    ['.gitignore', '', 'unknown'],
  ])('%s %j is %s', (path, text, language) => {
    expect(languageOf(path, text)).toBe(language)
  })
})

describe('excerptAround', () => {
  const text = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`).join('\r\n')

  test('numbers the lines and marks the one', () => {
    expect(excerptAround(text, 10, 1)).toBe('   9 | line 9\n> 10 | line 10\n  11 | line 11')
  })

  test.each([
    ['the whole file', 0, '  1 | line 1\n  2 | line 2'],
    ['the first line', 1, '> 1 | line 1\n  2 | line 2'],
    ['a line past the end', 99, '  11 | line 11\n  12 | line 12'],
  ])('shows the existing lines for %s', (_name, line, excerpt) => {
    expect(excerptAround(text, line, 1)).toBe(excerpt)
  })

  test('cuts lines of minified code', () => {
    expect(excerptAround('x'.repeat(1_000_000), 1).length).toBeLessThan(300)
  })
})
