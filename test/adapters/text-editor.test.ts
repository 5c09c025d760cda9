import { expect, it } from 'vitest'
import { openInEditor } from '../../src/adapters/text-editor.ts'

it.each([
  ['what was saved', { EDITOR: 'sed -i s/one/two/' }, { status: 'ok', text: 'two\n' }],
  ['VISUAL before EDITOR', { VISUAL: 'true', EDITOR: 'false' }, { status: 'ok', text: 'one\n' }],
  ['an editor that fails', { EDITOR: 'false' }, { status: 'failed', reason: 'false ended with 1' }],
  [
    'an editor that is not there',
    { EDITOR: 'no-such-editor --wait' },
    { status: 'failed', reason: 'the editor no-such-editor --wait is not installed: set EDITOR' },
  ],
])('returns %s', async (_, environment, expected) => {
  expect(await openInEditor('one\n', environment)).toEqual(expected)
})
