import { type Cut, cutsFrom, cutsOf } from './characters.ts'

/**
 * The code fences that GitHub draws as pictures, and the undrawn parts of their source:
 * https://docs.github.com/en/get-started/writing-on-github/working-with-advanced-formatting/creating-diagrams
 */
const drawn: ReadonlyMap<string, (source: string) => readonly Cut[]> = new Map([
  ['mermaid', hiddenInDiagram],
  ['math', hiddenInFormula],
  ['geojson', (source: string) => wordsBeside(mapWords, source)],
  ['topojson', (source: string) => wordsBeside(mapWords, source)],
  ['stl', (source: string) => wordsBeside(solidWords, source)],
])

const mapWords: ReadonlySet<string> = new Set(
  'type Feature FeatureCollection GeometryCollection Point MultiPoint LineString MultiLineString Polygon MultiPolygon features geometry geometries coordinates properties bbox Topology objects arcs transform scale translate null true false'.split(
    ' ',
  ),
)
const solidWords: ReadonlySet<string> = new Set(
  'solid endsolid facet endfacet normal outer loop endloop vertex'.split(' '),
)

const inPicture = 'text in a picture source'

/** Finds the invisible parts of a fence in a language that is drawn as a picture. */
export const hiddenInPicture = (language: string, source: string): readonly Cut[] =>
  drawn.get(language.toLowerCase())?.(source) ?? []

const inDiagram: readonly RegExp[] = [
  /%%\{(?:(?!%%).)*(?:%%)?/gs,
  /%%.*$/gm,
  /^[ \t>]*accDescr[ \t]*\{[^}]*\}?/gm,
  /^[ \t>]*acc(?:Title|Descr)[ \t]*:.*$/gm,
  /^[ \t>]*(?:click|links?|callback|linkStyle|classDef|style|properties|details)[ \t].*$/gm,
  /^[ \t>]*---[ \t]*\n.*?^[ \t>]*---[ \t]*$/gms,
]

function hiddenInDiagram(source: string): readonly Cut[] {
  return inDiagram.flatMap((pattern) => cutsOf(source, pattern, 'diagram comment'))
}

/** Finds names, texts and anything else that is neither a word of the format nor a number. */
function wordsBeside(known: ReadonlySet<string>, source: string): readonly Cut[] {
  const isFormat = (word: string) =>
    word === '' || known.has(word) || /^(?:>+|[-+]?[\d.]{1,30}(?:e[-+]?\d{1,3})?)$/i.test(word)
  return cutsOf(source, /"(?:[^"\\\n]|\\.)*"?|[^\s",:{}[\]]+/g, inPicture).flatMap((cut) => {
    const word = source.slice(cut.start, cut.end)
    if (isFormat(word.replaceAll('"', ''))) return []
    return [{ ...cut, instead: word.startsWith('"') ? '""' : '' }]
  })
}

/** A fence of such a language anywhere, with its content; an unclosed one extends to the end. */
const anyPicture = new RegExp(
  `^(?<head>[ \\t>*+\\-\\d.)]*(?<fence>\`{3,}|~{3,})[ \\t]*(?:${[...drawn.keys()].join('|')})(?![\\w-])[^\\n]*\\n).*?(?=^[ \\t>]*\\k<fence>|(?!.))`,
  'gims',
)

/** Finds the whole content of each, without a parser. */
export const picturesRoughly = (text: string): readonly Cut[] =>
  [...text.matchAll(anyPicture)].flatMap(({ index, 0: found, groups }) => {
    const start = index + (groups?.head ?? '').length
    const end = index + found.length
    return start === end ? [] : [{ start, end, channel: inPicture }]
  })

/** Colours that are unreadable on a white or a black page, and colours given as numbers. */
const unreadInk =
  '\\s*(?:\\[[^\\]$]*\\]\\s*)?\\{?\\s*(?:[a-z]*white|transparent|snow|ivory|azure|mintcream|#f|[\\d.]+\\s*,)'
/**
 * TeX that draws nothing, changes the drawing elsewhere, or moves words out of view. MathJax knows
 * all of it; GitHub refuses some.
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

/** A TeX comment, which extends to the end of the line; `\%` is a drawn sign. */
const comment = /(?<!\\)(?:\\\\)*%.*/g

/** Text between signs, first `$$` and `` $` ``, then `$`. An amount of money starts no formula. */
const formula = /\$\$(?:\\.|[^$\\])*\$\$|\$`[^`]*`\$|\$(?![\s\d])(?:\\.|[^$\\])*(?<!\s)\$(?!\w)/gs
/** Signs around a hiding macro and whatever precedes it: plain words contain no such macro. */
const hiding = new RegExp(
  `\\$(?:(?!${unseen.source})(?:\\\\.|[^$\\\\]))*${unseen.source}(?:\\\\.|[^$\\\\])*\\$+`,
  'gis',
)

/** Finds what the formulas of a text hide; its code must be blanked out. */
export function hiddenFormulas(text: string): readonly Cut[] {
  if (!text.includes('$')) return []
  return [
    ...cutsOf(text, hiding, 'invisible formula'),
    ...[...text.matchAll(formula)].flatMap(({ index, 0: found }) =>
      cutsFrom(index, commentsIn(found.replace(/`?\$+$/, ''))),
    ),
  ]
}

/** Finds what a formula without its signs hides: all of it, or its comments. */
function hiddenInFormula(text: string): readonly Cut[] {
  return unseen.test(text)
    ? [{ start: 0, end: text.length, channel: 'invisible formula' }]
    : commentsIn(text)
}

const commentsIn = (text: string): readonly Cut[] => cutsOf(text, comment, 'formula comment')
