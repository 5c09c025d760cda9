import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { runs } from '../../../../../test/property-runs.ts'
import { applyReply } from '../../../answer/apply-reply.ts'
import { parseReply } from '../../../answer/parse-reply.ts'

const fence = '```'
const old = `import { a } from './a'

function first() {
  const x = 1
  return x
}

function second() {
  const y = 2
  return y
}
`
const renewed = old.replace('y = 2', 'y = 3')
const apply = (answer: string, files: Readonly<Record<string, string>> = { 'src/f.js': old }) => {
  const reply = parseReply(answer)
  const applied = applyReply(reply, (path) =>
    Object.hasOwn(files, path) ? files[path] : undefined,
  )
  return { ...applied, refusals: [...reply.refusals, ...applied.refusals] }
}
const hunk = '@@ -8,3 +8,3 @@\n function second() {\n-  const y = 2\n+  const y = 3\n   return y\n'
const modified = [{ action: 'modify', path: 'src/f.js', before: old, content: renewed }]

describe('where the path stands', () => {
  test.each([
    [
      'git',
      `diff --git a/src/f.js b/src/f.js\nindex 1a..2b 100644\n--- a/src/f.js\n+++ b/src/f.js\n${hunk}`,
    ],
    ['only diff --git', `diff --git a/src/f.js b/src/f.js\n${hunk}`],
    ['no prefixes', `--- src/f.js\n+++ src/f.js\n${hunk}`],
    ['one prefix', `--- a/src/f.js\n+++ src/f.js\n${hunk}`],
    ['other prefixes', `--- i/src/f.js\n+++ w/src/f.js\n${hunk}`],
    ['dates', `--- a/src/f.js\t2024-01-02 03:04:05\n+++ b/src/f.js\t2024-01-02 03:04:06\n${hunk}`],
    ['old copy', `--- src/f.js.orig\n+++ src/f.js\n${hunk}`],
    ['words', `--- src/f.js (original)\n+++ src/f.js (updated)\n${hunk}`],
    ['only +++', `+++ b/src/f.js\n${hunk}`],
    ['quoted', `--- "a/src/f.js"\n+++ "b/src/f.js"\n${hunk}`],
    ['envelope', `*** Begin Patch\n*** Update File: src/f.js\n${hunk}*** End Patch\n`],
    ['envelope without ends', `*** Update File: src/f.js\n${hunk}`],
    ['svn', `Index: src/f.js\n${'='.repeat(67)}\n--- src/f.js\n+++ src/f.js\n${hunk}`],
  ])('%s, with a fence and without', (_, text) => {
    for (const answer of [
      `${fence}diff\n${text}${fence}`,
      `Here:\n\n${text}\nThat is it.\n- One\n- Two\n`,
    ]) {
      expect(apply(answer)).toEqual({ changes: modified, refusals: [], notes: [] })
    }
  })

  test.each([
    ['before the fence', `src/f.js\n${fence}diff\n${hunk}${fence}`],
    ['in the fence', `${fence}diff\nsrc/f.js\n${hunk}${fence}`],
    ['in the info string', `${fence}diff src/f.js\n${hunk}${fence}`],
    ['in a sentence', `Change \`src/f.js\` so:\n${fence}diff\n${hunk}${fence}`],
    ['before a bare diff', `**src/f.js**\n\n${hunk}`],
  ])('%s', (_, answer) => {
    expect(apply(answer)).toEqual({ changes: modified, refusals: [], notes: [] })
  })

  it('takes the expected path for a diff that has none', () => {
    const reply = parseReply(`${fence}diff\n${hunk}${fence}`, { expectedPath: 'src/f.js' })
    expect(reply).toMatchObject({ proposals: [{ kind: 'hunks', path: 'src/f.js' }], refusals: [] })
  })

  it("reads git's octal names", () => {
    const answer = `--- "a/caf\\303\\251.js"\n+++ "b/caf\\303\\251.js"\n${hunk}`
    expect(apply(answer, { 'café.js': old }).changes).toMatchObject([{ path: 'café.js' }])
  })

  it('leaves a patch that is a file alone', () => {
    const answer = `fix.patch\n${fence}diff\n--- a/x\n+++ b/x\n${hunk}${fence}`
    expect(apply(answer).changes).toMatchObject([{ action: 'create', path: 'fix.patch' }])
  })
})

describe('files that come and go', () => {
  const files = { 'src/f.js': old, 'b.txt': 'b\n' }
  test.each([
    ['/dev/null', '--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1,2 @@\n+x\n+y\n', 'create', 'n.txt'],
    [
      'new file mode',
      'diff --git a/n.txt b/n.txt\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1,2 @@\n+x\n+y\n',
      'create',
      'n.txt',
    ],
    [
      'Add File',
      '*** Begin Patch\n*** Add File: n.txt\n+x\n+y\n*** End Patch\n',
      'create',
      'n.txt',
    ],
    [
      'Add File without plus',
      '*** Begin Patch\n*** Add File: n.txt\nx\ny\n*** End Patch\n',
      'create',
      'n.txt',
    ],
    ['nothing but plus', '--- a/n.txt\n+++ b/n.txt\n@@ -0,0 +1,2 @@\n+x\n+y\n', 'create', 'n.txt'],
    ['to /dev/null', '--- a/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n', 'delete', 'b.txt'],
    [
      'deleted file mode',
      'diff --git a/b.txt b/b.txt\ndeleted file mode 100644\n--- a/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n',
      'delete',
      'b.txt',
    ],
    ['Delete File', '*** Begin Patch\n*** Delete File: b.txt\n*** End Patch\n', 'delete', 'b.txt'],
  ])('%s', (_, diff, action, path) => {
    for (const answer of [diff, `${fence}diff\n${diff}${fence}`]) {
      const { changes, refusals } = apply(answer, files)
      expect(refusals).toEqual([])
      expect(changes).toMatchObject([
        { action, path, ...(action === 'create' ? { content: 'x\ny\n' } : {}) },
      ])
    }
  })

  test.each([
    [
      'git',
      `diff --git a/src/f.js b/src/g.js\nsimilarity index 90%\nrename from src/f.js\nrename to src/g.js\nindex 1..2 100644\n--- a/src/f.js\n+++ b/src/g.js\n${hunk}`,
      renewed,
    ],
    [
      'git, as it was',
      'diff --git a/src/f.js b/src/g.js\nsimilarity index 100%\nrename from src/f.js\nrename to src/g.js\n',
      old,
    ],
    [
      'envelope',
      `*** Begin Patch\n*** Update File: src/f.js\n*** Move to: src/g.js\n${hunk}*** End Patch`,
      renewed,
    ],
    ['a line', 'RENAME: src/f.js -> src/g.js', old],
    ['a marked line', '- **Rename:** `src/f.js` → `src/g.js`', old],
    ['to', 'MOVE src/f.js to src/g.js', old],
  ])('rename: %s', (_, answer, content) => {
    const { changes, refusals } = apply(answer)
    expect(refusals).toEqual([])
    expect(changes).toEqual([
      { action: 'delete', path: 'src/f.js', before: old },
      { action: 'create', path: 'src/g.js', content },
    ])
  })

  it('reads several files in one fence', () => {
    const answer = `${fence}diff\ndiff --git a/src/f.js b/src/f.js\n--- a/src/f.js\n+++ b/src/f.js\n${hunk}\ndiff --git a/b.txt b/b.txt\n--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-b\n+c\n${fence}`
    expect(apply(answer, files).changes).toMatchObject([
      { path: 'src/f.js', content: renewed },
      { path: 'b.txt', content: 'c\n' },
    ])
  })
})

describe('one place, or none', () => {
  const twins = 'a\nx\nb\na\nx\nb\nend\n'
  test.each([
    ['the order of the hunks', '@@\n-end\n+END\n', 'a\n-x\n+X\n b\n', null],
    [
      'a hunk before',
      `@@\n a\n-x\n+X\n b\n a\n@@\n a\n-x\n+Y\n b\n`,
      '',
      'a\nX\nb\na\nY\nb\nend\n',
    ],
  ])('%s', (_, first, second, content) => {
    const { changes, refusals } = apply(`t.txt\n${fence}diff\n${first}${second}${fence}`, {
      't.txt': twins,
    })
    if (content === null) expect(refusals).toHaveLength(1)
    else expect(changes).toMatchObject([{ content }])
  })

  it('keeps to the block that the heading names', () => {
    const file =
      'class A:\n    def f(self):\n        return 1\n\nclass B:\n    def f(self):\n        return 1\n'
    const answer = (heading: string) =>
      `t.py\n${fence}diff\n@@ ${heading}\n     def f(self):\n-        return 1\n+        return 2\n${fence}`
    expect(apply(answer('class B:'), { 't.py': file }).changes).toMatchObject([
      { content: `${file.slice(0, -2)}2\n` },
    ])
    expect(apply(answer('-1,2 +1,2 @@ class B:'), { 't.py': file }).changes).toHaveLength(1)
    expect(apply(answer('class C:'), { 't.py': file }).refusals).toMatchObject([
      { reason: /more than one place \(lines 2, 6/ },
    ])
  })

  const rows = ' f({\n   a\n })\n'
  const listOf = (...texts: string[]) =>
    texts.flatMap((text) => ['f({', '  a', '})', ...(text === '' ? [] : [text])]).join('\n')
  test.each([
    ['at its end', `${rows}+end\n`, listOf('', '', 'end')],
    ['at its beginning', `+start\n${rows}`, `start\n${listOf('', '', '')}`],
    ['nowhere, with less context', ' })\n+end\n', null],
    ['nowhere, where lines go', `${rows.replace(' })', '-})')}+}))\n`, null],
  ])(
    'places lines with context on one side alone at the edge of the file: %s',
    (_, body, content) => {
      const { changes } = apply(`t.js\n${fence}diff\n@@\n${body}${fence}`, {
        't.js': `${listOf('', '', '')}\n`,
      })
      expect(changes).toMatchObject(content === null ? [] : [{ content: `${content}\n` }])
    },
  )

  const twice = ' a\n-x\n+X\n b\n'
  test.each([
    ['one hunk', `@@ -4,3 +4,3 @@\n${twice}`, 'a\nx\nb\na\nX\nb\nend\n'],
    [
      'the same hunk at two lines',
      `@@ -1,3 +1,3 @@\n${twice}@@ -4,3 +4,3 @@\n${twice}`,
      'a\nX\nb\na\nX\nb\nend\n',
    ],
    [
      'a heading above another block',
      `@@ -4,3 +4,3 @@ a\n${twice}@@ -7,1 +7,2 @@ b\n end\n+.\n`,
      'a\nx\nb\na\nX\nb\nend\n.\n',
    ],
  ])('takes line numbers that prove themselves: %s', (_, hunks, content) => {
    const json = JSON.stringify({ path: 't.txt', diff: `--- a/t.txt\n+++ b/t.txt\n${hunks}` })
    for (const answer of [`t.txt\n${fence}diff\n${hunks}${fence}`, json]) {
      const { changes, refusals } = apply(answer, { 't.txt': twins })
      expect(refusals).toEqual([])
      expect(changes).toMatchObject([{ content }])
    }
  })

  test.each([
    ['another line', `@@ -3,3 +3,3 @@\n${twice}`],
    ['wrong counts', `@@ -4,4 +4,4 @@\n${twice}`],
    ['a new number that does not follow', `@@ -4,3 +5,3 @@\n${twice}`],
    ['another hunk elsewhere', `@@ -4,3 +4,3 @@\n${twice}@@ -6,1 +6,1 @@\n-end\n+END\n`],
    ['other white space', '@@ -4,3 +4,3 @@\n a \n-x\n+X\n b\n'],
  ])('trusts no other line number: %s', (_, hunks) => {
    const answer = `t.txt\n${fence}diff\n${hunks}${fence}`
    expect(apply(answer, { 't.txt': twins }).refusals).toMatchObject([
      { reason: /more than one place/ },
    ])
  })

  test.each([
    ['made up', ' function second() {\n   setUp()\n-  const y = 2\n+  const y = 3\n   return y\n'],
    [
      'dropped',
      ' \n function first() {\n   return x\n }\n \n function second() {\n-  const y = 2\n+  const y = 3\n',
    ],
  ])('overlooks one unchanged line that was %s', (_, body) => {
    const { changes, refusals, notes } = apply(`src/f.js\n${fence}diff\n@@\n${body}${fence}`)
    expect(refusals).toEqual([])
    expect(changes).toMatchObject([{ content: renewed }])
    expect(notes).toMatchObject([/an edit was placed despite an unchanged line/])
  })

  test.each([
    [
      'put in place of another',
      ' function second() {\n   const z = 2\n-  return y\n+  return 0\n }\n',
    ],
    ['made up at the edge', ' function third() {\n   const y = 2\n-  return y\n+  return 0\n }\n'],
    [
      'made up beside another',
      ' function second() {\n   a()\n   b()\n-  const y = 2\n+  const y = 3\n   return y\n',
    ],
    ['dropped beside the change', ' function second() {\n+  setUp()\n   return y\n }\n'],
    ['removed, and not there', ' function second() {\n-  setUp()\n   const y = 2\n   return y\n'],
  ])('refuses a line %s', (_, body) => {
    expect(apply(`src/f.js\n${fence}diff\n@@\n${body}${fence}`)).toMatchObject({
      changes: [],
      refusals: [{}],
    })
  })

  it('makes hunks that are written against one another', () => {
    const answer = `t.txt\n${fence}diff\n@@\n-one\n+ONE\n two\n@@\n ONE\n-two\n+TWO\n${fence}`
    expect(apply(answer, { 't.txt': 'one\ntwo\n' }).changes).toMatchObject([
      { content: 'ONE\nTWO\n' },
    ])
  })

  it('makes the hunks that fit, and says which does not and why', () => {
    const answer = `src/f.js\n${fence}diff\n${hunk}@@ -20,2 +20,2 @@\n function third() {\n-  const z = 1\n+  const z = 2\n${fence}`
    const { changes, refusals } = apply(answer)
    expect(changes).toEqual(modified)
    expect(refusals).toMatchObject([
      {
        path: 'src/f.js',
        reason: /^hunk 2 of the diff has a line that is not in the file: `function third\(\) {`/,
      },
    ])
  })

  test.each([
    [
      'invented context',
      ' function second() {\n   setUp()\n   tearDown()\n-  const y = 2\n+  const y = 3\n',
      /not in the file: `setUp\(\)`/,
    ],
    [
      'lines apart',
      ' function first() {\n-  const y = 2\n+  const y = 3\n',
      /do not follow one another/,
    ],
    ['elision', ' function second() {\n   // ...\n-  return y\n+  return 0\n', /leaves lines out/],
    ['dots', ' function second() {\n ...\n-  return y\n+  return 0\n', /leaves lines out/],
    [
      'elision in added lines',
      ' function second() {\n+  // ... rest of the function\n-  return y\n',
      /leaves code out/,
    ],
    [
      'done already',
      ' function second() {\n-  const y = 1\n+  const y = 2\n   return y\n',
      /already in the file/,
    ],
    ['only added lines', '+// end\n', /no lines of the file around/],
    ['no change', ' function second() {\n   const y = 2\n', /changes nothing/],
    ['no difference', '-  const y = 2\n+  const y = 2\n', /changes nothing/],
  ])('refuses %s', (_, body, reason) => {
    const { changes, refusals } = apply(`src/f.js\n${fence}diff\n@@ -1,2 +1,2 @@\n${body}${fence}`)
    expect(changes).toEqual([])
    expect(refusals).toMatchObject([{ path: 'src/f.js', reason }])
    expect(refusals[0]?.excerpt).not.toBe('')
  })

  test.each([
    ['two files', '--- a/x.js\n+++ b/y.js\n@@\n-a\n+b\n', /names two files, x\.js and y\.js/],
    [
      'copy',
      'diff --git a/x b/y\nsimilarity index 90%\ncopy from src/f.js\ncopy to src/g.js\n',
      /copies a file/,
    ],
    ['mode', 'diff --git a/src/f.js b/src/f.js\nold mode 100644\nnew mode 100755\n', /mode/],
    [
      'binary',
      'diff --git a/p.png b/p.png\nindex 1..2 100644\nBinary files a/p.png and b/p.png differ\n',
      /binary/,
    ],
    ['a missing file', `--- a/no.js\n+++ b/no.js\n${hunk}`, /no such file/],
    [
      'a path that leads out',
      '--- a/../x.js\n+++ b/../x.js\n@@\n-a\n+b\n',
      /out of the repository/,
    ],
    ['a NUL', '--- a/x\0.js\n+++ b/x\0.js\n@@\n-a\n+b\n', /control characters/],
    ['rename to a file that is there', 'RENAME: src/f.js -> src/f.js', /changed nothing/],
    [
      'an emptied file',
      `--- a/src/f.js\n+++ b/src/f.js\n@@\n${old.replace(/^/gm, '-').slice(0, -1)}`,
      /would be empty/,
    ],
  ])('refuses %s', (_, answer, reason) => {
    const { changes, refusals } = apply(answer)
    expect(changes).toEqual([])
    expect(refusals).toMatchObject([{ reason }])
  })

  it('refuses the last hunk of an answer that is cut off, and keeps the others', () => {
    const answer = `${fence}diff\n--- a/src/f.js\n+++ b/src/f.js\n${hunk}@@ -3,9 +3,9 @@\n function first() {\n-  const x`
    const { changes, refusals } = apply(answer)
    expect(changes).toEqual(modified)
    expect(refusals).toMatchObject([{ path: 'src/f.js', reason: /ends in the middle of the diff/ }])
  })

  it('takes an open fence whose counts are right for complete', () => {
    const answer = `${fence}diff\n--- a/src/f.js\n+++ b/src/f.js\n${hunk}`
    expect(apply(answer.trimEnd()).changes).toEqual(modified)
  })
})

describe('bytes', () => {
  test.each([
    ['CRLF file', 'a\r\nb\r\n', '@@\n a\n-b\n+c\n', 'a\r\nc\r\n'],
    ['open end kept', 'a\nb', '@@\n a\n-b\n+c\n', 'a\nc'],
    ['open end, line put in behind', 'a\nb', '@@\n b\n+c\n', 'a\nb\nc'],
    ['newline asked for', 'a\nb', '@@\n a\n-b\n\\ No newline at end of file\n+b\n', 'a\nb\n'],
    ['newline taken away', 'a\nb\n', '@@\n a\n-b\n+c\n\\ No newline at end of file\n', 'a\nc'],
    [
      'as deep as written, where the numbers are right',
      '  a\n  }\n\n}\n',
      '@@ -2,3 +2,7 @@\n   }\n \n+  w\n+   x\n+   y\n+\n }\n',
      '  a\n  }\n\n  w\n   x\n   y\n\n}\n',
    ],
    ["context is the file's", '\ta  \nb\n', '@@\n a\n-b\n+c\n', '\ta  \nc\n'],
    ['moved right, signs lost', '  a\n  b\n', '@@\n    a\n+    c\n    b\n', '  a\n  c\n  b\n'],
    ['list items', '- a\n- b\n', '@@\n- a\n-- b\n+- c\n', '- a\n- c\n'],
    ['end of file', 'x\na\nx\n', '@@\n x\n+y\n*** End of File\n', 'x\na\nx\ny\n'],
    ['templates are text', 'a\nb\n', '@@\n a\n-b\n+$& $1\n', 'a\n$& $1\n'],
  ])('%s', (_, before, diff, content) => {
    const { changes, refusals } = apply(`f.txt\n${fence}diff\n${diff}${fence}`, { 'f.txt': before })
    expect(refusals).toEqual([])
    expect(changes).toMatchObject([{ content }])
  })
})

describe('hostile', () => {
  const big = Array.from({ length: 5_000 }, (_, index) => `line ${index}\n`).join('')
  const same = 'x\n'.repeat(12_000)
  const header = '--- a/f.txt\n+++ b/f.txt\n'
  test.each([
    ['thousands of hunks', header + '@@ -1 +1 @@\n-line 1\n+line one\n'.repeat(1_200), big],
    [
      'hundreds that fit',
      header + Array.from({ length: 240 }, (_, i) => `@@\n-line ${i * 20}\n+l ${i}\n`).join(''),
      big,
    ],
    ['a hunk of 40,000 lines, twice', `${header}@@\n${'-x\n+y\n'.repeat(40_000)}`, same],
    ['equal lines', `${header}@@\n${' x\n'.repeat(5_000)}-y\n+z\n`, same],
    [
      'equal lines, again and again',
      `${header}${`@@\n${' x\n'.repeat(300)}+z\n`.repeat(225)}`,
      same,
    ],
    ['headings', header + '@@ def f\n'.repeat(25_000), big],
    ['headers', header.repeat(12_000), big],
    ['blank lines and prose', `${header}@@\n-line 1\n+l\n${'\nprose\n'.repeat(25_000)}`, big],
    ['blank lines and signs', `${header}@@\n-line 1\n${'\nprose\n'.repeat(25_000)}+l\n`, big],
    ['one long line', `${header}@@\n-${'a '.repeat(125_000)}\n+b\n`, big],
    ['back-slashes', `--- "a/${'\\'.repeat(200_000)}"\n+++ "b/x"\n@@\n-a\n+b\n`, big],
    ['spaces', `--- a/x${' '.repeat(200_000)}y\n+++ b/x\n@@\n-a\n+b\n`, big],
    ['white space', `${header}@@\n${`-${' '.repeat(5_000)}a\n`.repeat(100)}`, big],
  ])('%s ends in words', (_, diff, file) => {
    for (const answer of [diff, `${fence}diff\n${diff}${fence}`]) {
      const { changes, refusals } = apply(answer, { 'f.txt': file })
      expect(changes.length + refusals.length).toBeGreaterThan(0)
    }
  })

  it('never throws, and touches only what a hunk names', () => {
    const line = fc.constantFrom(
      '--- a/f.txt',
      '+++ b/f.txt',
      '@@',
      '@@ -1,2 +1 @@ x',
      ' a',
      'a',
      '-a',
      '+a',
      '-b',
      '+b',
      '',
      '\\ No newline',
      '*** Begin Patch',
      '*** Update File: f.txt',
      '*** End Patch',
      'rename from f.txt',
      'rename to g.txt',
      'diff --git a/f.txt b/f.txt',
      '```',
      '```diff',
      '- a b',
      '*** End of File',
      'deleted file mode 100644',
      '@@@ -1 +1 @@@',
    )
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 25 }),
        fc.array(fc.constantFrom('a', 'b', ' a', ''), { maxLength: 8 }),
        (lines, file) => {
          const before = file.map((each) => `${each}\n`).join('')
          const { changes } = apply(lines.join('\n'), { 'f.txt': before })
          const allowed = /^(?:[ab]\/)?[fg]\.txt$/
          expect(changes.every(({ path }) => allowed.test(path))).toBe(true)
        },
      ),
      { numRuns: runs(500) },
    )
  })
})
