export {
  commandFaultSchema,
  type Diagnosis,
  diagnosisSchema,
  sameDiagnosis,
} from './command-fault.ts'
export {
  classifiedAs,
  classifyCommand,
  classifyProblem,
  classifyText,
  diagnoseCommand,
  findLack,
  lastLines,
  longestLine,
  messageLines,
  missingProgramIn,
  plainText,
  setUpFailed,
  signatureOf,
} from './diagnose.ts'
export { notFound, notRunnable } from './exit-codes.ts'
export { adviceFor, installOf, isKnownTool } from './patterns.ts'

export { mayTry, mostCorrections } from './remedy-table.ts'
export {
  type ClassifiedError,
  type ErrorType,
  errorTypeSchema,
  type Remedy,
  remedySchema,
  stepErrorSchema,
  type Tried,
  triedSchema,
} from './step-error.ts'
