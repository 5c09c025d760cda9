import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { packageNames } from './packages.ts'

/** Finds the names that several files declare and export: lines of "name: file, file". */
export async function findSharedNames(root: string, pattern: string): Promise<readonly string[]> {
  const files = new Map<string, Set<string>>()
  for await (const file of glob(pattern, {
    cwd: root,
    exclude: (path) => /(?:^|\/)(?:test|when-needed\.ts)$/.test(path),
  })) {
    const text = await readFile(join(root, file), 'utf8')
    for (const name of exportedNames(text))
      files.set(name, (files.get(name) ?? new Set()).add(file))
  }
  return [...files]
    .filter(([, places]) => places.size > 1)
    .map(([name, places]) => `${name}: ${[...places].sort().join(', ')}`)
    .sort()
}

/** The names that a file declares itself, without re-exports. */
function exportedNames(text: string): readonly string[] {
  const { statements } = ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest)
  return statements.flatMap((statement) => {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    if (!isExported) return []
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap(({ name }) =>
        ts.isIdentifier(name) ? [name.text] : [],
      )
    }
    const { name } = statement as ts.DeclarationStatement
    return name !== undefined && ts.isIdentifier(name) ? [name.text] : []
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // A door makes names local: two packages may use the same one.
  const parts = ['src', ...packageNames.map((name) => `packages/${name}`)]
  const root = join(import.meta.dirname, '..')
  const found = await Promise.all(parts.map((part) => findSharedNames(root, `${part}/**/*.ts`)))
  const shared = found.flat()
  for (const line of shared) console.log(line)
  if (shared.length > 0) {
    console.log('\nGive each of them a unique name, so that a reader knows which one you mean.')
    process.exitCode = 1
  }
}
