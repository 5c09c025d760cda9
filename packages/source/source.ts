export { closerOf, closingBracket, nameOpenBracket, splitAtCommas } from './code/brackets.ts'
export { compoundNames, indexWords, readCodeParts } from './code/code-parts.ts'
export { type Definition, definitionEnd, definitionsOf, indentWidth } from './code/definitions.ts'
export { isProse, languageOf } from './code/languages.ts'
export { isDeclaring, isManifest } from './code/manifests.ts'
export { blank, type MaskedLanguage, maskCurly, maskText } from './code/mask.ts'
export { newLineNumbers } from './code/new-lines.ts'
export { declarationLines, outline, signatureLines } from './code/outline.ts'
export { outlineParts, type WeighedPart } from './code/outline-parts.ts'
export { isOwn } from './code/own-files.ts'
export { requirementGrammar } from './code/pep508.ts'
export { endOfText, lineCounter, positionAt, TOO_DEEP } from './code/positions.ts'
export {
  codeFile,
  counterparts,
  declaresTest,
  exampleTest,
  isAboutTests,
  isBesideTests,
  isPlainTest,
  isTestFile,
  languageFamily,
  sharedFolders,
  type TestLanguage,
  testLanguages,
  testSettings,
  testWord,
} from './code/test-files.ts'
export { type Element, elements, tags, type XmlTag, xmlTextAt } from './code/xml.ts'
export { findBrokenImports } from './imports/find-broken-imports.ts'
export {
  exportedNames,
  type ImportStatement,
  importStatements,
  providedNames,
  pythonFile,
  readProvided,
} from './imports/import-statements.ts'
export { importedNames, isImportOf, namesOfFile } from './imports/imported-names.ts'
export { importedFiles, resolveImport } from './imports/imports.ts'
export { findJson, parseLeniently, unescapeOnce, unescapeTwice } from './mend-json.ts'
export {
  closestPath,
  findNamedCode,
  findNamedFiles,
  followsVerb,
  type NamedFiles,
  tidyPath,
} from './named/named-files.ts'
export { parsePythonText } from './syntax/parse-python.ts'
export { readSyntax } from './syntax/read-syntax.ts'
export {
  type CalleeOrigin,
  calleeOrigin,
  type LexicalScope,
  lookUp,
  placeNodes,
  type ScopedNode,
} from './syntax/scopes.ts'
export {
  type Chain,
  chainOf,
  childNodes,
  descendants,
  isCall,
  isFunction,
  isMember,
  keyName,
  lineOf,
  memberName,
  nodeAt,
  nodesAt,
  type Syntax,
  type SyntaxNode,
  textAt,
} from './syntax/syntax-node.ts'

export {
  entry,
  isEntries,
  isList,
  textsOf,
  UNKNOWN,
  type Value,
  valueText,
} from './syntax/value.ts'
export { createValues, type ValueOf } from './syntax/values.ts'
export type { SyntaxChecker, SyntaxLanguage, SyntaxProblem } from './syntax-checker.ts'
export { createWasmSyntaxChecker } from './wasm-syntax-checker.ts'
