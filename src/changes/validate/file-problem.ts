import type { CodeProblem } from '../../core/domain/problem.ts'

/**
 * A problem of the file that is looked at. Its type is `syntax`, `encoding`, `stray_fence`, `leading_prose`,
 * `trailing_prose`, `placeholder`, `conflict_marker` or `edit_marker`; of hints also `unclosed_fence` and `example`.
 */
export type FileProblem = Omit<CodeProblem, 'path'>
