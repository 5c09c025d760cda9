export { hiddenCharacters, paddedText } from './hidden/characters.ts'
export { applyCuts } from './hidden/cuts.ts'
export { type HiddenRecord, type HiddenText, hiddenRecordSchema } from './hidden/hidden-record.ts'
export { findHiddenText } from './hidden/hidden-text.ts'
export { showText, showTexts, stripHidden } from './hidden/show-text.ts'
export { splitHidden } from './hidden/split-hidden.ts'
export { terminalText } from './hidden/terminal.ts'
export { atMost, takingTurns } from './in-turn.ts'
export {
  codeSpans,
  cutInline,
  plainWords,
  visibleText,
  withoutCodeSpans,
} from './markdown/inline-text.ts'
export {
  fenced,
  inertLog,
  neutralise,
  neutraliseCode,
  neutraliseLine,
  neutraliseTitle,
  withoutControls,
} from './markdown/neutralise.ts'
export {
  alert,
  countOf,
  fold,
  headed,
  inlineCode,
  lineBeforeCode,
  paragraphs,
  tableCell,
  writeList,
  writeTable,
} from './markdown/write-markdown.ts'
export { once } from './once.ts'
export {
  type Fields,
  isFields,
  jsonFields,
  parseExactly,
  parseJson,
  readStored,
} from './parse-json.ts'
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
  maybeCount,
  maybeText,
  object,
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
} from './words/bound-text.ts'
export {
  charactersPerToken,
  estimatePromptTokens,
  estimateTokens,
} from './words/estimate-tokens.ts'
export { firstSentence } from './words/first-sentence.ts'
export { closestName, foldName, isOneEditApart, respell, stepsTo } from './words/names.ts'
export { plainAnswer } from './words/plain-answer.ts'
export {
  clip,
  identifiersIn,
  markedNames,
  nameSome,
  oneLine,
  splitWords,
  tellingWords,
  withSentence,
} from './words/words.ts'
