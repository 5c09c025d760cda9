export { applyCuts, hiddenCharacters, paddedText } from './hidden/characters.ts'
export { type HiddenRecord, type HiddenText, hiddenRecordSchema } from './hidden/hidden-record.ts'
export { findHiddenText, showText, showTexts, stripHidden } from './hidden/hidden-text.ts'

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
  boundMarkdown,
  boundText,
  type CodeFence,
  countOf,
  fenced,
  fold,
  headed,
  inertLog,
  inlineCode,
  lineBeforeCode,
  longestSummary,
  neutralise,
  neutraliseCode,
  neutraliseLine,
  neutraliseTitle,
  paragraphs,
  readFences,
  splitHidden,
  tableCell,
  withoutControls,
  writeList,
  writeTable,
} from './markdown/write-markdown.ts'
export {
  type Certainty,
  checkPath,
  isPathWord,
  looksLikePath,
  modulesIn,
  normalisePath,
  pathsIn,
  plainPath,
  staysInside,
  trimMarks,
} from './paths/check-path.ts'

export { findKeys, maskKeys } from './secrets/find-keys.ts'
export { createDataMask, createRedactor, createSecretMask } from './secrets/redact.ts'

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
export { plainAnswer } from './words/plain-answer.ts'
export {
  charactersPerToken,
  clip,
  closestName,
  estimatePromptTokens,
  estimateTokens,
  firstSentence,
  foldName,
  identifiersIn,
  isOneEditApart,
  markedNames,
  nameSome,
  oneLine,
  respell,
  splitWords,
  stepsTo,
  tellingWords,
  withSentence,
} from './words/words.ts'
