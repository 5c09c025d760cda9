/** A moving picture of a terminal as an SVG that needs no script: lines appear, and those at work change below them. */
import type { Line, Screen } from './read-screen.ts'
import type { Size } from './record-terminal.ts'

const colours = {
  light: {
    ...{ ground: '#ffffff', edge: '#d0d7de', text: '#1f2328', dim: '#59636e', bar: '#f6f8fa' },
    ansi: ['#1f2328', '#c9252d', '#1a7f37', '#8a5b00', '#0a5bc4', '#7a3fc0', '#0f6c76', '#59636e'],
  },
  dark: {
    ...{ ground: '#0d1117', edge: '#30363d', text: '#e6edf3', dim: '#9198a1', bar: '#161b22' },
    ansi: ['#484f58', '#ff7b72', '#3fb950', '#d9a42b', '#6cb2ff', '#bc8cff', '#4fc3cf', '#b1bac4'],
  },
} as const

/** One cell, and the room around the text. */
const cell = { width: 8.4, height: 20 }
const room = 20
const titleBar = 38
/** Seconds for which the last screen stays. */
const hold = 5
/** Seconds of the film that each screen is shown at least. */
const leastApart = 0.1

interface Film extends Size {
  readonly title: string
  readonly scheme: keyof typeof colours
  /** Seconds of the film for one of the recording. */
  readonly pace: number
}

/** Draws lines that no later screen changes once, and the lines below them for each screen. */
export function drawFilm(all: readonly Screen[], film: Film): string {
  const screens = apart(all, leastApart / film.pace)
  const { columns, rows, scheme, pace, title } = film
  const palette = colours[scheme]
  const final = screens.at(-1)?.lines ?? []
  const settled = settledLines(screens)
  const first = screens[0]?.at ?? 0
  const seconds = ((screens.at(-1)?.at ?? 0) - first) * pace + hold
  const share = ({ at }: Screen) => Math.round((((at - first) * pace) / seconds) * 10_000) / 100
  const works = screens.map(({ lines }, index) => lines.slice(settled[index]))
  const kinds = [...new Set(works.map((lines) => JSON.stringify(lines)))]
  const width = columns * cell.width + 2 * room
  const height = rows * cell.height + 2 * room + titleBar
  const keyframes = (name: string, value: (screen: Screen, index: number) => string) => {
    const steps = screens.map((screen, index) => [share(screen), value(screen, index)] as const)
    const changes = steps.filter(([, now], index) => index === 0 || steps[index - 1]?.[1] !== now)
    const last = changes.at(-1)?.[1] ?? ''
    return `@keyframes ${name}{${changes.map(([at, now]) => `${at}%{transform:${now}}`).join('')}100%{transform:${last}}}`
  }
  const far = width + 40
  // What clears its line for a moment scrolls nothing back.
  let longest = 0
  const tops = screens.map(({ lines }) => {
    longest = Math.max(longest, lines.length)
    return Math.max(0, longest - rows)
  })
  const top = (index: number) => tops[index] ?? 0
  const style = [
    `text{font:14px/20px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:${palette.text};white-space:pre}`,
    `.b{font-weight:700}.d{fill:${palette.dim}}.h{font-size:12.5px;fill:${palette.dim};text-anchor:middle}`,
    ...palette.ansi.map((colour, index) => `.c${index}{fill:${colour}}`),
    `#s,#k,#w{animation:${round(seconds)}s step-end infinite}#s{animation-name:s}#k{animation-name:k}#w{animation-name:w}`,
    keyframes('s', (_, index) => `translateY(${-top(index) * cell.height}px)`),
    keyframes('k', (_, index) => `translateY(${(settled[index] ?? 0) * cell.height}px)`),
    keyframes(
      'w',
      (_, index) => `translateX(${-kinds.indexOf(JSON.stringify(works[index])) * far}px)`,
    ),
    // Who asks for less motion sees the end.
    `@media(prefers-reduced-motion:reduce){#s{animation:none;transform:translateY(${-top(screens.length - 1) * cell.height}px)}#k{animation:none;transform:translateY(${final.length * cell.height}px)}#w{display:none}}`,
  ]
  const atWork = kinds.map((kind, index) => {
    const lines: readonly Line[] = JSON.parse(kind)
    return lines.length === 0
      ? ''
      : `<g transform="translate(${index * far})">${drawLines(lines)}</g>`
  })
  const cover = final.length * cell.height + height
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${height}" width="${round(width)}" height="${height}" role="img" aria-label="${asXml(title)}">
<title>${asXml(title)}</title>
<style>${style.join('\n')}</style>
<clipPath id="p"><rect x="${room - 4}" y="${titleBar + room - 7}" width="${round(width - 2 * room + 8)}" height="${rows * cell.height + 4}"/></clipPath>
<rect x=".5" y=".5" width="${round(width - 1)}" height="${height - 1}" rx="10" fill="${palette.ground}" stroke="${palette.edge}"/>
<path d="M.5 ${titleBar}V10.5a10 10 0 0 1 10-10H${round(width - 10.5)}a10 10 0 0 1 10 10V${titleBar}z" fill="${palette.bar}" stroke="${palette.edge}"/>
<g fill="${palette.edge}"><circle cx="22" cy="19.5" r="6"/><circle cx="42" cy="19.5" r="6"/><circle cx="62" cy="19.5" r="6"/></g>
<text class="h" x="${round(width / 2)}" y="24">${asXml(title)}</text>
<g clip-path="url(#p)"><g transform="translate(${room} ${titleBar + room + 6})"><g id="s">
${drawLines(final)}
<g id="k"><rect x="-6" y="-15" width="${round(width)}" height="${cover}" fill="${palette.ground}"/><g id="w">${atWork.join('\n')}</g></g>
</g></g></g>
</svg>
`
}

/** The screens of which each is shown for some time; the last one is among them. */
function apart(screens: readonly Screen[], seconds: number): readonly Screen[] {
  const kept: Screen[] = []
  for (const screen of screens.toReversed())
    if ((kept[0]?.at ?? Number.POSITIVE_INFINITY) - screen.at >= seconds) kept.unshift(screen)
  return kept
}

/** How many lines from the top no later screen changes, for each screen. */
function settledLines(screens: readonly Screen[]): readonly number[] {
  const final = (screens.at(-1)?.lines ?? []).map((line) => JSON.stringify(line))
  const counts: number[] = []
  let most = final.length
  for (const { lines } of screens.toReversed()) {
    let same = 0
    while (same < Math.min(most, lines.length) && JSON.stringify(lines[same]) === final[same])
      same++
    most = same
    counts.unshift(same)
  }
  return counts
}

const drawLines = (lines: readonly Line[]): string =>
  lines
    .flatMap((line, row) =>
      line
        .filter(({ text }) => text !== '')
        .map(({ column, text, colour, isBold, isDim }) => {
          const names = [
            ...(isBold ? ['b'] : []),
            ...(isDim ? ['d'] : []),
            ...(colour === null ? [] : [`c${colour % 8}`]),
          ]
          const looks = names.length === 0 ? '' : ` class="${names.join(' ')}"`
          const width = round([...text].length * cell.width)
          return `<text x="${round(column * cell.width)}" y="${row * cell.height}" textLength="${width}"${looks}>${asXml(text)}</text>`
        }),
    )
    .join('')

const round = (value: number): number => Math.round(value * 10) / 10

const asXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
