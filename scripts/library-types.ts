import { join } from 'node:path'
import ts from 'typescript'
import { options } from '../src/entry/config/options.ts'

/**
 * Writes the types of `src/entry/library.ts` in one file that needs no other: types that come from a schema are spelled
 * out, and everything is readonly. Exported names stay names; other types are written where they are used.
 */
export function libraryTypes(root: string): string {
  const entry = join(root, 'src/entry/library.ts')
  const config = ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.json'), {}, host)
  const program = ts.createProgram([entry], config?.options ?? {})
  const checker = program.getTypeChecker()
  const file = program.getSourceFile(entry)
  const module = file && checker.getSymbolAtLocation(file)
  if (module === undefined) throw new Error(`${entry} exports nothing.`)
  const exported = checker
    .getExportsOfModule(module)
    .map((symbol) => ({ name: symbol.name, symbol: resolve(symbol, checker) }))
  return `${[header, ...new Writer(checker, exported).declarations()].join('\n\n')}\n`
}

const header = `// Generated from src/entry/library.ts by npm run generate.`

const host: ts.ParseConfigFileHost = {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
    throw new Error(String(messageText))
  },
}

const resolve = (symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol

interface Exported {
  readonly name: string
  readonly symbol: ts.Symbol
}

/** Spells declarations out. */
class Writer {
  readonly #checker: ts.TypeChecker
  readonly #exported: readonly Exported[]
  /** The exported types and aliases, which stay names. */
  readonly #names: ReadonlyMap<ts.Type, string>
  readonly #aliases: ReadonlyMap<ts.Symbol, string>

  constructor(checker: ts.TypeChecker, exported: readonly Exported[]) {
    const types = exported.filter(({ symbol }) => symbol.flags & ts.SymbolFlags.Type)
    this.#checker = checker
    this.#exported = exported.toSorted((a, b) => a.name.localeCompare(b.name))
    this.#names = new Map(
      types.map(({ name, symbol }) => [checker.getDeclaredTypeOfSymbol(symbol), name]),
    )
    this.#aliases = new Map(types.map(({ name, symbol }) => [symbol, name]))
  }

  declarations(): readonly string[] {
    return this.#exported.map(
      ({ name, symbol }) => this.#docsOf(symbol, '') + this.#declare(name, symbol),
    )
  }

  #declare(name: string, symbol: ts.Symbol): string {
    if (symbol.flags & ts.SymbolFlags.Class) return this.#declareClass(name, symbol)
    if (symbol.flags & ts.SymbolFlags.Type) return this.#declareType(name, symbol)
    const [signature] = this.#checker.getTypeOfSymbol(symbol).getCallSignatures()
    if (signature === undefined) throw new Error(`${name} is no type, class or function.`)
    return `export declare function ${name}${this.#signatureOf(signature, ': ', '')}`
  }

  #declareClass(name: string, symbol: ts.Symbol): string {
    const own = this.#checker
      .getPropertiesOfType(this.#checker.getDeclaredTypeOfSymbol(symbol))
      .filter((member) => isOurs(member))
    const made = this.#checker.getTypeOfSymbol(symbol).getConstructSignatures()
    const constructors = made.map((each) => `  constructor(${this.#parametersOf(each, '  ')})\n`)
    const members = own.map((member) => this.#memberOf(member, '  ', '')).join('')
    return `export declare class ${name} extends Error {\n${constructors.join('')}${members}}`
  }

  #declareType(name: string, symbol: ts.Symbol): string {
    const type = this.#checker.getDeclaredTypeOfSymbol(symbol)
    const generic = type.aliasTypeArguments ?? []
    const parameters = generic.map((each) => each.symbol.name)
    const after = parameters.length === 0 ? '' : `<${parameters.join(', ')}>`
    const path = name === 'SettingsFile' ? '.' : ''
    const isInterface = isObject(type) && type.getCallSignatures().length === 0
    return isInterface
      ? `export interface ${name}${after} ${this.#bodyOf(type, '', path)}`
      : `export type ${name}${after} = ${this.#spell(type, '', path)}`
  }

  /** A name where the type has one, else the type itself. */
  #write(type: ts.Type, indent: string, path: string, isOptional = false): string {
    if (isOptional) {
      // A project may set exactOptionalPropertyTypes, or not.
      const written = type.isUnion()
        ? this.#unionOf(type, indent, path)
        : this.#inUnion(type, indent, path)
      return `${written.replace(/ \| undefined$/, '')} | undefined`
    }
    const alias = type.aliasSymbol && this.#aliases.get(type.aliasSymbol)
    const name = alias ?? this.#names.get(type)
    if (name === undefined) return this.#spell(type, indent, path)
    const given = type.aliasTypeArguments ?? []
    return given.length === 0
      ? name
      : `${name}<${given.map((each) => this.#write(each, indent, '')).join(', ')}>`
  }

  #spell(type: ts.Type, indent: string, path: string): string {
    if (type.flags & ts.TypeFlags.Any) throw new Error('The types of the library have an any.')
    if (type.isUnion()) return this.#unionOf(type, indent, path)
    if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) {
      return this.#checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation)
    }
    if (this.#checker.isTupleType(type))
      return `readonly [${this.#itemsOf(type, indent).join(', ')}]`
    if (this.#checker.isArrayType(type)) {
      const [item = ''] = this.#itemsOf(type, indent)
      const isOne =
        /^\w+(?:<\w+>)?$/.test(item) ||
        !this.#checker.getTypeArguments(type as ts.TypeReference)[0]?.isUnion()
      return `readonly ${isOne ? item : `(${item})`}[]`
    }
    if (isGlobal(type)) {
      const given = this.#itemsOf(type, indent)
      return `${type.symbol.name}${given.length === 0 ? '' : `<${given.join(', ')}>`}`
    }
    const [signature] = type.getCallSignatures()
    return signature
      ? this.#signatureOf(signature, ' => ', indent)
      : this.#bodyOf(type, indent, path)
  }

  #itemsOf(type: ts.Type, indent: string): readonly string[] {
    return this.#checker
      .getTypeArguments(type as ts.TypeReference)
      .map((each) => this.#write(each, indent, ''))
  }

  #unionOf(type: ts.UnionType, indent: string, path: string): string {
    const rank = ({ flags }: ts.Type) =>
      flags & ts.TypeFlags.Undefined ? 2 : flags & ts.TypeFlags.Null ? 1 : 0
    // The compiler orders them by when it first met each.
    const byText = (a: ts.Type, b: ts.Type) =>
      a.isStringLiteral() && b.isStringLiteral() ? a.value.localeCompare(b.value) : 0
    const members = type.types.toSorted((a, b) => rank(a) - rank(b) || byText(a, b))
    const isWhole = type.types.filter(isBoolean).length === 2
    const written = members.map((each) =>
      isWhole && isBoolean(each) ? 'boolean' : this.#inUnion(each, indent, path),
    )
    return [...new Set(written)].join(' | ')
  }

  #inUnion(type: ts.Type, indent: string, path: string): string {
    const text = this.#write(type, indent, path)
    return text.startsWith('(') ? `(${text})` : text
  }

  #bodyOf(type: ts.Type, indent: string, path: string): string {
    const inner = `${indent}  `
    const index = this.#checker
      .getIndexInfosOfType(type)
      .map(
        ({ type: value }) => `${inner}readonly [key: string]: ${this.#write(value, inner, '')}\n`,
      )
    const members = this.#checker
      .getPropertiesOfType(type)
      .map((each) => this.#memberOf(each, inner, path))
    const all = [...index, ...members]
    return all.length === 0 ? '{}' : `{\n${all.join('')}${indent}}`
  }

  #memberOf(member: ts.Symbol, indent: string, path: string): string {
    const type = this.#checker.getTypeOfSymbol(member)
    const name = /^[\w$]+$/.test(member.name) ? member.name : JSON.stringify(member.name)
    const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0
    const place = path === '' ? '' : `${path === '.' ? '' : `${path}.`}${member.name}`
    const docs = settingDocs(place, indent) || this.#docsOf(member, indent)
    const [signature] = type.getCallSignatures()
    if (member.flags & ts.SymbolFlags.Method && signature && !isOptional) {
      return `${docs}${indent}${name}${this.#signatureOf(signature, ': ', indent)}\n`
    }
    const value = this.#write(type, indent, place, isOptional)
    return `${docs}${indent}readonly ${name}${isOptional ? '?' : ''}: ${value}\n`
  }

  #signatureOf(signature: ts.Signature, arrow: string, indent: string): string {
    return `(${this.#parametersOf(signature, indent)})${arrow}${this.#write(signature.getReturnType(), indent, '')}`
  }

  #parametersOf(signature: ts.Signature, indent: string): string {
    return signature
      .getParameters()
      .map((parameter) => {
        const { valueDeclaration: node } = parameter
        const isOptional =
          node !== undefined && ts.isParameter(node) && this.#checker.isOptionalParameter(node)
        const type = this.#checker.getTypeOfSymbol(parameter)
        const written = this.#write(type, indent, '', isOptional)
        const name = parameter.name.startsWith('__') ? 'options' : parameter.name
        return `${name}${isOptional ? '?' : ''}: ${written}`
      })
      .join(', ')
  }

  #docsOf(symbol: ts.Symbol, indent: string): string {
    if (!isOurs(symbol)) return ''
    const text = ts.displayPartsToString(symbol.getDocumentationComment(this.#checker))
    const tags = symbol
      .getJsDocTags(this.#checker)
      .map((tag) => `@${tag.name} ${ts.displayPartsToString(tag.text)}`)
    return comment([...(text === '' ? [] : [text]), ...tags].join('\n'), indent)
  }
}

const settingDocs = (key: string, indent: string): string => {
  const found = options.find((option) => option.key === key)
  return found === undefined ? '' : comment(found.description, indent)
}

function comment(text: string, indent: string): string {
  const lines = text.split('\n')
  if (text === '') return ''
  return lines.length === 1
    ? `${indent}/** ${text} */\n`
    : `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}

const isBoolean = (type: ts.Type): boolean => (type.flags & ts.TypeFlags.BooleanLiteral) !== 0

const isObject = (type: ts.Type): boolean => (type.flags & ts.TypeFlags.Object) !== 0

const isOurs = ({ declarations = [] }: ts.Symbol): boolean =>
  declarations.some((node) => !node.getSourceFile().fileName.includes('/node_modules/'))

/** A type of the language or of Node, like Promise. */
const isGlobal = ({ symbol, flags }: ts.Type): boolean =>
  (flags & ts.TypeFlags.Object) !== 0 &&
  symbol !== undefined &&
  symbol.name !== '__type' &&
  (symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class)) !== 0 &&
  !isOurs(symbol)
