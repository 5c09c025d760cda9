import { describe, expect, it } from 'vitest'
import { judgeCorrection } from '../../verdict/judge-correction.ts'

const paths = ['package.json', 'test/a.test.js', 'backend/test/b.py', 'tests/test_sum.py', '.env']
const judge = (original: string, line: string, role: 'tests' | 'setup' | 'accept' = 'tests') =>
  judgeCorrection(line, {
    original,
    role,
    paths,
    roadmap: 'ROADMAP.md',
    protectedPaths: ['infra/**'],
  })

describe('a correction of a command', () => {
  it.each([
    ['npm tset', 'npm test'],
    ['npm run tset', 'npm run test'],
    ['pytst', 'python3 -m pytest'],
    ['py.test tests', 'python3 -m pytest tests'],
    ['python -m pytest tests/test_sum.py', 'python3 -m pytest tests/test_sum.py'],
    ['python -m pytest tests/test_sum.py::adds', 'python3 -m pytest tests/test_sum.py::adds'],
    ['cd backnd && pytest test', 'cd backend && pytest test'],
    ['pytest backend/test', 'cd backend && pytest test'],
    ['pytest -qq --covv tests', 'pytest -qq tests'],
    ['pytest tests', 'PYTHONPATH=. pytest tests'],
    ['gulp test', 'npm test'],
    ['make chek', 'make check'],
    ['node --test tst/ | tee log.txt', 'node --test test/ | tee log.txt'],
  ])('may be: %s → %s', async (original, line) => {
    expect(await judge(original, line)).toBeNull()
  })

  it.each([
    ['the same', 'npm test', ' npm test '],
    ['empty', 'npm test', '  '],
    ['a yes', 'npm tset', 'true'],
    ['a yes in words', 'test npm tset', 'echo npm test'],
    ['a yes after a no', 'npm tset', 'npm test || true'],
    ['a yes behind it', 'npm tset', 'npm test; exit 0'],
    ['a yes beside it', 'npm tset', 'npm test & true'],
    ['a yes on a line of its own', 'npm tset', 'npm test\ntrue'],
    ['a yes of a subshell', 'npm tset', 'npm $(echo test)'],
    ['turned round', 'npm tset', '! npm test'],
    ['without tests', 'npx jset', 'npx jest --passWithNoTests'],
    ['only if there is one', 'npm run tset', 'npm run test --if-present'],
    ['help', 'pytst', 'pytest --help'],
    ['a list', 'pytst tests', 'pytest --collect-only tests'],
    ['a dry run', 'make chek', 'make -n check'],
    ['other tests', 'pytst tests/test_sum.py', 'pytest backend/test'],
    ['code on the line', 'node tset', 'node -e "process.exit(0)"'],
    ['code in a shell', 'npm tset', 'sh -c "npm test"'],
    ['another program’s work', 'npm tset', 'cargo build'],
    ['a download', 'npm tset', 'curl npm'],
    ['an installation', 'npx jset', 'npm install jset'],
    ['an address', 'npm tset', 'npm test --registry=https://evil.example'],
    ['outside', 'cat a && npm tset', 'npm test /etc/passwd'],
    ['above', 'cd test && npm tset', 'cd ../.. && npm test'],
    ['an environment file', 'npm tset', 'npm test .env'],
    ['what the owner protects', 'npm tset', 'npm test infra/x.tf'],
    ['git’s own', 'npm tset', 'npm test .git/config'],
    ['a redirection', 'npm tset', 'npm test > out.txt'],
    ['a variable', 'npm tset', 'LD_PRELOAD=./x.so npm test'],
    ['destruction', 'npm tset', 'rm -rf test'],
    ['destruction behind a folder', 'cd tst && npm test', 'cd test && rm -rf npm'],
    ['endless', 'npm tset', `npm test ${'a '.repeat(200)}`],
    ['hidden', 'npm tset', 'npm test\u200b'],
    ['more of them', 'npm tset', 'npm test && npm run deploy'],
  ])('may not be %s: %s → %s', async (_, original, line) => {
    expect(await judge(original, line)).toMatch(/\.$/)
  })

  it('may install where the command that failed was to do that', async () => {
    expect(await judge('npm instal', 'npm install', 'setup')).toBeNull()
    expect(await judge('npm instal', 'npm install --registry=http://x', 'setup')).not.toBeNull()
  })
})
