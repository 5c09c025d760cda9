import { join } from 'node:path'
import ts from 'typescript'

/**
 * Counts the public members of what a door shows: the fields of its types, and those of what its functions return, as far
 * as this project declares them. A list counts none.
 */
export function countMembers(root: string, door: string): number {
  const program = ts.createProgram([join(root, door)], {
    ...{ module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
    ...{ target: ts.ScriptTarget.ES2023, strict: true, exactOptionalPropertyTypes: true },
    ...{ allowImportingTsExtensions: true, noEmit: true, skipLibCheck: true, types: ['node'] },
  })
  const checker = program.getTypeChecker()
  const file = program.getSourceFile(join(root, door))
  const shown = file && checker.getSymbolAtLocation(file)
  if (shown === undefined) throw new Error(`There is no ${door}.`)
  const isOurs = (member: ts.Symbol): boolean =>
    member.declarations?.some((each) => !/node_modules/.test(each.getSourceFile().fileName)) ===
    true
  const membersOf = (type: ts.Type): readonly string[] => {
    if (type.isUnion()) return [...new Set(type.types.flatMap(membersOf))]
    const awaited = checker.getAwaitedType(type)
    if (awaited !== undefined && awaited !== type) return membersOf(awaited)
    const isShape = (type.flags & ts.TypeFlags.Object) !== 0 || type.isIntersection()
    if (!isShape || checker.isArrayType(type)) return []
    return checker.getPropertiesOfType(type).flatMap((each) => (isOurs(each) ? each.name : []))
  }
  return checker.getExportsOfModule(shown).reduce((sum, each) => {
    const isAlias = (each.flags & ts.SymbolFlags.Alias) !== 0
    const symbol = isAlias ? checker.getAliasedSymbol(each) : each
    const isValue = (symbol.flags & ts.SymbolFlags.Value) !== 0
    const type = isValue ? checker.getTypeOfSymbol(symbol) : checker.getDeclaredTypeOfSymbol(symbol)
    const result = isValue ? type.getCallSignatures()[0]?.getReturnType() : undefined
    return sum + membersOf(result ?? type).length
  }, 0)
}
