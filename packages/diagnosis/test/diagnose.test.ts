import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { classifyCommand, classifyProblem, classifyStatus, classifyText } from '../diagnose.ts'
import type { ErrorType } from '../step-error.ts'

const ended = (exitCode: number | null, output: string) =>
  classifyCommand({ exitCode, timedOut: false }, output)

/** Real messages of shells, runners and installers; `!` marks one about a wrong command line. */
const outputs: readonly [type: ErrorType | `!${ErrorType}`, exitCode: number, output: string][] = [
  ['!missing_dependency', 127, 'sh: 1: pytst: not found'],
  ['!missing_dependency', 127, 'bash: line 1: jset: command not found'],
  ['!missing_dependency', 127, 'zsh: command not found: carg'],
  ['!missing_dependency', 127, '/bin/ash: gradel: not found'],
  ['!missing_dependency', 127, 'fish: Unknown command: rspce'],
  ['!missing_dependency', 127, 'bash: Zeile 1: pytst: Befehl nicht gefunden.'],
  ['!missing_dependency', 127, 'bash: pytst : commande introuvable'],
  ['!missing_dependency', 127, 'bash: pytst: コマンドが見つかりません'],
  ['!missing_dependency', 127, 'bash: pytst: ei löydy'],
  ['!missing_dependency', 1, "'nmp' is not recognized as an internal or external command,"],
  ['!missing_dependency', 2, 'make: gcx: No such file or directory'],
  ['!missing_dependency', 1, 'Error: spawn tscc ENOENT'],
  ['!file_not_found', 1, 'npm error Missing script: "tset"\nnpm error To see a list of scripts'],
  ['!file_not_found', 1, ' ERR_PNPM_NO_SCRIPT  Missing script: tset'],
  ['!file_not_found', 1, 'Usage Error: Couldn\'t find a script named "tset".'],
  ['!file_not_found', 2, "make: *** No rule to make target 'chek'.  Stop."],
  ['!file_not_found', 1, "rake aborted!\nDon't know how to build task 'tset'"],
  ['!file_not_found', 1, "FAILURE: Build failed\nTask 'tets' not found in root project 'shop'."],
  ['!file_not_found', 101, 'error: no such command: `tset`'],
  ['!file_not_found', 101, 'error: could not find `Cargo.toml` in `/w` or any parent directory'],
  ['!file_not_found', 2, "sh: 1: cd: can't cd to backnd"],
  ['!file_not_found', 1, 'bash: line 1: cd: backnd: No such file or directory'],
  ['!file_not_found', 254, 'npm error enoent Could not read package.json: Error: ENOENT'],
  ['!file_not_found', 1, 'go: go.mod file not found in current directory or any parent directory'],
  [
    '!validation',
    4,
    'ERROR: usage: pytest [options]\npytest: error: unrecognized arguments: --covv',
  ],
  ['!validation', 1, "error: unknown option '--runn'"],
  ['!validation', 2, 'flag provided but not defined: -runn'],
  ['missing_dependency', 1, "Error: Cannot find module 'left-pad'"],
  ['missing_dependency', 1, "ModuleNotFoundError: No module named 'yaml'"],
  ['missing_dependency', 1, 'npm error code E404\nnpm error 404 Not Found - GET /left-padd'],
  ['missing_dependency', 1, 'npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve'],
  ['missing_dependency', 1, 'ERROR: No matching distribution found for flsk==99'],
  ['missing_dependency', 1, 'main.go:3:8: no required module provides package github.com/x/y'],
  ['missing_dependency', 101, 'error: no matching package named `serd` found'],
  ['missing_dependency', 1, 'cannot load such file -- sinatra (LoadError)'],
  [
    'network',
    1,
    'WARNING: Retrying after NewConnectionError: [Errno -3]\nERROR: No matching distribution found for x',
  ],
  ['network', 1, 'npm error code EAI_AGAIN\nnpm error syscall getaddrinfo'],
  ['network', 1, 'go: github.com/x/y@v1: Get "https://p": dial tcp: lookup p: no such host'],
  ['network', 101, 'warning: spurious network error (3 tries remaining)\nerror: failed to get `a`'],
  ['network', 1, '[ERROR] Could not transfer artifact org:x:pom:1 from/to central'],
  ['network', 128, "fatal: unable to access 'https://h/r.git/': Could not resolve host: h"],
  ['rate_limit', 1, 'npm error code E429\nnpm error 429 Too Many Requests - GET /x'],
  ['rate_limit', 1, 'toomanyrequests: You have reached your pull rate limit.'],
  ['permission_denied', 126, 'sh: 1: ./check.sh: Permission denied'],
  ['permission_denied', 1, 'npm error code EACCES\nnpm error syscall mkdir'],
  ['permission_denied', 1, 'touch: x: Keine Berechtigung'],
  ['permission_denied', 126, 'bash: ./check.sh: pahintulot ay tinanggihan'],
  ['git_conflict', 1, 'CONFLICT (content): Merge conflict in a.js\nAutomatic merge failed'],
  ['git_conflict', 1, ' ! [rejected]        main -> main (fetch first)'],
  ['git_conflict', 128, "fatal: Unable to create '/r/.git/index.lock': File exists."],
  ['file_not_found', 2, "python: can't open file '/w/run.py': [Errno 2] No such file or directory"],
  ['file_not_found', 2, 'sh: 1: cannot create build/out.txt: Directory nonexistent'],
  ['file_not_found', 1, 'cat: x: Datei oder Verzeichnis nicht gefunden'],
  ['syntax_error', 1, '  File "a.py", line 3\nSyntaxError: \'(\' was never closed'],
  ['syntax_error', 2, "src/a.ts(3,1): error TS1005: ';' expected."],
  ['syntax_error', 2, 'sh: 1: Syntax error: Unterminated quoted string'],
  ['syntax_error', 255, 'PHP Parse error:  syntax error, unexpected end of file in a.php'],
  ['timeout', 124, ''],
  ['timeout', 1, 'Error: operation timed out after 30 s'],
  ['test_failure', 1, 'AssertionError: expected 3, got 4'],
  ['unknown', 1, 'it did not work'],
  ['unknown', 1, ''],
]

describe('a failed command', () => {
  it.each(outputs)('is %s: %d, %s', (expected, exitCode, output) => {
    const found = ended(exitCode, output)
    expect(`${found?.isWrongCommand ? '!' : ''}${found?.type}`).toBe(expected)
  })

  it('is none when it ended well, whatever it printed', () => {
    expect(ended(0, 'Error: ENOSPC: no space left on device\nsh: 1: x: not found')).toBeNull()
  })

  it('is a timeout when it was stopped, whatever it had printed', () => {
    const stopped = { exitCode: null, timedOut: true }
    expect(classifyCommand(stopped, 'ECONNRESET')?.type).toBe('timeout')
  })

  it.each([
    ['ENOSPC: no space left on device\nECONNRESET\n# fail 1'],
    ['sh: 1: pytst: not found\nnpm error 429 Too Many Requests\n\nTests:       1 failed, 2 total'],
    ['Permission denied\n===== 1 failed, 3 passed in 0.12s ====='],
    ['CONFLICT (content): x\n--- FAIL: TestMerge (0.00s)'],
    ['fish: Unknown command: x\ntest result: FAILED. 1 passed; 1 failed'],
  ])('is a failing test where a runner says so: what tests print is no evidence (%j)', (output) => {
    expect(ended(1, output)?.type).toBe('test_failure')
  })

  it('is found despite colours, links and overwritten words', () => {
    const painted = '\u001b[31msh: 1: \u001b[1mpytst\u001b[0m\u001b[31m: not found\u001b[0m\r\n'
    expect(ended(127, painted)).toMatchObject({ program: 'pytst', line: 'sh: 1: pytst: not found' })
    expect(ended(1, 'no\u0007pe\u001b]8;;http://x\u0007 EAI_AGAIN\u001b]8;;\u0007')?.type).toBe(
      'network',
    )
  })

  it('is found quickly at the beginning or the end of huge output', () => {
    const noise = `${'x'.repeat(5_000)}\n`.repeat(4_000)
    const began = performance.now()
    expect(ended(1, `${noise}\nnpm error Missing script: "tset"`)?.isWrongCommand).toBe(true)
    expect(ended(1, `npm error Missing script: "tset"\n${noise}`)?.isWrongCommand).toBe(true)
    expect(ended(1, `${noise}Missing script: "x"\n${noise}`)?.type).toBe('unknown')
    for (const hostile of ['cd: '.repeat(60_000), ': '.repeat(90_000), "'".repeat(90_000)]) {
      expect(ended(1, hostile)?.line.length).toBeLessThanOrEqual(240)
    }
    expect(performance.now() - began).toBeLessThan(5_000)
  })
})

describe('an error that no command reports', () => {
  it.each<[number, string, ErrorType | null]>([
    [200, '', null],
    [429, 'slow down', 'rate_limit'],
    [403, 'You have exceeded a secondary rate limit', 'rate_limit'],
    [403, 'Resource not accessible by integration', 'permission_denied'],
    [401, 'Bad credentials', 'permission_denied'],
    [404, 'no such model', 'file_not_found'],
    [422, 'Validation Failed', 'validation'],
    [503, 'overloaded', 'model_error'],
    [504, 'gateway', 'timeout'],
  ])('status %d (%s) is %s', (status, reason, type) => {
    expect(classifyStatus(status, reason)?.type ?? null).toBe(type)
  })

  it.each<[ErrorType, string]>([
    ['rate_limit', 'api.example.org: answered 429: come back later'],
    ['model_error', 'api.example.org: answered 502: bad gateway'],
    ['network', 'api.example.org: the connection failed (ECONNREFUSED)'],
  ])('a model that is not available is %s: %s', (type, reason) => {
    expect(classifyText(reason)).toMatchObject({ type, recoverable: true })
  })

  it.each<[ErrorType, string]>([
    ['syntax_error', 'syntax'],
    ['missing_dependency', 'import'],
    ['model_error', 'expected_file'],
    ['permission_denied', 'protected'],
    ['permission_denied', 'tests'],
    ['validation', 'example'],
    ['validation', 'toString'],
  ])('a problem of a change is %s: %s', (type, problem) => {
    expect(classifyProblem({ type: problem, message: 'm' }).type).toBe(type)
  })
})

it('a recorded run with failing tests is that', () => {
  const recording = new URL('../../judge/test/recordings/minitest-5.15.txt', import.meta.url)
  expect(ended(1, readFileSync(recording, 'utf8'))?.type).toBe('test_failure')
})
