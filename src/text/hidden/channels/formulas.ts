import { type Cut, cutsFrom, cutsOf } from './cuts.ts'

/** Colours that nobody reads on a white or on a black page, and colours told by numbers. */
const unreadInk =
  '\\s*(?:\\[[^\\]$]*\\]\\s*)?\\{?\\s*(?:[a-z]*white|transparent|snow|ivory|azure|mintcream|#f|[\\d.]+\\s*,)'
/**
 * What of TeX draws nothing, says what is drawn elsewhere, or moves words out of view. MathJax
 * knows them all; GitHub refuses some.
 */
const unseenNames = [
  '[hv]?phantom|definecolor|f?colorbox|bbox|require|label|mathchoice|hidewidth',
  '[gex]?def|let|futurelet|(?:new|renew|provide)command|(?:re)?newenvironment',
  'DeclareMathOperator|DeclarePairedDelimiter|newtagform|unicode|mmlToken|includegraphics',
  'href|url|class|cssId|style|data|tooltip|texttip|mathtip|toggle',
].join('|')
const farMove =
  '(?:[hv]space|hskip|m?kern|mskip|raise|lower|moveleft|moveright)\\*?\\s*\\{?\\s*-?\\d{2,}'
const unseen = new RegExp(
  `\\\\(?:(?:${unseenNames})(?![A-Za-z])|(?:text|math)?color${unreadInk}|${farMove})`,
  'i',
)

/** To the end of the line, as TeX has it; `\%` is a sign that is drawn. */
const comment = /(?<!\\)(?:\\\\)*%.*/g

/** Between two signs; `$$` and `` $` `` before a single one. An amount of money begins no formula. */
const formula = /\$\$(?:\\.|[^$\\])*\$\$|\$`[^`]*`\$|\$(?![\s\d])(?:\\.|[^$\\])*(?<!\s)\$(?!\w)/gs
/** Around a macro that hides, whatever stands before it: words that are no formula hold none. */
const hiding = new RegExp(
  `\\$(?:(?!${unseen.source})(?:\\\\.|[^$\\\\]))*${unseen.source}(?:\\\\.|[^$\\\\])*\\$+`,
  'gis',
)

/** What the formulas of a text hide; its code is blanked out before. */
export function hiddenFormulas(text: string): readonly Cut[] {
  if (!text.includes('$')) return []
  return [
    ...cutsOf(text, hiding, 'unseen formula'),
    ...[...text.matchAll(formula)].flatMap(({ index, 0: found }) =>
      cutsFrom(index, commentsIn(found.replace(/`?\$+$/, ''))),
    ),
  ]
}

/** What a formula without its signs hides: all of it, or its comments. */
export function hiddenInFormula(text: string): readonly Cut[] {
  return unseen.test(text)
    ? [{ start: 0, end: text.length, channel: 'unseen formula' }]
    : commentsIn(text)
}

const commentsIn = (text: string): readonly Cut[] => cutsOf(text, comment, 'formula comment')
