import type { Task } from '../../core/domain/task.ts'
import { suppliersOf, taskPaths } from '../../roadmap/document/order-tasks.ts'
import type { MissingModule } from '../../verify/prepare/missing-module.ts'

const sources: Readonly<Record<MissingModule['language'], RegExp>> = {
  javascript: /\.(?:[cm]?[jt]sx?|vue|svelte|json)$/,
  python: /\.pyi?$/,
  go: /\.go$/,
  rust: /\.rs$/,
  java: /\.(?:java|kt|groovy|scala)$/,
  ruby: /\.rb$/,
  php: /\.php$/,
  csharp: /\.cs$/,
  c: /\.(?:[ch]|cc|cpp|cxx|hh|hpp|hxx)$/,
}

const isOpen = ({ status }: Task): boolean => status !== 'done' && status !== 'cancelled'

/** Where a module of one name lies when it is the project's own. */
const homes = ['', 'src/', 'lib/', 'app/']

/**
 * The open tasks that will bring this module. Only JavaScript shows by the specifier itself
 * whether it means a file of the project; elsewhere a file that a task names tells.
 */
export function bringersOf(missing: MissingModule, others: readonly Task[]): readonly string[] {
  const { language, kind, path, specifier } = missing
  const able = others.filter((task) => taskPaths(task).some((each) => sources[language].test(each)))
  if (language === 'java') {
    const inside = `/${specifier.replaceAll('.', '/')}/`
    const inPackage = able.filter((task) =>
      taskPaths(task).some((each) => `/${each}`.includes(inside)),
    )
    if (inPackage.length > 0) return inPackage.filter(isOpen).map(({ id }) => id)
  }
  if (kind === 'local') return suppliersOf(path ?? specifier, others)
  if (language === 'javascript') return []
  if (/[./:\\]/.test(specifier)) return suppliersOf(specifier.replaceAll('\\', '/'), able)
  const own = homes.map((home) => home + specifier)
  const isOwn = (named: string) =>
    sources[language].test(named) &&
    own.includes(named.replace(/(?:\/(?:__init__|mod))?\.\w+$/, ''))
  const bringing = able.filter((task) => taskPaths(task).some(isOwn))
  return suppliersOf(specifier, bringing)
}
