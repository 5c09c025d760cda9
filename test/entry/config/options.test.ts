import { Command } from 'commander'
import { describe, expect, it, test } from 'vitest'
import { closestName } from '../../../packages/text/words/words.ts'
import { defaultOf, describeFile } from '../../../src/entry/config/describe-settings.ts'
import { options, readFlags, shorthands } from '../../../src/entry/config/options.ts'

/** Every leaf of the schema, dotted; a record is a leaf. */
function schemaKeys(node: ReturnType<typeof describeFile>, prefix = ''): string[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, inner]) =>
    inner.properties === undefined ? [`${prefix}${name}`] : schemaKeys(inner, `${prefix}${name}.`),
  )
}

describe('the table of settings', () => {
  it('has exactly the keys of the schema', () => {
    const keys = options.map((option) => option.key)
    expect(schemaKeys(describeFile()).sort()).toEqual(keys.sort())
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('describes each key in the published schema', () => {
    const schema = describeFile()
    for (const { key, description } of options) {
      const node = key.split('.').reduce((inner, name) => inner?.properties?.[name] ?? {}, schema)
      expect(node.description, key).toBe(description)
      expect(defaultOf(key), key).toEqual(node.default)
    }
  })

  it('refuses unknown keys in the published schema, in groups too', () => {
    const schema = describeFile()
    expect(schema.additionalProperties).toBe(false)
    expect(schema.properties?.limits?.additionalProperties).toBe(false)
  })

  it('has shorthands for settings only', () => {
    const keys = options.map((option) => option.key)
    expect(keys).toEqual(expect.arrayContaining(shorthands.map((shorthand) => shorthand.key)))
  })
})

describe('readFlags', () => {
  test.each([
    [
      { maxTasks: '3', model: 'm', baseUrl: 'u' },
      { 'max-tasks': '3', model: 'm', 'base-url': 'u' },
    ],
    [{ enablePlanning: true }, { strategy: 'two_phase' }],
    [{ enablePlanning: true, strategy: 'single' }, { strategy: 'single' }],
    [{ recovery: true }, {}],
    [{ recovery: false }, { recovery: false }],
    [{ recovery: true, enableRecovery: true }, { recovery: true }],
    [{ pauseDestructive: false }, { 'pause-destructive': false }],
    [{ verbose: true }, { 'log-level': 'debug' }],
    [{ task: 'T-1', json: true, checkout: true }, {}],
  ])('%j → %j', (parsed, flags) => {
    expect(readFlags(parsed)).toEqual(flags)
  })
})

describe('a command line made of the table', () => {
  const parse = (...words: string[]) => {
    const command = new Command().option('--json')
    for (const { flag } of [...options, ...shorthands]) if (flag !== null) command.option(flag)
    return readFlags(command.parse(words, { from: 'user' }).opts())
  }

  test.each([
    [[], {}],
    [['--json'], {}],
    [['--max-tasks', '3', '--no-recovery'], { 'max-tasks': '3', recovery: false }],
    [['--enable-recovery', '--verify-mode', 'skip'], { recovery: true, 'verify-mode': 'skip' }],
    [['--pause-destructive'], { 'pause-destructive': true }],
    [['--no-pause-destructive'], { 'pause-destructive': false }],
    [['--max-iterations=7', '--verbose'], { 'max-iterations': '7', 'log-level': 'debug' }],
  ])('%j → %j', (words, flags) => {
    expect(parse(...words)).toEqual(flags)
  })
})

describe('closestName', () => {
  const known = ['max-tasks', 'max-tokens', 'model', 'stack']
  test.each([
    ['max-task', 'max-tasks'],
    ['max_tokens', 'max-tokens'],
    ['maxTokens', 'max-tokens'],
    ['modle', 'model'],
    ['stcak', 'stack'],
    ['zebra', null],
    ['', null],
    ['x'.repeat(100_000), null],
  ])('%s → %s', (written, meant) => {
    expect(closestName(written, known)).toBe(meant)
  })
})
