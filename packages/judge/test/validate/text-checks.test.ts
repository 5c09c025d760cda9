import { describe, expect, test } from 'vitest'
import { validateFile } from '../../validate/validate-file.ts'

const syntax = { check: async () => ({ status: 'unavailable' as const, reason: 'not used' }) }
const conflict = '<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> topic\n'

describe('what an answer or a merge leaves in a file', () => {
  test.each([
    ['a.ts', 'stray_fence', [1, 3], '```ts\nconst a = 1\n```\n'],
    ['a.ts', 'stray_fence', [2], '\n```\nconst a = 1\n'],
    ['a.go', 'stray_fence', [3], 'package a\n\n```\n\n'],
    ['a.py', 'stray_fence', [1, 3], '~~~python\r\nx = 1\r\n~~~\r\n'],
    ['a.json', 'stray_fence', [1, 3], '```json\n{}\n```'],
    ['Dockerfile', 'stray_fence', [1], '```dockerfile\nFROM a\n'],
    ['a.sh', 'leading_prose', [1], 'Here is the updated script:\necho 1\n'],
    ['a.php', 'leading_prose', [1], 'Sure! This is the complete file.\n<?php\n'],
    ['a.yml', 'leading_prose', [1], "Here's the new file content:\n\nname: a\n"],
    ['a.js', 'leading_prose', [2], '\nI have added the function you asked for.\nf()\n'],
    ['a.php', 'leading_prose', [1], 'I changed the class as asked\n<?php\nnamespace App;\n'],
    ['a.php', 'leading_prose', [1], 'Done\n<?php\n/* a */\ndeclare(strict_types=1);\n'],
    ['a.sh', 'leading_prose', [1], 'This script removes all old files.\nrm a\n'],
    ['a.sh', 'trailing_prose', [3], 'rm a\n\nThis script removes all old files.\n'],
    ['a.scss', 'trailing_prose', [3], 'a { b: c }\n\nThis keeps `a` (and its colour) as it was.\n'],
    ['a.ts', 'trailing_prose', [3], 'f()\n\nThis calls `f()` once.\nNothing else is changed.\n'],
    ['a.sh', 'stray_fence', [2], 'echo a\n```\necho b\n```\necho c\n'],
    ['a.ts', 'stray_fence', [2], 'const a = 1\n```\nThis adds it.\n'],
    [
      'a.css',
      'conflict_marker',
      [1],
      '<<<<<<< HEAD\na { b: c }\n=======\n>>>>>>> topic\nd { e: f }\n',
    ],
    ['a.ts', 'placeholder', [2], 'f()\n// ... rest of the code\n'],
    ['a.py', 'placeholder', [2], 'x = 1\n# … existing methods …\n'],
    ['a.js', 'placeholder', [1], '/* ... the rest of your implementation */\nf()\n'],
    ['a.html', 'placeholder', [2], '<p>\n<!-- ... existing code ... -->\n'],
    ['a.rb', 'placeholder', [1], '# <your code here>\n'],
    ['a.scss', 'placeholder', [1], '<insert your code>\n'],
    ['a.js', 'edit_marker', [2], 'a()\n<<<<<<< SEARCH\nb()\n'],
    ['a.rs', 'edit_marker', [3], 'fn a() {}\n=======\n>>>>>>> REPLACE\n'],
    ['a.c', 'edit_marker', [1], '*** Begin Patch\nint a;\n'],
    ['a.md', 'edit_marker', [1], '<<<<<<< SEARCH\n# A\n'],
    ['a.js', 'conflict_marker', [1], conflict],
    ['a.json', 'conflict_marker', [2], `{\n${conflict}}\n`],
    ['a.go', 'conflict_marker', [1], conflict.replaceAll('\n', '\r\n')],
    ['README.md', 'conflict_marker', [3], `# A\n\n${conflict}`],
    ['a.bin', 'encoding', [2], 'a\nb\0c'],
    ['a.md', 'encoding', [1], 'half \ud83d of it'],
    ['a.js', 'encoding', [1], '"\udc00"'],
  ])('%s: %s at %j', async (path, type, lines, text) => {
    const { valid, problems } = await validateFile({ path, text }, { syntax })
    expect(valid).toBe(false)
    expect(problems.map((problem) => [problem.type, problem.line])).toEqual(
      lines.map((line) => [type, line]),
    )
  })

  test.each([
    ['README.md', '# A\n\nThis is all of it.\n'],
    ['LICENSE', 'MIT\n\nThis is all of it.\n'],
    ['a.rb', 'puts DATA.read\n__END__\n\nThis is all of it.\n'],
    ['a.ts', 'const a = `\n\nThis is all of it.\n`\n'],
    ['a.sh', 'cat <<E\n\nThis is all of it.\nE\n'],
    ['README.md', '```sh\nnpm i\n```\n'],
    ['README.md', `# Merging\n\n\`\`\`\n${conflict}\`\`\`\n`],
    ['notes.txt', 'Here is the file:\n```\nx\n```\n'],
    ['LICENSE', '```\n'],
    ['a.test.ts', `const merged = \`\n${conflict}\`\n`],
    ['a.ts', 'const block = `\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n`\n'],
    ['a.scss', '<<<<<<< not all three\n'],
    ['a.rst', 'Title\n=======\n\ntext\n'],
    ['a.scss', '  <<<<<<< HEAD\n=======\n>>>>>>> b\n'],
    ['a.scss', '>>>>>>> a\n=======\n<<<<<<< b\n'],
    ['a.js', '// Here is the file:\nf()\n'],
    ['a.yml', 'Here is the file: x\nthis: y\n'],
    ['a.ts', 'export const fence = "```"\nconst x = `\n  \\`\\`\\`\n`\n'],
    ['a.sh', 'this is the script\n'],
    ['a.sh', 'Xvfb :1 -screen 0 &\n'],
    ['a.sh', 'cat <<EOF\n```\ncode\n```\nEOF\n'],
    ['a.php', 'Dear <?= $name ?>, welcome.\n'],
    ['a.php', '#!/usr/bin/env php\n<?php\ndeclare(strict_types=1);\n'],
    ['a.php', '<h1>Hello</h1>\n<?php\nnamespace A;\n'],
    ['a.js', '// Todo: implement\nf()\n'],
    ['a.js', '// your code here\nf()\n'],
    ['a.js', 'f(...rest)\n// ...and so on\n'],
    ['a.py', '# ... more of the same kind of list\nx = ...\n'],
    ['a.js', '/**\n * // ... rest of the code\n */\nf()\n'],
    ['notes.txt', '// ... rest of the code\n'],
    ['a.md', 'whole 😀 characters'],
  ])('%s may hold %j', async (path, text) => {
    expect(await validateFile({ path, text }, { syntax })).toMatchObject({
      valid: true,
      problems: [],
    })
  })
})
