import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { Settings } from '../../../src/core/domain/settings.ts'
import { options } from '../../../src/entry/config/options.ts'
import { readConfigFile } from '../../../src/entry/config/read-config-file.ts'
import {
  resolveSettings,
  type SettingsSources,
} from '../../../src/entry/config/resolve-settings.ts'

const path = '.github/executor.yml'

const resolve = (given: Partial<SettingsSources> & { yaml?: string }) =>
  resolveSettings({
    flags: given.flags ?? {},
    environment: given.environment ?? {},
    file: given.yaml === undefined ? null : readConfigFile(path, given.yaml),
    defaults: given.defaults ?? { approvalMode: 'review_only', stack: 'chain' },
  })

function settingsOf(given: Parameters<typeof resolve>[0]): Settings {
  const resolved = resolve(given)
  if (resolved.status === 'invalid') throw new Error(JSON.stringify(resolved.problems))
  return resolved.settings
}

function problemsOf(given: Parameters<typeof resolve>[0]) {
  const resolved = resolve(given)
  return resolved.status === 'invalid' ? resolved.problems : []
}

describe('defaults', () => {
  it('are those of docs/graph.md, and of the place', () => {
    const settings = settingsOf({})
    expect(settings).toMatchObject({
      enabled: true,
      roadmap: 'ROADMAP.md',
      strategy: 'single',
      recovery: true,
      approvalMode: 'review_only',
      stack: 'chain',
      model: { name: '', prices: {} },
      sandbox: { mode: 'auto', network: false },
      limits: {
        tasks: 0,
        iterations: 100,
        openPullRequests: 5,
        validationRepairs: 2,
        testRepairs: 2,
        starts: 3,
        tokens: null,
        dollars: null,
      },
    })
  })

  it('give way to the file for what depends on the place', () => {
    const yaml = 'approval-mode: auto\nstack: none\n'
    expect(settingsOf({ yaml })).toMatchObject({ approvalMode: 'auto', stack: 'none' })
  })
})

describe('precedence', () => {
  const yaml = 'max-tasks: 1\n'
  const environment = { EXECUTOR_MAX_TASKS: '2' }
  const flags = { 'max-tasks': '3' }
  test.each([
    ['default', {}, 0],
    ['file', { yaml }, 1],
    ['environment', { yaml, environment }, 2],
    ['flag', { yaml, environment, flags }, 3],
    ['file', { yaml, environment: { EXECUTOR_MAX_TASKS: '' }, flags: { 'max-tasks': '' } }, 1],
  ] as const)('%s wins: %j', (origin, given, tasks) => {
    const resolved = resolve(given)
    expect(resolved).toMatchObject({
      status: 'ok',
      settings: { limits: { tasks } },
      origins: { 'max-tasks': origin, 'limits.starts': 'default' },
    })
  })

  it('names the origin of a key in a group', () => {
    expect(resolve({ yaml: 'limits: {starts: 7}\n' })).toMatchObject({
      origins: { 'limits.starts': 'file', 'limits.test-repairs': 'default' },
    })
  })

  it('reads what its flag or variable means, and text as text', () => {
    const settings = settingsOf({
      flags: { model: '7', 'max-cost': '0.5', 'require-tests': 'TRUE', recovery: false },
      environment: { OPENAI_MODEL: 'never', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' },
    })
    expect(settings.model).toMatchObject({ name: '7', baseUrl: 'http://127.0.0.1:9/v1' })
    expect(settings.limits.dollars).toBe(0.5)
    expect(settings.verify.requireTests).toBe(true)
    expect(settings.recovery).toBe(false)
  })

  test.each([
    ['true', '', false],
    ['1', '', false],
    ['please stop', '', false],
    ['false', '', true],
    ['', '', true],
    ['false', 'enabled: false\n', false],
  ])('EXECUTOR_DISABLED=%j over the file %j: enabled is %s', (value, yaml, enabled) => {
    expect(settingsOf({ environment: { EXECUTOR_DISABLED: value }, yaml }).enabled).toBe(enabled)
  })
})

describe('a good file', () => {
  test.each(['', '# nothing\n', '---\n', 'limits:\n  # starts: 3\n', '\uFEFFmax-tasks: 0\r\n'])(
    '%j changes nothing',
    (yaml) => {
      expect(settingsOf({ yaml })).toEqual(settingsOf({}))
    },
  )

  it('sets what is grouped', () => {
    const yaml = [
      'strategy: two_phase',
      'prices:',
      '  some/model: {prompt: 0.4, completion: 1.6}',
      'pull-request:',
      '  reviewers: [ada]',
      'verify: {network: true}',
    ].join('\n')
    expect(settingsOf({ yaml })).toMatchObject({
      strategy: 'two_phase',
      model: { prices: { 'some/model': { prompt: 0.4, completion: 1.6 } } },
      pullRequest: { reviewers: ['ada'] },
      sandbox: { network: true },
    })
  })
})

describe('a wrong file', () => {
  test.each([
    ['max-taks: 3', 1, 1, 'max-taks is not a setting', 'Did you mean max-tasks?'],
    ['a: 1\nmaxTasks: 3', 2, 1, 'maxTasks is not a setting', 'Did you mean max-tasks?'],
    ['starts: 3', 1, 1, 'starts is not a setting', 'Did you mean limits.starts?'],
    ['limits:\n  strats: 3', 2, 3, 'limits.strats is not', 'Did you mean starts?'],
    ['api-key: sk-1', 1, 1, 'api-key is not a setting', 'set OPENAI_API_KEY'],
    ['flurb: 1', 1, 1, 'flurb is not a setting', 'docs/configuration.md'],
    ['max-tasks: "5"', 1, 12, 'must be a number, not "5"', 'Write a number.'],
    ['max-tasks: 1.5', 1, 12, 'must be a whole number, not 1.5', ''],
    ['max-tasks: -1', 1, 12, 'must be at least 0', 'Not -1.'],
    ['max-cost: 0', 1, 11, 'must be more than 0', ''],
    ['stack: chian', 1, 8, 'must be one of chain, auto, none', 'Did you mean chain?'],
    ['enabled: yes', 1, 10, 'must be true or false, not "yes"', ''],
    ['base-url: ftp://x', 1, 11, 'must be an http or https URL', ''],
    ['roadmap: ../other.md', 1, 10, 'inside the repository', ''],
    ['roadmap: /etc/passwd', 1, 10, 'inside the repository', ''],
    ['commit:\n  title: "a\\nb"', 2, 10, 'must be one line', ''],
    ['protected-paths:\n  - a\n  - 5', 3, 5, 'protected-paths.1 must be text, not 5', ''],
    ['prices:\n  m: {prompt: 1}', 2, 3, 'prices.m.completion must be a number', 'Add it.'],
    ['limits: 3', 1, 9, 'limits must be a group of keys, not 3', ''],
  ])('%j → line %i, column %i: %s', (yaml, line, column, message, fix) => {
    const problem = problemsOf({ yaml }).find((one) => one.message.includes(message))
    expect(problem).toMatchObject({ path, line, column })
    expect(problem?.fix).toContain(fix)
  })

  it('is told in full, even where a flag would win', () => {
    const problems = problemsOf({ yaml: 'max-tasks: x\nstack: y\nz: 1', flags: { 'max-tasks': 1 } })
    expect(problems).toHaveLength(3)
  })

  test.each([
    ['flag', { flags: { 'max-tasks': 'many' } }, 'max-tasks', 'max-tasks must be a number'],
    ['flag', { flags: { 'max-open-prs': '-1' } }, 'max-open-prs', 'must be at least 0'],
    ['unknown flag', { flags: { 'max-taks': '1' } }, 'max-taks', 'is not a setting'],
    [
      'variable',
      { environment: { EXECUTOR_STACK: 'tower' } },
      'EXECUTOR_STACK',
      'stack must be one of',
    ],
  ])('%s: %j', (_, given, where, message) => {
    const [problem, ...others] = problemsOf(given)
    expect(others).toEqual([])
    expect(problem).toMatchObject({ path: where, line: 0, column: 0 })
    expect(problem?.message).toContain(message)
  })
})

describe('tasks side by side', () => {
  test.each([
    [{ flags: { parallel: '2' } }, 'auto'],
    [{ flags: { parallel: '1' } }, 'chain'],
    [{ yaml: 'parallel: 3\nstack: none' }, 'none'],
    [{ yaml: 'parallel: 3\nstack: chain', flags: { parallel: '1' } }, 'chain'],
    [{ yaml: 'stack: chain', flags: { parallel: '2', stack: 'auto' } }, 'auto'],
  ])('%j: stack %s', (given, stack) => {
    expect(settingsOf(given).stack).toBe(stack)
  })

  test.each([
    [{ flags: { parallel: '2', stack: 'chain' } }, 'exclude each other'],
    [{ yaml: 'stack: chain', environment: { EXECUTOR_PARALLEL: '2' } }, 'exclude each other'],
    [{ flags: { parallel: '0' } }, 'at least 1'],
    [{ flags: { parallel: '65' } }, 'at most 64'],
    [{ flags: { parallel: '1.5' } }, 'whole number'],
    [{ yaml: 'parallel: all' }, 'a number'],
  ])('%j is refused: %s', (given, message) => {
    const [problem, ...others] = problemsOf(given)
    expect(others).toEqual([])
    expect(problem?.message).toContain(message)
  })
})

describe('a hostile file', () => {
  const bomb = `a: &a [x,x,x,x]\n${[...'bcdefghij'].map((name, index) => `${name}: &${name} [${`*${'abcdefghi'[index]},`.repeat(9)}]`).join('\n')}`
  test.each([
    ['an alias bomb', bomb, 'alias'],
    ['an alias', 'max-tasks: &n 3\nmax-tokens: *n', 'alias'],
    ['a merge of an alias', 'x: &x {a: 1}\n<<: *x', 'alias'],
    ['a key twice', 'max-tasks: 1\nmax-tasks: 2', 'unique'],
    ['a tab', 'limits:\n\tstarts: 1', 'Tabs'],
    ['a tag', 'model: !!js/function "() => 1"', 'tag'],
    ['a tag on a list', 'paths:\n  writable: !!seq [src]', 'tag'],
    ['bytes', 'model: !!binary aGk=', '!!binary is a tag'],
    ['two documents', 'max-tasks: 1\n---\nmax-tasks: 2', 'multiple documents'],
    ['a list', '- max-tasks: 1', 'keys and values'],
    ['a word', 'hello', 'keys and values'],
    ['a NUL', '\0', 'keys and values'],
    ['a map as a key', '{a: 1}: 2', 'a key must be a word'],
    ['a number as a key', '1: 2', 'a key must be a word'],
    ['deep nesting', '['.repeat(60_000), ''],
    ['deep nesting that closes', `a: ${'['.repeat(99)}${']'.repeat(99)}`, 'a is not a setting'],
    ['too much', `# ${'x'.repeat(70_000)}`, 'larger than 64 KB'],
    ['__proto__', '__proto__: {enabled: false}', '__proto__ is not a setting'],
    ['constructor', 'constructor: {prototype: 1}', 'constructor is not a setting'],
    ['__proto__ in a group', 'limits: {__proto__: {starts: 1}}', '__proto__ is not a setting'],
    ['toString as a group', 'limits: {toString: 1}', 'limits.toString is not a setting'],
  ])('%s is refused', (_, yaml, message) => {
    const problems = problemsOf({ yaml })
    expect(problems.map((problem) => problem.message).join('\n')).toContain(message)
    expect(problems.every(({ line, column }) => line >= 1 && column >= 1)).toBe(true)
    expect(problems.length).toBeGreaterThan(0)
  })

  it('changes no prototype through prices', () => {
    const resolved = resolve({ yaml: 'prices: {__proto__: {prompt: 1, completion: 1}}' })
    expect({}).not.toHaveProperty('prompt')
    if (resolved.status === 'ok')
      expect(Object.getPrototypeOf(resolved.settings.model.prices)).toBe(Object.prototype)
  })

  it('is answered with settings or problems at every nesting the parser takes', () => {
    for (let depth = 100; depth < 20_000; depth *= 1.3) {
      const nested = '['.repeat(depth)
      expect(resolve({ yaml: `a: ${nested}${']'.repeat(Math.floor(depth))}` }).status).toBe(
        'invalid',
      )
    }
  })

  it('is never more than an answer, whatever the text', () => {
    const key = fc.constantFrom(...options.map((option) => option.key.split('.')[0] ?? ''))
    const line = fc
      .tuple(key, fc.string({ maxLength: 30 }))
      .map(([name, text]) => `${name}: ${text}`)
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(line).map((all) => all.join('\n')),
        ),
        (yaml) => {
          expect(['ok', 'invalid']).toContain(resolve({ yaml }).status)
        },
      ),
    )
  })
})
