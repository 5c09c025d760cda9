import type { TestFailure } from '../../core/domain/test-report.ts'

/** One that no runner told of. */
export const failureSaying = (
  test: string,
  message: string,
  errorType: string | null = null,
): TestFailure => ({
  ...{ test, message, errorType },
  ...{ file: null, line: null, expected: null, actual: null, trace: [] },
})
