import { expect, test } from 'vitest'
import { isRepositoryName } from '../../../src/core/domain/repository-name.ts'

test.each<[string, boolean]>([
  ['ada/shop', true],
  ['Ada-1/a.b_c-d', true],
  ['ada/.github', true],
  ['_managed_user/app', false],
  ['ada/..', false],
  ['ada/.', false],
  ['../shop', false],
  ['./shop', false],
  ['/etc', false],
  ['a/b/c', false],
  ['ada/sh op', false],
  ['ada/shop\n', false],
  ['https://github.com/ada/shop', false],
  [`ada/${'a'.repeat(101)}`, false],
  ['', false],
])('%j is the name of a repository: %j', (text, is) => {
  expect(isRepositoryName(text)).toBe(is)
})
