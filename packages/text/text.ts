export { applyCuts, hiddenCharacters, paddedText } from './hidden/characters.ts'
export { type HiddenRecord, type HiddenText, hiddenRecordSchema } from './hidden/hidden-record.ts'
export { findHiddenText } from './hidden/hidden-text.ts'
export { showText, showTexts, stripHidden } from './hidden/show-text.ts'
export { terminalText } from './hidden/terminal.ts'
export { atMost, once, takingTurns } from './in-turn.ts'
export {
  codeSpans,
  cutInline,
  plainWords,
  visibleText,
  withoutCodeSpans,
} from './markdown/inline-text.ts'
export {
  alert,
  countOf,
  fenced,
  fold,
  headed,
  inertLog,
  inlineCode,
  lineBeforeCode,
  neutralise,
  neutraliseCode,
  neutraliseLine,
  neutraliseTitle,
  paragraphs,
  tableCell,
  withoutControls,
  writeList,
  writeTable,
} from './markdown/write-markdown.ts'
export { checkPath, plainPath } from './paths/check-path.ts'
export {
  type Certainty,
  isPathWord,
  looksLikePath,
  modulesIn,
  normalisePath,
  pathsIn,
  staysInside,
  trimMarks,
} from './paths/path-words.ts'
export { findKeys, maskKeys } from './secrets/find-keys.ts'
export { createDataMask } from './secrets/mask-data.ts'
export { createRedactor, createSecretMask } from './secrets/redact.ts'
export {
  commitSchema,
  count,
  type Fields,
  isFields,
  jsonFields,
  maybeCount,
  maybeText,
  object,
  parseExactly,
  parseJson,
  readStored,
  type Stored,
  text,
  texts,
  webAddress,
} from './stored.ts'
export {
  boundMarkdown,
  boundText,
  type CodeFence,
  longestSummary,
  readFences,
  splitHidden,
} from './words/bound-text.ts'
export { closestName, foldName, isOneEditApart, respell, stepsTo } from './words/names.ts'
export { plainAnswer } from './words/plain-answer.ts'
export {
  charactersPerToken,
  clip,
  estimatePromptTokens,
  estimateTokens,
  firstSentence,
  identifiersIn,
  markedNames,
  nameSome,
  oneLine,
  splitWords,
  tellingWords,
  withSentence,
} from './words/words.ts'
