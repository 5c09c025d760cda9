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
  mayTry,
  messageLines,
  missingProgramIn,
  mostCorrections,
  plainText,
  setUpFailed,
  signatureOf,
} from './diagnose.ts'
export { notFound, notRunnable } from './exit-codes.ts'
export { adviceFor, installOf, isKnownTool } from './patterns.ts'

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
