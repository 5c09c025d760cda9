import fc from 'fast-check'
import { expect, it } from 'vitest'
import { editConfig } from '../../../src/entry/config/edit-config.ts'
import { readConfigFile } from '../../../src/entry/config/read-config-file.ts'

const values = { model: 'small "model"', strategy: 'tools' }

it('changes these values, and keeps comments, order and quotes', () => {
  const text = `# Ours.
model: "gpt" # the cheap one

# Not before May.
approval-mode: 'auto'
strategy: single # one request
limits:
  minutes: 60
`
  expect(editConfig(text, values)).toBe(`# Ours.
model: "small \\"model\\"" # the cheap one

# Not before May.
approval-mode: 'auto'
strategy: tools # one request
limits:
  minutes: 60
`)
})

it.each<[string, string, string | null]>([
  ['an empty file', '', 'model: small "model"\nstrategy: tools\n'],
  [
    'only comments',
    '# Nothing yet.\n',
    '# Nothing yet.\n\nmodel: small "model"\nstrategy: tools\n',
  ],
  ['the same values', 'strategy: tools\nmodel: small "model"\n', null],
  [
    'Windows line ends',
    'roadmap: PLAN.md # ours\r\nstrategy: single\r\n',
    'roadmap: PLAN.md # ours\r\nstrategy: tools\r\nmodel: small "model"\r\n',
  ],
  ['a list', '- model\n', null],
  ['a text', 'model\n', null],
  ['no YAML', 'model: [\n', null],
  ['a key twice', 'model: a\nmodel: b\n', null],
  ['a map in the value', 'model: {a: 1}\n', 'model: small "model"\nstrategy: tools\n'],
])('edits %s', (_, text, edited) => {
  expect(editConfig(text, values)).toBe(edited)
})

it('writes any name as one value, and nothing twice', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (model) => {
      const edited = editConfig('roadmap: PLAN.md # ours\n', { model }) ?? ''
      expect(readConfigFile('executor.yml', edited)).toMatchObject({
        problems: [],
        values: { model, roadmap: 'PLAN.md' },
      })
      expect(edited).toContain('roadmap: PLAN.md # ours')
      expect(editConfig(edited, { model })).toBeNull()
    }),
  )
})
