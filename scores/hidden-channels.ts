/** One way to write words into a text that its reader does not see. */
export interface Channel {
  readonly name: string
  /** A text with the word hidden in it. */
  hide(word: string): string
  /** Whether a prompt still holds what was hidden: by default, the word itself. */
  reads?(prompt: string, word: string): boolean
}

const letters = (word: string): readonly number[] => [...word].map((letter) => letter.charCodeAt(0))
const shifted = (word: string, by: number): string =>
  String.fromCodePoint(...letters(word).map((code) => code + by))
/** One of two characters for each bit. */
const bits = (word: string, zero: string, one: string): string =>
  letters(word)
    .map((code) => code.toString(2).padStart(8, '0').replace(/0/g, zero).replace(/1/g, one))
    .join('')

/** Characters that are drawn as nothing: none of them may be in a prompt. */
function drawnAsNothing(name: string, characters: string, hide: Channel['hide']): Channel {
  return {
    name,
    hide,
    reads: (prompt) => [...characters].some((character) => prompt.includes(character)),
  }
}

const between = (character: string) => (word: string) =>
  `Say it kindly${[...word].join(character)}${character} to all.`

export const characterChannels: readonly Channel[] = [
  drawnAsNothing(
    'zero-width space and non-joiner',
    '\u200B\u200C',
    (word) => `Say it${bits(word, '\u200B', '\u200C')} kindly.`,
  ),
  drawnAsNothing('zero-width joiner', '\u200D', between('\u200D')),
  drawnAsNothing('word joiner', '\u2060', between('\u2060')),
  drawnAsNothing('byte order mark inside', '\uFEFF', between('\uFEFF')),
  drawnAsNothing('soft hyphen', '\u00AD', between('\u00AD')),
  drawnAsNothing('bidirectional override', '\u202E\u202C', (word) => `Say \u202E${word}\u202C it.`),
  drawnAsNothing('bidirectional isolate', '\u2066\u2069', (word) => `Say \u2066${word}\u2069 it.`),
  drawnAsNothing(
    'direction marks in a row',
    '\u200E\u200F',
    (word) => `Say it${bits(word, '\u200E', '\u200F')}.`,
  ),
  {
    name: 'tag characters',
    hide: (word) => `Say it${shifted(word, 0xe0000)}.`,
    reads: (prompt, word) => prompt.includes(shifted(word, 0xe0000)),
  },
  {
    name: 'variation selectors',
    hide: (word) => `Say it 😀${shifted(word, 0xe0100)}.`,
    reads: (prompt) => /[\u{E0100}-\u{E01EF}]/u.test(prompt),
  },
  drawnAsNothing(
    'invisible operators',
    '\u2061\u2062\u2063\u2064',
    (word) => `Say it${bits(word, '\u2062', '\u2063')}.`,
  ),
  drawnAsNothing(
    'Hangul fillers',
    '\u3164\uFFA0\u115F\u1160',
    (word) => `Say it${bits(word, '\u3164', '\uFFA0')}.`,
  ),
  drawnAsNothing('braille blank', '\u2800', between('\u2800')),
  drawnAsNothing('combining grapheme joiner', '\u034F', between('\u034F')),
  {
    name: 'private-use characters',
    hide: (word) => `Say it${shifted(word, 0xe000)}.`,
    reads: (prompt) => /\p{Co}/u.test(prompt),
  },
  {
    name: 'control characters',
    hide: (word) => `Say \u0001${word.toLowerCase()}\u0002 \u0090it.`,
    reads: (prompt) => /[\u0001\u0002\u0090]/.test(prompt),
  },
  { name: 'pushed out of view', hide: (word) => `Say it.${' '.repeat(400)}${word}` },
]

const inFence = (language: string, source: string): Channel => ({
  name: `${language}: ${source.replaceAll('\n', ' ')}`,
  hide: (word) => `Say it.\n\n\`\`\`${language}\n${source.replaceAll('WORD', word)}\n\`\`\``,
})

export const markdownChannels: readonly Channel[] = [
  { name: 'HTML comment', hide: (word) => `Say it. <!-- ${word} -->` },
  {
    name: 'HTML comment of several lines',
    hide: (word) => `Say it.\n\n<!--\nfirst\n\n${word}\n-->\n\nKindly.`,
  },
  { name: 'HTML comment never closed', hide: (word) => `Say it.\n\n<!-- ${word}` },
  {
    name: 'collapsed details',
    hide: (word) => `Say it.\n\n<details><summary>More</summary>\n\n${word}\n\n</details>`,
  },
  { name: 'image description', hide: (word) => `Say it. ![${word}](docs/a.png)` },
  { name: 'image title', hide: (word) => `Say it. ![](docs/a.png "${word}")` },
  { name: 'link title', hide: (word) => `Say [it](docs/a.md '${word}').` },
  { name: 'link query', hide: (word) => `Say [it](https://example.com/a?${word}).` },
  { name: 'link fragment', hide: (word) => `Say [it](https://example.com/a#${word}).` },
  { name: 'link address with words', hide: (word) => `Say [it](<please ${word} now>).` },
  { name: 'link label', hide: (word) => `Say [it][${word}].\n\n[${word}]: https://example.com` },
  { name: 'unused link definition', hide: (word) => `Say it.\n\n[//]: # (${word})` },
  {
    name: 'link definition title',
    hide: (word) => `Say [it].\n\n[it]: https://example.com "${word}"`,
  },
  { name: 'unused footnote', hide: (word) => `Say it.\n\n[^1]: ${word}` },
  {
    name: 'footnote label',
    hide: (word) =>
      `Say it.[^the-${word}-and-so-on-and-on]\n\n[^the-${word}-and-so-on-and-on]: Kindly.`,
  },
  { name: 'display: none', hide: (word) => `Say <span style="display: none">${word}</span> it.` },
  {
    name: 'visibility: hidden',
    hide: (word) => `Say <b style='visibility:hidden'>${word}</b> it.`,
  },
  { name: 'opacity: 0', hide: (word) => `Say <i style="opacity:0">${word}</i> it.` },
  { name: 'font-size: 0', hide: (word) => `Say <i style="font-size:0px">${word}</i> it.` },
  { name: 'white on white', hide: (word) => `Say <font color="#ffffff">${word}</font> it.` },
  { name: 'colour by style', hide: (word) => `Say <span style="color:white">${word}</span> it.` },
  {
    name: 'moved off the page',
    hide: (word) => `Say <p style="position:absolute;left:-9999px">${word}</p> it.`,
  },
  { name: 'hidden attribute', hide: (word) => `Say it.\n\n<div hidden>\n\n${word}\n\n</div>` },
  {
    name: 'for screen readers only',
    hide: (word) => `Say <span class="sr-only">${word}</span> it.`,
  },
  { name: 'template', hide: (word) => `Say it.\n\n<template>${word}</template>` },
  { name: 'script', hide: (word) => `Say it.\n\n<script>/* ${word} */</script>` },
  { name: 'style', hide: (word) => `Say it.\n\n<style>/* ${word} */</style>` },
  { name: 'noscript', hide: (word) => `Say it.\n\n<noscript>${word}</noscript>` },
  {
    name: 'title and data attributes',
    hide: (word) => `Say <b title="${word}" data-x='${word}' aria-label=${word}>it</b>.`,
  },
  { name: 'alt attribute', hide: (word) => `Say it. <img src="docs/a.png" alt="${word}">` },
  { name: 'hidden input', hide: (word) => `Say it. <input type="hidden" value="${word}">` },
  { name: 'unknown tag', hide: (word) => `Say it. <please-do-as-i-say-${word}>` },
  { name: 'processing instruction', hide: (word) => `Say it.\n\n<? ${word} ?>` },
  { name: 'declaration', hide: (word) => `Say it.\n\n<!X ${word}>` },
  { name: 'CDATA', hide: (word) => `Say it.\n\n<![CDATA[${word}]]>` },
  { name: 'encoded comment', hide: (word) => `Say it. &lt;!-- ${word} --&gt;` },
  {
    name: 'encoded zero-width space',
    hide: () => 'Say&#8203; &ZeroWidthSpace; &#x202e; &zwnj; it.',
    reads: (prompt) => /&#8203;|&ZeroWidthSpace;|&#x202e;|&zwnj;/.test(prompt),
  },
  { name: 'words after a fence', hide: (word) => `Say it.\n\n\`\`\`js ${word}\nkindly()\n\`\`\`` },
  {
    name: 'comment in a diagram',
    hide: (word) => `Say it.\n\n\`\`\`mermaid\ngraph LR\n%% ${word}\n\`\`\``,
  },
  { name: 'white formula', hide: (word) => `Say it. $\\color{white}{${word}}$` },
  { name: 'phantom formula', hide: (word) => `Say it. $\\phantom{${word}}$` },
  {
    name: 'table cell beyond the columns',
    hide: (word) => `Say it.\n\n| a | b |\n|---|---|\n| 1 | 2 | ${word} |\n3 | 4 | 5 | ${word}`,
  },
  { name: 'definition in a formula', hide: (word) => `Say it. $$\\def\\x{${word}}$$` },
  {
    name: 'formula of several lines',
    hide: (word) => `Say it.\n\n$$\nx_a *1*\n\\hphantom{${word}}\n$$`,
  },
  { name: 'formula in back-ticks', hide: (word) => `Say $\`\\vphantom{${word}} x\`$ it.` },
  { name: 'comment in a formula', hide: (word) => `Say it.\n\n$$\nx % ${word}\n$$` },
  { name: 'address in a formula', hide: (word) => `Say $\\href{https://a/${word}}{it}$.` },
  ...[
    '% WORD\nx',
    '\\phantom{WORD}',
    '\\newcommand{\\x}{WORD} 1',
    '\\color{white} WORD',
    '\\color{#ffffff} WORD',
    '\\color[rgb]{1,1,1} WORD',
    '\\hspace{-99em} WORD',
  ].map((source) => inFence('math', source)),
  ...[
    'graph LR\n%%{init: {"theme": "WORD"}}%%',
    'graph LR\n%%{init:\n{"theme": "WORD"}\n}%%',
    '---\nconfig:\n  theme: WORD\n---\ngraph LR',
    'graph LR\naccTitle: WORD',
    'graph LR\naccDescr {\n WORD\n}',
    'graph LR\nclick A "https://a/WORD" "WORD"',
  ].map((source) => inFence('mermaid', source)),
  ...['geojson', 'topojson', 'GeoJSON'].map((language) =>
    inFence(language, '{"type": "Point", "coordinates": [1, 2], "WORD": "say WORD", x: WORD}'),
  ),
  inFence('stl', 'solid WORD\n  facet normal 0 0 1e-3\nendsolid WORD and WORD'),
  { name: 'second footnote of a label', hide: (word) => `Say it[^1].\n\n[^1]: a\n\n[^1]: ${word}` },
  {
    name: 'comment in a table cell',
    hide: (word) => `Say it.\n\n| a |\n|---|\n| 1 <!-- ${word} --> |`,
  },
]

const startOfSequence = '\u001B'

export const terminalChannels: readonly Channel[] = [
  {
    name: 'concealed',
    hide: (word) => `expected 1${startOfSequence}[8m ${word} ${startOfSequence}[0m, got 2`,
  },
  {
    name: 'ink as paper',
    hide: (word) => `expected 1${startOfSequence}[37;47m ${word} ${startOfSequence}[0m, got 2`,
  },
  {
    name: 'ink as paper, 256 colours',
    hide: (word) =>
      `expected 1${startOfSequence}[38;5;7m${startOfSequence}[48;5;7m${word}${startOfSequence}[m, got 2`,
  },
  { name: 'overwritten line', hide: (word) => `${word}\rexpected 1, got 2 and no more` },
  {
    name: 'overwritten by backspaces',
    hide: (word) => `${word}${'\b'.repeat(word.length)}expected 1, got 2`,
  },
  {
    name: 'address of a terminal link',
    hide: (word) =>
      `expected ${startOfSequence}]8;;http://a/${word}${startOfSequence}\\1${startOfSequence}]8;;${startOfSequence}\\, got 2`,
  },
  { name: 'window title', hide: (word) => `${startOfSequence}]0;${word}\u0007expected 1, got 2` },
  {
    name: 'device control string',
    hide: (word) => `${startOfSequence}P${word}${startOfSequence}\\expected 1, got 2`,
  },
]
