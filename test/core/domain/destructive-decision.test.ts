import { expect, it } from 'vitest'
import { notAllowed } from '../../../src/core/domain/destructive-decision.ts'
import { anOperation } from '../../fakes/facts.ts'

const named = (...fingerprints: readonly string[]) =>
  fingerprints.map((fingerprint) => anOperation({ fingerprint }))

it.each<[readonly string[], readonly string[], readonly string[]]>([
  [['a', 'b'], [], ['a', 'b']],
  [['a', 'b'], ['a'], ['b']],
  [['a', 'b'], ['b', 'a'], []],
  [['a', 'a'], ['a'], ['a']],
  [['a', 'a'], ['a', 'a'], []],
  [[], ['a'], []],
])('of %j, with %j approved, %j is left to ask', (found, allowed, left) => {
  expect(notAllowed(named(...found), allowed)).toEqual(named(...left))
})
