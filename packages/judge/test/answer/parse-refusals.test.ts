import { describe, expect, it, test } from 'vitest'
import { parseReply } from '../../answer/parse-reply.ts'

const fence = '```'

describe('refusals', () => {
  test.each([
    ['empty', ' \n', '', /^The answer was empty\.$/],
    [
      'only thoughts',
      '<think>hm',
      '',
      /^The answer was empty: the model wrote only its reasoning\.$/,
    ],
    ['prose', 'You should add a test.', '', /^The answer has no file in it\.$/],
    ['commands only', `Run:\n${fence}bash\nnpm test\n${fence}`, '', /^The answer has no file/],
    ['no path', `${fence}js\nA\n${fence}`, '', /a code block without a path/],
    ['a sentence about a file', `In \`a.js\` add:\n${fence}js\nA\n${fence}`, '', /without a path/],
    [
      'a heading and a sample',
      `### a.js\nFor example:\n${fence}js\nA\n${fence}`,
      '',
      /without a path/,
    ],
    ['an expression', `### console.log\n${fence}js\nA\n${fence}`, '', /without a path/],
    ['a product', `### Node.js\n${fence}js\nA\n${fence}`, '', /without a path/],
    ['two paths', `### a.js\n${fence}js\n// b.js\nA\n${fence}`, '', /two paths/],
    ['two files', `${fence}js\n// a.js\nA\n\n// b.js\nB\n${fence}`, 'a.js', /more than one file/],
    ['cut file', `a.js\n${fence}js\nA`, 'a.js', /the answer ends in the middle of a\.js/],
    ['cut edit', 'a.js\n<<<<<<< SEARCH\nA\n=======\nB', 'a.js', /ends in the middle of a\.js/],
    [
      'edit without path',
      '<<<<<<< SEARCH\nA\n=======\nB\n>>>>>>> REPLACE',
      '',
      /edit without a path/,
    ],
    ['no divider', 'a.js\n<<<<<<< SEARCH\nA\n>>>>>>> REPLACE', 'a.js', /without a =======/],
    [
      'a diff without hunks',
      `a.js\n${fence}\n--- a/a.js\n+++ b/a.js\n${fence}`,
      'a.js',
      /the diff changes nothing/,
    ],
    [
      'a diff without path',
      `${fence}diff\n@@ -1 +1 @@\n-A\n+B\n${fence}`,
      '',
      /a diff without a path/,
    ],
  ])('%s', (_, text, path, reason) => {
    const reply = parseReply(text)
    expect(reply.proposals).toEqual([])
    expect(reply.refusals).toMatchObject([{ path, reason }])
    expect(reply.claimsDone).toBe(false)
  })

  it('keeps the finished edits of a cut answer', () => {
    const text = `a.js\n${fence}\n<<<<<<< SEARCH\nA\n=======\nB\n>>>>>>> REPLACE\n<<<<<<< SEARCH\nC\n`
    expect(parseReply(text)).toMatchObject({
      proposals: [{ path: 'a.js', edits: [{ search: 'A\n', replace: 'B\n' }] }],
      refusals: [{ path: 'a.js', reason: /ends in the middle/ }],
    })
  })

  test.each([
    '// ... rest unchanged',
    '// ... existing code ...',
    '// ...',
    '  # existing code',
    '# ... rest of the function',
    '/* ... */',
    '/* ... */ remains',
    '<!-- rest of the page remains the same -->',
    '{/* ... existing JSX ... */}',
    '// Rest of the file stays unchanged',
    '-- (other columns remain unchanged)',
    '... (rest of the file)',
    '// remaining methods...',
    '...',
    '    ...',
    '// unchanged',
    '/* same as before */',
    '// Same as in the original',
    '// other methods here',
    '// Todo: rest of implementation',
    '<!-- existing template -->',
    '// (no changes below)',
  ])('code left out: %s', (line) => {
    const whole = parseReply(`a.js\n${fence}\nA\n${line}\nB\n${fence}`)
    expect(whole.proposals).toEqual([])
    expect(whole.refusals).toMatchObject([
      { path: 'a.js', reason: /leaves code out/, excerpt: line },
    ])
    const added = parseReply(`a.js\n<<<<<<< SEARCH\nA\n=======\n${line}\n>>>>>>> REPLACE`)
    expect(added.refusals).toMatchObject([{ path: 'a.js', reason: /leaves code out/ }])
  })

  test.each([
    ['a.js', '// Check for existing users'],
    ['a.js', '  ...rest,'],
    ['a.js', '// Loading...'],
    ['a.js', '// the rest of the arguments is passed to the command'],
    ['a.py', '...'],
    ['a.py', '    ...'],
    ['a.yml', '...'],
    ['a.md', '...'],
    ['a.js', '// same as Array#map'],
    ['a.js', '// no changes are needed when both are equal'],
    ['a.js', '//   rest: Rest;'],
    ['a.py', '# remaining = total - used'],
    ['a.md', '# Existing code'],
    ['a.md', '// ...'],
  ])('not left out in %s: %s', (path, line) => {
    const reply = parseReply(`${path}\n${fence}\nA\n${line}\nB\n${fence}`)
    expect(reply.refusals).toEqual([])
    expect(reply.proposals).toHaveLength(1)
  })
})
