import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { createProject } from './bench.ts'
import { differences, photograph } from './look-at-disk.ts'

const files = { 'src/a.js': 'export const a = 1\nexport const b = 2\n' }
const good = `Here you are:
\`\`\`diff
--- a/src/a.js
+++ b/src/a.js
@@ -10,2 +12 @@
export const a = 1
-export const b = 2
+export const b = 3
\`\`\`
src/c.js
\`\`\`js
export const c = 4
\`\`\`
`
const bad = `${good}../outside.js
\`\`\`js
x
\`\`\`
`

describe.concurrent('apply', () => {
  it('shows as JSON what would be made, and writes nothing', async () => {
    using project = createProject(files)
    project.put('answer.md', good)
    const before = photograph(project.path)
    const { code, stdout, stderr } = await project.run(['apply', 'answer.md', '--json'])
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      files: [
        {
          path: 'src/a.js',
          action: 'modify',
          applied: true,
          content: 'export const a = 1\nexport const b = 3\n',
        },
        { path: 'src/c.js', action: 'create', applied: true, content: 'export const c = 4\n' },
      ],
      refused: [],
      notes: [],
    })
    expect(differences(before, photograph(project.path))).toEqual([])
  })

  it('writes with --write, from standard input, in another folder', async () => {
    using project = createProject(files)
    const args = ['apply', '-', '--write', '--repo', project.path]
    const more = { input: good, directory: project.root }
    const { code, stderr } = await project.run(args, {}, more)
    expect(code, stderr).toBe(0)
    expect(stderr).toContain('+export const b = 3')
    expect(stderr).toContain('2 files changed.')
    expect(readFileSync(join(project.path, 'src/a.js'), 'utf8')).toContain('b = 3')
    expect(readFileSync(join(project.path, 'src/c.js'), 'utf8')).toBe('export const c = 4\n')
  })

  it('writes nothing when a part is refused, and follows no link', async () => {
    using project = createProject(files)
    symlinkSync('/etc', join(project.path, 'out'))
    const before = photograph(project.path)
    const answer = `${bad}out/passwd\n\`\`\`\nx\n\`\`\`\n.github/workflows/x.yml\n\`\`\`\nx: 1\n\`\`\`\n`
    const { code, stdout } = await project.run(
      ['apply', '-', '--write', '--json'],
      {},
      { input: answer },
    )
    expect(code).toBe(1)
    const { files: made, refused } = JSON.parse(stdout)
    expect(made.every(({ applied }: { applied: boolean }) => !applied)).toBe(true)
    expect(refused.map(({ path }: { path: string }) => path).toSorted()).toEqual([
      '../outside.js',
      '.github/workflows/x.yml',
      'out/passwd',
    ])
    expect(differences(before, photograph(project.path))).toEqual([])
    expect(existsSync(join(project.root, 'outside.js'))).toBe(false)
  })

  test.each([
    ['does not parse', 'src/a.js\n```\nexport const a = 1\nexport const b =\n```\n', /line 2/],
    [
      'imports what is not there',
      'src/c.js\n```js\nimport { a } from "./nowhere.js"\nexport const c = a\n```\n',
      /nowhere\.js/,
    ],
    [
      'loses what another file uses',
      'src/a.js\n```js\nexport const a = 3\n```\n',
      /b \(used in src\/d\.js\)/,
    ],
  ])('refuses and writes nothing when a file %s', async (_, answer, reason) => {
    using project = createProject({
      ...files,
      'src/d.js': "import { b } from './a.js'\nexport const d = b\n",
    })
    const before = photograph(project.path)
    const args = ['apply', '-', '--write', '--json']
    const { code, stdout, stderr } = await project.run(args, {}, { input: answer })
    expect(code, stderr).toBe(1)
    expect(JSON.parse(stdout).refused).toMatchObject([{ reason: expect.stringMatching(reason) }])
    expect(differences(before, photograph(project.path))).toEqual([])
  })

  test.each([
    ['a file that is not there', ['apply', 'nothing.md'], 2, /Cannot read nothing\.md/],
    ['a folder', ['apply', 'src'], 2, /Cannot read src/],
    ['a folder that is not there', ['apply', '-', '--repo', 'nowhere'], 2, /no folder .*nowhere/],
    ['no answer', ['apply', '-'], 1, /The answer was empty/],
    ['no argument', ['apply'], 2, /missing required argument/],
  ])('says what is wrong: %s', async (_, args, exit, words) => {
    using project = createProject(files)
    const { code, stderr } = await project.run(args)
    expect(stderr).toMatch(words)
    expect(code).toBe(exit)
  })
})
