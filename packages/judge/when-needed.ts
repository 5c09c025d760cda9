/**
 * Loads the parts of the judge that a start does not need, each with its first call. Their own files describe them.
 */
import type { tryCorrection as TryCorrection } from './verdict/judge-correction.ts'

const whenNeeded =
  <Given extends readonly unknown[], Found>(
    load: () => Promise<(...given: Given) => Found | Promise<Found>>,
  ) =>
  async (...given: Given): Promise<Found> =>
    (await load())(...given)

export const readDraft = whenNeeded(async () => (await import('./answer/read-draft.ts')).readDraft)
export const parseReply = whenNeeded(
  async () => (await import('./answer/parse-reply.ts')).parseReply,
)
export const readToolCalls = whenNeeded(
  async () => (await import('./answer/read-tool-calls.ts')).readToolCalls,
)
export const validateFile = whenNeeded(
  async () => (await import('./validate/validate-file.ts')).validateFile,
)
export const findProblems = whenNeeded(
  async () => (await import('./verdict/find-problems.ts')).findProblems,
)
export const findOperations = whenNeeded(
  async () => (await import('./destructive/find-destructive.ts')).findOperations,
)

export const packagesOf = whenNeeded(
  async () => (await import('./prepare/renew-locks.ts')).packagesOf,
)
export const testsOf = whenNeeded(async () => (await import('./run/project-tests.ts')).testsOf)
export const openBaseline = whenNeeded(async () => (await import('./run/baseline.ts')).openBaseline)
export const createVerifier = whenNeeded(
  async () => (await import('./verdict/verify-change.ts')).createVerifier,
)
export const verifyChange = whenNeeded(
  async () => (await import('./verdict/verify-change.ts')).verifyChange,
)
export const tryCorrection: typeof TryCorrection = async (...given) =>
  (await import('./verdict/judge-correction.ts')).tryCorrection(...given)
