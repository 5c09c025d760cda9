import { glob, readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import ts from 'typescript'

/** One import or re-export of a file. */
export interface Import {
  /** A path below the project, or the specifier of a package or of Node. */
  readonly from: string
  /** As they are exported there; `*` for all of it. */
  readonly names: readonly string[]
  /** Brings types only, which are gone when it runs. */
  readonly isType: boolean
  /** `import()`. */
  readonly isDeferred: boolean
}

export interface Source {
  readonly path: string
  readonly lines: number
  readonly imports: readonly Import[]
  /** Names of exported interfaces and type aliases. */
  readonly shapes: readonly string[]
  /** Identifiers, each once. */
  readonly identifiers: ReadonlySet<string>
  /** Spreads of a literal: `...{ a, b }`, `...['x']`. */
  readonly literalSpreads: number
}

/** Reads every source of the product, by path: `src/` and the packages, without tests. */
export async function readSources(root: string): Promise<ReadonlyMap<string, Source>> {
  const sources = new Map<string, Source>()
  for await (const path of glob(['src/**/*.ts', 'packages/*/**/*.ts'], {
    cwd: root,
    exclude: (name) => /(?:^|\/)(?:node_modules|test|dist)$/.test(name),
  })) {
    sources.set(path, readSource(path, await readFile(join(root, path), 'utf8')))
  }
  return sources
}

export function readSource(path: string, text: string): Source {
  const imports: Import[] = []
  const shapes: string[] = []
  const identifiers = new Set<string>()
  let literalSpreads = 0
  const fromOf = (specifier: string): string =>
    specifier.startsWith('.') ? normalize(join(dirname(path), specifier)) : specifier
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) identifiers.add(node.text)
    else if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      imports.push({ from: fromOf(node.moduleSpecifier.text), ...namesOf(node.importClause) })
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
      const from = fromOf((node.moduleSpecifier as ts.StringLiteral).text)
      imports.push({ from, ...exportedNames(node) })
    } else if (isDeferredImport(node)) {
      const [argument] = node.arguments
      if (argument !== undefined && ts.isStringLiteral(argument)) {
        const names = boundNames(node)
        imports.push({ from: fromOf(argument.text), names, isType: false, isDeferred: true })
      }
    } else if (isExportedShape(node)) shapes.push(node.name.text)
    else if (isLiteralSpread(node)) literalSpreads += 1
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true))
  const lines = text.split('\n').length - 1
  return { path, lines, imports, shapes, identifiers, literalSpreads }
}

type Names = Pick<Import, 'names' | 'isType' | 'isDeferred'>

function namesOf(clause: ts.ImportClause | undefined): Names {
  if (clause === undefined) return { names: [], isType: false, isDeferred: false }
  const isWholeType = clause.phaseModifier === ts.SyntaxKind.TypeKeyword
  const { namedBindings: bindings, name } = clause
  if (bindings === undefined || ts.isNamespaceImport(bindings)) {
    const names = [bindings === undefined ? 'default' : '*']
    return { names, isType: isWholeType, isDeferred: false }
  }
  const isType =
    isWholeType || (name === undefined && bindings.elements.every(({ isTypeOnly }) => isTypeOnly))
  const names = bindings.elements.map((each) => (each.propertyName ?? each.name).text)
  return { names, isType, isDeferred: false }
}

function exportedNames({ exportClause, isTypeOnly }: ts.ExportDeclaration): Names {
  if (exportClause === undefined || !ts.isNamedExports(exportClause)) {
    return { names: ['*'], isType: isTypeOnly, isDeferred: false }
  }
  const { elements } = exportClause
  const isType = isTypeOnly || elements.every((each) => each.isTypeOnly)
  const names = elements.map((each) => (each.propertyName ?? each.name).text)
  return { names, isType, isDeferred: false }
}

const isDeferredImport = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword

/** What `const { a } = await import()` takes; `*` for another use. */
function boundNames(call: ts.CallExpression): readonly string[] {
  const { parent } = call
  const holder = ts.isAwaitExpression(parent) ? parent.parent : parent
  if (!ts.isVariableDeclaration(holder) || !ts.isObjectBindingPattern(holder.name)) return ['*']
  return holder.name.elements.map((each) => (each.propertyName ?? each.name).getText())
}

const isExportedShape = (
  node: ts.Node,
): node is ts.InterfaceDeclaration | ts.TypeAliasDeclaration =>
  (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) &&
  node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true

function isLiteralSpread(node: ts.Node): boolean {
  if (!ts.isSpreadAssignment(node) && !ts.isSpreadElement(node)) return false
  const { expression } = node
  return ts.isObjectLiteralExpression(expression) || ts.isArrayLiteralExpression(expression)
}

/** The sources that a file needs when it runs, itself among them. */
export function closureOf(
  start: string,
  sources: ReadonlyMap<string, Source>,
  withDeferred: boolean,
): ReadonlySet<string> {
  const found = new Set<string>()
  const queue = [start]
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const source = sources.get(path)
    if (source === undefined || found.has(path)) continue
    found.add(path)
    const needed = source.imports.filter(
      ({ isType, isDeferred }) => !isType && (withDeferred || !isDeferred),
    )
    queue.push(...needed.map(({ from }) => from))
  }
  return found
}
