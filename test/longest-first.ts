import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * What runs the bundle takes longest and has the shortest texts, by which vitest goes where it has no times of
 * an earlier run; begun last, it would leave the other cores with nothing to do.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ project }: TestSpecification) => project.name === 'bundle'
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
