/**
 * Makes `docs/pictures/` from real runs: `npm run pictures`, or one part of them with `-- terminal` or `-- pages`. It
 * needs Chromium, and for the terminal `script` of util-linux.
 */
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openPages } from '../test/entry/app/pages/open-pages.ts'
import { openBrowser } from './open-browser.ts'
import { drawFilm } from './pictures/draw-film.ts'
import { drawPullRequest } from './pictures/draw-pull-request.ts'
import { readScreens } from './pictures/read-screen.ts'
import { recordTerminal, type Written } from './pictures/record-terminal.ts'
import { runNight } from './pictures/run-night.ts'

const root = join(import.meta.dirname, '..')
const pictures = join(root, 'docs/pictures')
const schemes = ['light', 'dark'] as const

/** Whatever the recording took: a fast run is shown slower, so that it can be read. */
const filmSeconds = 14

const parts = { terminal: filmDemo, pages: photographPages, app: photographApp } as const

const folder = await mkdtemp(join(tmpdir(), 'pictures-'))
const names = process.argv.slice(2)
try {
  await mkdir(pictures, { recursive: true })
  for (const [name, make] of Object.entries(parts))
    if (names.length === 0 || names.includes(name)) await make()
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** The demo at a terminal, up to its list of pull requests. */
async function filmDemo(): Promise<void> {
  const size = { columns: 100, rows: 26 }
  const program = join(root, 'dist/executor.cjs')
  const written = await recordTerminal(`'${process.execPath}' '${program}' demo`, size, folder)
  const shown = upTo(written, 'What #')
  const screens = await readScreens(shown, size)
  const length = (screens.at(-1)?.at ?? 0) - (screens[0]?.at ?? 0)
  const pace = filmSeconds / length
  for (const scheme of schemes) {
    const film = drawFilm(screens, { ...size, scheme, pace, title: 'executor demo' })
    await keep(`terminal-${scheme}.svg`, film, 200_000)
  }
}

/** The recording before a text, which is on the last piece that is kept. */
function upTo(written: readonly Written[], text: string): readonly Written[] {
  const last = written.findIndex((piece) => piece.text.includes(text))
  if (last === -1) throw new Error(`The demo no longer says "${text}".`)
  const [before = ''] = written[last]?.text.split(text) ?? []
  // Without the code that makes the text bold.
  const cut = before.replace(/\u001B\[1m$/, '').trimEnd()
  return [...written.slice(0, last), { at: written[last]?.at ?? 0, text: cut }]
}

async function photographPages(): Promise<void> {
  const { report, pulls } = await runNight(folder)
  const pull = pulls.find(({ title }) => title.includes('T-101'))
  if (pull === undefined) throw new Error('The run opened no pull request for T-101.')
  const browser = await openBrowser()
  const photograph = async (
    name: string,
    html: string,
    { scheme, width, until, scale }: Shot,
  ): Promise<void> => {
    const path = join(folder, 'page.html')
    await writeFile(path, html)
    const context = await browser.newContext({
      ...{ colorScheme: scheme, deviceScaleFactor: scale },
      viewport: { width, height: 400 },
    })
    const page = await context.newPage()
    await page.goto(pathToFileURL(path).href)
    const box = until === null ? null : await page.locator(until).boundingBox()
    const clip = box && { x: 0, y: 0, width, height: Math.round(box.y) - 12 }
    await keep(name, await page.screenshot({ fullPage: true, ...(clip && { clip }) }), 250_000)
    await context.close()
  }
  for (const scheme of schemes) {
    await photograph(`report-${scheme}.png`, report, {
      ...{ scheme, width: 1000, until: '#tasks', scale: 1.2 },
    })
    await photograph(`pull-request-${scheme}.png`, drawPullRequest(pull), {
      ...{ scheme, width: 1000, until: null, scale: 2 },
    })
  }
  await photograph('report-360.png', report, {
    ...{ scheme: 'light', width: 360, until: '#stack', scale: 1.5 },
  })
  await browser.close()
}

/** The App's pages, with sample jobs on a test server. */
async function photographApp(): Promise<void> {
  await using pages = await openPages(undefined, 'the workflow executor.yml is disabled')
  pages.bench.server.signIn('ada')
  const browser = await openBrowser()
  for (const [name, colorScheme, width] of [
    ['light', 'light', 1000],
    ['dark', 'dark', 1000],
    ['360', 'light', 360],
  ] as const) {
    const viewport = { width, height: 400 }
    const context = await browser.newContext({ colorScheme, viewport, deviceScaleFactor: 1.5 })
    const page = await context.newPage()
    await page.goto(`${pages.url}/login/github`)
    await keep(`app-jobs-${name}.png`, await page.screenshot({ fullPage: true }), 250_000)
    await page.goto(`${pages.url}/jobs/job-1`)
    await keep(`app-job-${name}.png`, await page.screenshot({ fullPage: true }), 250_000)
    await context.close()
  }
  await browser.close()
}

interface Shot {
  readonly scheme: (typeof schemes)[number]
  readonly width: number
  /** What the picture ends above; `null` takes the whole page. */
  readonly until: string | null
  readonly scale: number
}

/** Pictures of a readme are loaded by each of its readers: a large one is refused. */
async function keep(name: string, content: string | Buffer, most: number): Promise<void> {
  const path = join(pictures, name)
  await writeFile(path, content)
  const { size } = await stat(path)
  console.log(`docs/pictures/${name}: ${Math.round(size / 1000)} kB`)
  if (size > most) throw new Error(`${name} is larger than ${most / 1000} kB.`)
}
