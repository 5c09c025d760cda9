import { expect, it, test } from 'vitest'
import { validateFile } from '../../validate/validate-file.ts'

const syntax = {
  check: async () => ({ status: 'unavailable', reason: 'no parser in this case' }) as const,
}
const look = (text: string, before?: string) =>
  validateFile({ path: 'Makefile', text, before }, { syntax })

const sound = [
  '.PHONY: all test',
  'CC ?= gcc',
  'SOURCES := a.c \\',
  '  b.c',
  '-include local.mk',
  'ifeq ($(OS),linux)',
  '  FLAGS += -g',
  'endif',
  'define HELP',
  'make the thing',
  'endef',
  '$(call rules)',
  'all: a.o',
  '\t$(CC) -o all a.o',
  '',
  '# done',
  '',
].join('\n')

test.each([
  ['prose behind the code', `${sound}This builds the program and runs it.\n`, 17],
  ['a recipe without a tab', 'all:\n    gcc a.c\n', 2],
])('finds %s', async (_, text, line) => {
  expect(await look(text)).toMatchObject({ valid: false, problems: [{ type: 'syntax', line }] })
})

it('takes what make takes', async () => {
  expect(await look(sound)).toMatchObject({ valid: true, problems: [] })
})

it('leaves alone what was there', async () => {
  const text = 'all:\n    gcc a.c\n'
  expect((await look(`${text}\nclean:\n\trm a\n`, text)).valid).toBe(true)
})
