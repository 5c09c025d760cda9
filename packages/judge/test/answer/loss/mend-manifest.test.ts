import { describe, expect, it } from 'vitest'
import { type ChangeSet, contentAfter } from '../../../../change/change.ts'
import { withoutNodeModules } from '../../../answer/loss/mend-manifest.ts'
import { readDraft } from '../../../answer/read-draft.ts'

const write = (manifest: object, indent: string | number = 2): string =>
  `${JSON.stringify(manifest, null, indent)}\n`
const textOf = (changes: ChangeSet) => changes.map(contentAfter).join()
const after = (text: string, path = 'package.json') =>
  textOf(withoutNodeModules([{ action: 'create', path, content: text }]))

describe('modules of Node among the dependencies', () => {
  it.each<[name: string, given: string, kept: string]>([
    ['alone', write({ devDependencies: { 'node:test': '^24' } }), write({ devDependencies: {} })],
    [
      'among others, with tabs',
      write({ name: 'a', dependencies: { 'node:fs': '*', zod: '4' } }, '\t'),
      write({ name: 'a', dependencies: { zod: '4' } }, '\t'),
    ],
  ])('are left out: %s', (_, given, kept) => expect(after(given)).toBe(kept))

  it.each<[name: string, text: string, path?: string]>([
    ['a script that names one', write({ scripts: { test: 'node --import "node:test"' } })],
    ['a manifest that does not parse', '{ "dependencies": { "node:fs": "*", } '],
    ['another file', write({ dependencies: { 'node:fs': '*' } }), 'data.json'],
    ['an odd list', write({ dependencies: ['node:fs'] })],
  ])('stay in %s', (_, text, path) => expect(after(text, path)).toBe(text))

  it('are left out of an answer', async () => {
    const text = write({ devDependencies: { 'node:test': '^24' } })
    const { changes } = await readDraft(`package.json\n\`\`\`json\n${text}\`\`\`\n`, {
      ...{ base: [], expectedPath: undefined, paths: [] },
      read: async () => new Map(),
    })
    expect(textOf(changes)).toBe(write({ devDependencies: {} }))
  })
})
