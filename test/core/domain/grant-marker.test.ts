import { expect, it } from 'vitest'
import { grantMarker, readGrants } from '../../../src/core/domain/grant-marker.ts'
import { taskMarker } from '../../../src/core/domain/identity.ts'

const grant = { path: 'docs/a by b.md', by: 'ann-1' }
const task = taskMarker({ id: 'T-1', fingerprint: 'a'.repeat(64) })

it.each([
  ['alone', grantMarker(grant), [grant]],
  ['before another hidden line', `Words\n\n${grantMarker(grant)}\n${task}\n`, [grant]],
  [
    'two',
    `${grantMarker(grant)}\r\n${grantMarker({ ...grant, path: 'x' })}`,
    [grant, { ...grant, path: 'x' }],
  ],
  ['in a fence', `\`\`\`\n${grantMarker(grant)}\n\`\`\`\n${task}`, []],
  ['above words', `${grantMarker(grant)}\nWords\n${task}`, []],
  ['above a blank line', `${grantMarker(grant)}\n\n${task}`, []],
  ['by nobody', grantMarker({ ...grant, by: 'a b' }), []],
  ['neutralised', `&lt;${grantMarker(grant).slice(1)}`, []],
])('reads grants that stand %s', (_, body, expected) => {
  expect(readGrants(body)).toEqual(expected)
})
