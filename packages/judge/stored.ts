import { destructiveOperationSchema } from './destructive/operation.ts'
import { receiptSchema, testFailureSchema, testReportSchema } from './results/test-report.ts'

/** Schemas of the judge's results in the state of a run; they parse what earlier versions stored. */
export const judgedSchemas = {
  operation: destructiveOperationSchema,
  failure: testFailureSchema,
  report: testReportSchema,
  receipt: receiptSchema,
}
