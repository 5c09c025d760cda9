import { describe, expect, test } from 'vitest'
import { readRoadmap } from '../../document/read-roadmap.ts'

function read(metadata: string) {
  const { tasks, problems } = readRoadmap(`- [ ] T-1: a\n  - ${metadata}\n`)
  const notes = problems.flatMap(({ rule, line }) => (rule === 'unread-value' ? [line] : []))
  return { accept: tasks[0]?.accept, files: tasks[0]?.files, notes }
}

describe('an Accept is a command only when it is one', () => {
  test.each<[string, readonly string[], boolean]>([
    ['`npm test`', ['npm test'], false],
    ['`npm test`, `mytool --check`', ['npm test', 'mytool --check'], false],
    ['`npm test` and `npm run lint` pass', ['npm test', 'npm run lint'], false],
    ['run `mytool check`; it must pass', [], true],
    ['`mytool check` exits with `0`', ['mytool check'], false],
    ['`mytool check` exits with code 0', ['mytool check'], false],
    ['`CI=1 mytool`', ['CI=1 mytool'], false],
    ['`! grep -q foo a.js`', ['! grep -q foo a.js'], false],
    ['`[ -f a.js ]`', ['[ -f a.js ]'], false],
    ['`scripts/check.sh`', ['scripts/check.sh'], false],
    ['npm run lint', ['npm run lint'], false],
    ['npm test passes', ['npm test'], false],
    ['`add(1, 2)` returns `3`', [], true],
    ['`add(1, 2) === 3`', [], true],
    ['`3`', [], true],
    ['`null`', [], true],
    ['`src/slug.ts` exports `slugify`', [], true],
    ['`src/slug.ts`', [], true],
    ['`GET /health` returns `200`', [], true],
    ['`/health` returns 200', [], true],
    ['`npm test` prints `ok`', ['npm test'], true],
    ['make sure that the tests pass', [], true],
    ['it works', [], true],
    ['', [], false],
    ['\n    ```sh\n    npm test\n    ```', [], true],
    ['\n\n    ~~~\n    npm test\n    ~~~', [], true],
    ['\n    words\n    ```sh\n    npm test\n    ```', [], true],
    ['`npm test`\n    ```sh\n    npm run lint\n    ```', ['npm test'], false],
    ['none', [], false],
  ])('%j', (value, accept, isNamed) => {
    expect(read(`**Accept**: ${value}`)).toMatchObject({ accept, notes: isNamed ? [2] : [] })
  })
})

describe('Files are paths, however they are written', () => {
  test.each<[string, readonly string[], boolean]>([
    [
      '[add.js](src/add.js), [add.test.js](test/add.test.js#L1)',
      ['src/add.js', 'test/add.test.js'],
      false,
    ],
    ['[`add.js`](./src/add.js "the sum")', ['src/add.js'], false],
    ['[add](/src/add.js)', ['src/add.js'], false],
    ['[add](<src/add.js>)', ['src/add.js'], false],
    ['[add](src/my%20file.js)', ['src/my file.js'], false],
    ['[add](https://github.com/o/r/blob/main/src/add.js#L3-L9)', ['src/add.js'], false],
    ['[src/add.js](https://example.com/x)', ['src/add.js'], false],
    ['`src/add.js#L10-L20`, `b.py:12-40`', ['src/add.js', 'b.py'], false],
    ['`//src/slug.ts`', ['src/slug.ts'], false],
    ['//src/slug.ts', ['src/slug.ts'], false],
    ['<src/add.js>', ['src/add.js'], false],
    ['`a.js`, src/b.js', ['a.js', 'src/b.js'], false],
    ['[a](a.js), //src/b.js', ['a.js', 'src/b.js'], false],
    ['`a.js` — replaces lib/old.js', ['a.js'], false],
    ['the parser', [], true],
    ['none', [], false],
  ])('%j', (value, files, isNamed) => {
    expect(read(`**Files**: ${value}`)).toMatchObject({ files, notes: isNamed ? [2] : [] })
  })
})
