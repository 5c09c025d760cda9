import { expect, test } from 'vitest'
import { scoreJsonFiles } from '../../scores/json-files.ts'
import { missed } from '../../scores/score.ts'

test('every case of JSONTestSuite is judged right', async () => {
  expect(missed(await scoreJsonFiles())).toEqual([])
})
