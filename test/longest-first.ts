import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { readKeptTimes } from './report-times.ts'

/**
 * What takes longest begins first: begun last, it would leave the other cores with nothing to do. A file without
 * a known time is taken for a long one where it runs the bundle.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const kept = await readKeptTimes()
    const secondsOf = ({ moduleId, project }: TestSpecification): number => {
      const path = moduleId.slice(project.vitest.config.root.length + 1)
      return kept[path] ?? (path.startsWith('test/e2e/') ? 10 : 0)
    }
    return files.toSorted((a, b) => secondsOf(b) - secondsOf(a))
  }
}
