import { posix } from 'node:path'

const EXTENSIONS = ['.ts', '.tsx', '.js', '.jsx', '.mjs', '.cjs', '.mts', '.cts', '.d.ts', '.json']

/** What TypeScript lets an import of a compiled name stand for. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.d.ts', '.jsx'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts', '.d.mts'],
  '.cjs': ['.cts', '.d.cts'],
}

/** Paths that a relative JavaScript or TypeScript import may mean, likeliest first. */
export function scriptCandidates(target: string): readonly string[] {
  const extension = posix.extname(target)
  const stem = target.slice(0, target.length - extension.length)
  return [
    target,
    ...(SOURCES[extension] ?? []).map((source) => stem + source),
    ...EXTENSIONS.map((added) => target + added),
    ...EXTENSIONS.map((added) => posix.join(target, `index${added}`)),
  ]
}

/** Relative to the file; without dots from the root, `src/`, or the folder a script is started in. */
export function pythonCandidates(from: string, specifier: string): readonly string[] {
  const dots = /^\.*/.exec(specifier)?.[0].length ?? 0
  const tail = specifier.slice(dots).replaceAll('.', '/')
  const own = posix.dirname(from)
  const above = posix.join(own, ...Array.from({ length: Math.max(0, dots - 1) }, () => '..'))
  return (dots > 0 ? [above] : ['.', 'src', own]).flatMap((root) => {
    const base = posix.join(root, tail)
    return [...(tail === '' ? [] : [`${base}.py`, `${base}.pyi`]), posix.join(base, '__init__.py')]
  })
}
