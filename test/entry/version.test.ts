import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { version } from '../../src/entry/version.ts'

it("is package.json's", () => {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  expect(version).toBe(JSON.parse(text).version)
})
