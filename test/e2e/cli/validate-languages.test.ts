import { describe, expect, it } from 'vitest'
import { loadSnippets, snippetLanguages } from '../../../scores/validation.ts'
import { createProject } from './bench.ts'

const byComparison = ['c', 'cpp', 'csharp', 'kotlin', 'swift']

interface Report {
  readonly path: string
  readonly valid: boolean
  readonly checked: boolean
  readonly problems: readonly object[]
}

// The parsers of the bundle find their modules beside it, whatever folder they are started in.
describe('validate, from the bundle', () => {
  it('reads a good text and finds a mistake in every language', async () => {
    const files: Record<string, string> = {}
    for (const language of snippetLanguages) {
      const { valid, mistakes } = await loadSnippets(language)
      for (const [name, snippet] of [
        ['good', valid[0]],
        ['bad', mistakes[0]],
      ] as const) {
        if (snippet) files[`${name}/${language}/${snippet.path.split('/').at(-1)}`] = snippet.text
      }
    }
    using project = createProject(files)
    const paths = Object.keys(files)
    const { code, stdout, stderr } = await project.run(['validate', ...paths, '--json'])
    expect(code, stderr).toBe(1)
    const reports: readonly Report[] = JSON.parse(stdout)
    expect(reports.map(({ path }) => path)).toEqual(paths)
    for (const report of reports) {
      const [kind, language = ''] = report.path.split('/')
      const isUnsure = kind === 'bad' && byComparison.includes(language)
      expect(report).toMatchObject({ valid: kind === 'good' || isUnsure, checked: !isUnsure })
      expect(Object.keys(report)).toEqual(['path', 'language', 'valid', 'checked', 'problems'])
    }
  })

  it('tells a person what may be wrong', async () => {
    using project = createProject({
      'a.c': 'int f( {\n',
      'a.html': '<p id=a id=b>\n',
      'README.md': '```js\nvar =\n```\n',
    })
    const { code, stdout } = await project.run(['validate', 'a.c', 'a.html', 'README.md'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^a\.c {2}not checked \(c\)\na\.c:1:1 hint: /)
    expect(stdout).toContain('a.html:1:11 hint: This attribute is given twice.')
    expect(stdout).toContain('README.md:2:5 hint: This js example does not parse')
  })
})
