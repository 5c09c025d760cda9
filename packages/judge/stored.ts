import { destructiveOperationSchema } from './destructive/operation.ts'
import { receiptSchema, testFailureSchema, testReportSchema } from './results/test-report.ts'

/** How what the judge finds is stored; each is read as it was written by the version before. */
export const judgedSchemas = {
  operation: destructiveOperationSchema,
  failure: testFailureSchema,
  report: testReportSchema,
  receipt: receiptSchema,
}
