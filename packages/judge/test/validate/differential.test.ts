import { describe, expect, test } from 'vitest'
import { validateFile } from '../../validate/validate-file.ts'

const syntax = { check: async () => ({ status: 'unavailable' as const, reason: 'not used' }) }
const broken = 'const a = 1\nconst b = ;\nconst c = 3\n'

const check = async (before: string, text: string, path = 'a.js') => {
  const { valid, problems } = await validateFile({ path, text, before }, { syntax })
  return { valid, lines: problems.map(({ line }) => line) }
}

describe('validateFile with the text before', () => {
  test.each([
    ['a line is added above', `// note\n${broken}`],
    ['a line is added below', `${broken}const d = 4\n`],
    ['another line is changed', broken.replace('a = 1', 'a = 10')],
    ['the line is indented', broken.replace('const b', '  const b')],
  ])('keeps silent about an old error when %s', async (_name, text) => {
    expect(await check(broken, text)).toEqual({ valid: true, lines: [] })
  })

  test.each([
    ['a good file is broken', 'const b = 2\n', 'const b = ;\n', [1]],
    ['the old error is fixed and another made', broken, 'const b = 2\nconst c = ;\n', [2]],
    ['the old error comes first to a new file', '', broken, [2]],
    ['the broken line is changed but not mended', broken, broken.replace('b', 'bb'), [2]],
    ['another error of the same message', 'a(;\nb()\n', 'a()\nb(;\n', [2]],
  ])('reports the error when %s', async (_name, before, text, lines) => {
    expect(await check(before, text)).toEqual({ valid: false, lines })
  })

  test('tells lines that read the same apart by their place', async () => {
    const old = 'f(\n)\n}\ng()\nif (a) {\n}\n'
    expect(await check(old, `${old}h()\n`)).toEqual({ valid: true, lines: [] })
    const moved = 'f()\ng()\nif (a) {\n}\nh()\n}\nk()\n'
    expect(await check(old, moved)).toEqual({ valid: false, lines: [6] })
  })

  test('keeps silent about old conflict markers and bad characters, not about new ones', async () => {
    const conflict = '<<<<<<< HEAD\na()\n=======\nb()\n>>>>>>> topic\n'
    expect((await check(conflict, `c()\n${conflict}`)).valid).toBe(true)
    expect(await check('a()\n', conflict)).toEqual({ valid: false, lines: [1] })
    expect((await check('a\0\n', 'a\0\nb\n', 'notes.txt')).valid).toBe(true)
    expect((await check('a\n', 'a\0\n', 'notes.txt')).valid).toBe(false)
  })

  test('reports only the new one of several problems', async () => {
    const before = 'a: 1\na: 2\nb: 1\n'
    const report = await validateFile(
      { path: 'a.yml', text: `${before}b: 2\n`, before },
      { syntax },
    )
    expect(report.problems.map(({ line }) => line)).toEqual([4])
  })
})
