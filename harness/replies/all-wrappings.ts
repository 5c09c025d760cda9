import { aroundWrappings } from './around.ts'
import { diffWrappings } from './diff-wrappings.ts'
import { editWrappings } from './edit-wrappings.ts'
import { faults } from './faults.ts'
import { fileWrappings } from './file-wrappings.ts'
import type { Wrapping } from './wrapping.ts'

/** Forms of an answer that says all that was meant. */
export const rightOnes: readonly Wrapping[] = [
  ...editWrappings,
  ...diffWrappings,
  ...fileWrappings,
  ...aroundWrappings,
]

/** Answers that are wrong, or not whole. */
export const wrongOnes: readonly Wrapping[] = faults
