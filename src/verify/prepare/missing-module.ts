import { posix } from 'node:path'
import type { TestFailure } from '../../core/domain/test-report.ts'
import { type Exists, type ModuleLanguage, missingPatterns } from './missing-module-patterns.ts'

/** Something that code wanted to import and that is not there. */
export interface MissingModule {
  /** As the message says it: `./user`, `left-pad`, `src.user`, `crate::user`. */
  readonly specifier: string
  /** `local`: the project itself should have it; `package`: it is to be installed. */
  readonly kind: 'local' | 'package'
  /** The importing file, relative to the project, where the message tells. */
  readonly from: string | null
  /** Where a local module would be, relative to the project and without extension. */
  readonly path: string | null
  readonly language: ModuleLanguage
}

/**
 * The modules that messages say are missing, each once. `exists` decides for languages whose
 * specifiers do not show it: `src.user` is local when the project has `src`, `yaml` is a package.
 */
export function missingModules(
  told: string | readonly (string | Pick<TestFailure, 'message' | 'file'>)[],
  exists: Exists,
): readonly MissingModule[] {
  const found = new Map<string, MissingModule>()
  for (const each of typeof told === 'string' ? [told] : told) {
    const text = typeof each === 'string' ? each : each.message
    const file = typeof each === 'string' ? null : each.file
    for (const { language, message, locate } of missingPatterns) {
      for (const { groups } of text.matchAll(message)) {
        const specifier = groups?.name ?? ''
        const from = groups?.from === undefined ? file : posix.normalize(groups.from)
        if (found.has(`${language} ${specifier}`)) continue
        const path = locate(specifier, from, exists)
        const kind = path === null ? 'package' : 'local'
        found.set(`${language} ${specifier}`, { specifier, kind, from, path, language })
      }
    }
  }
  return [...found.values()]
}
