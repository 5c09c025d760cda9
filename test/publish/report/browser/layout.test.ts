import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../../../../scripts/open-browser.ts'
import type { Report } from '../../../../src/publish/report/build-report.ts'
import { writeReportHtml } from '../../../../src/publish/report/write-report-html.ts'
import { violationsIn } from '../../../axe.ts'
import { aNight } from '../a-night.ts'

let browser: Browser
let folder: string

beforeAll(async () => {
  browser = await openBrowser()
  folder = await mkdtemp(join(tmpdir(), 'report-layout-'))
})

afterAll(async () => {
  await browser?.close()
  await rm(folder, { recursive: true, force: true })
})

/** The page in a window, and all that it asked for. */
async function open(html: string, options: BrowserContextOptions = {}) {
  const path = join(folder, 'report.html')
  await writeFile(path, html)
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const requests: Request[] = []
  const said: string[] = []
  page.on('request', (request) => requests.push(request))
  page.on('dialog', (dialog) => {
    said.push(dialog.message())
    void dialog.dismiss()
  })
  page.on('pageerror', (error) => said.push(error.message))
  const address = pathToFileURL(path).href
  // What the policy stops never gets here.
  await page.route('https://**', (route) => route.abort())
  await page.goto(address)
  const asked = () =>
    requests
      .filter((request) => request.failure()?.errorText !== 'csp')
      .map((request) => request.url())
      .filter((url) => url !== address)
  return { page, asked, said }
}

const width = 'document.documentElement.scrollWidth'
const openAll = 'for (const each of document.querySelectorAll("details")) each.open = true'
const shown =
  '[...document.querySelectorAll(".task")].filter((task) => task.offsetParent !== null).map((task) => task.dataset.outcome)'

/** A night in which every text is as long as nothing breaks it. */
const unbroken = (): Report => {
  const text = 'unbroken'.repeat(60)
  return aNight(14, ({ receipt }) => ({
    ...{ title: text, reason: text, branch: `agent/${text}` },
    receipt: receipt && {
      ...receipt,
      ...{ notes: [text], warnings: [text] },
      commands: [{ command: text, exitCode: 1, seconds: 1, output: `${text}\n${text}` }],
    },
  })).report
}

const attack =
  '</script><script>alert(1)</script><img src="https://evil.example/x" onerror=alert(2)>'

const hostile = (): Report =>
  aNight(14, ({ receipt }) => ({
    ...{ title: attack, reason: attack },
    receipt: receipt && { ...receipt, warnings: [attack], notes: [attack] },
  })).report

describe.each([
  ['a night', () => aNight(14).report],
  ['a night of unbroken texts', unbroken],
  ['a night of 200 tasks', () => aNight(200).report],
])('%s', (_, build) => {
  it.each([320, 360, 768, 1280])('fits into %i px, folded and unfolded', async (pixels) => {
    const { page } = await open(writeReportHtml(build()), {
      viewport: { width: pixels, height: 800 },
    })
    expect(await page.evaluate(width)).toBe(pixels)
    await page.evaluate(openAll)
    expect(await page.evaluate(width)).toBe(pixels)
    await page.context().close()
  })
})

describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  it.each([360, 1280])('has contrast, names and order at %i px', async (pixels) => {
    const { page } = await open(writeReportHtml(aNight(14).report), {
      ...{ colorScheme, viewport: { width: pixels, height: 900 } },
    })
    await page.evaluate(openAll)
    expect(await violationsIn(page)).toEqual([])
    const ground = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    expect(ground).toBe(colorScheme === 'light' ? 'rgb(250, 249, 246)' : 'rgb(21, 20, 18)')
    await page.context().close()
  })
})

describe('what a text of others does', () => {
  it('is nothing: no script runs, and nothing leaves the page', async () => {
    const { page, asked, said } = await open(writeReportHtml(hostile()))
    await page.evaluate(openAll)
    expect([asked(), said]).toEqual([[], []])
    expect(await page.evaluate('document.scripts.length')).toBe(1)
    await page.context().close()
  })

  it('would be nothing even where it was not escaped: the content policy stops it', async () => {
    const open_ = (policy: string) =>
      writeReportHtml(aNight(3).report)
        .replace(
          '</main>',
          `${attack}<a style="position:fixed" href="javascript:alert(3)">x</a></main>`,
        )
        .replace('http-equiv="Content-Security-Policy"', policy)
    const guarded = await open(open_('http-equiv="Content-Security-Policy"'))
    expect([guarded.asked(), guarded.said]).toEqual([[], []])
    await guarded.page.context().close()
    // Without the policy the same page runs it: the test can fail.
    const bare = await open(open_('name="none"'))
    expect(bare.asked()).toEqual(['https://evil.example/x'])
    expect(bare.said).toContain('1')
    await bare.page.context().close()
  })
})

describe('filters', () => {
  it('show one outcome, or the tasks that hold all words', async () => {
    const { page } = await open(writeReportHtml(aNight(14).report))
    expect(await page.evaluate(shown)).toHaveLength(14)
    await page.getByText('failed 1', { exact: true }).click()
    expect(await page.evaluate(shown)).toEqual(['failed'])
    await page.getByRole('searchbox').fill('upload')
    expect(await page.evaluate(shown)).toEqual([])
    expect(await page.getByText('No task matches.').isVisible()).toBe(true)
    await page.getByText('all 14', { exact: true }).click()
    await page.getByRole('searchbox').fill('UPLOADS t-103')
    expect(await page.evaluate(shown)).toEqual(['done'])
    expect(await page.getByText('No task matches.').isVisible()).toBe(false)
    await page.context().close()
  })

  it('by outcome work without the script, and the field for words is not there', async () => {
    const { page } = await open(writeReportHtml(aNight(14).report), { javaScriptEnabled: false })
    await page.getByText('unverified 1', { exact: true }).click()
    expect(await page.locator('.task:visible').count()).toBe(1)
    expect(await page.locator('#find').isVisible()).toBe(false)
    await page.context().close()
  })

  it('are reached by the keyboard', async () => {
    const { page } = await open(writeReportHtml(aNight(14).report))
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowRight')
    expect(await page.evaluate(shown)).toEqual(['done'])
    await page.context().close()
  })
})

it('is printed in dark ink, whole, and without what one clicks', async () => {
  const { page } = await open(writeReportHtml(aNight(14).report), { colorScheme: 'dark' })
  await page.getByText('failed 1', { exact: true }).click()
  await page.emulateMedia({ media: 'print' })
  await page.evaluate('dispatchEvent(new Event("beforeprint"))')
  expect(await page.evaluate(shown)).toHaveLength(14)
  expect(await page.evaluate('document.querySelectorAll("details:not([open])").length')).toBe(0)
  expect(await page.locator('nav').isVisible()).toBe(false)
  expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(29, 28, 26)')
  await page.evaluate('dispatchEvent(new Event("afterprint"))')
  expect(await page.evaluate('document.querySelectorAll("details[open]").length')).toBe(0)
  await page.context().close()
})

it('does not move where people ask for that', async () => {
  const of = async (reducedMotion: 'reduce' | 'no-preference') => {
    const { page } = await open(writeReportHtml(aNight(2).report), { reducedMotion })
    const behaviour = await page.evaluate(
      'getComputedStyle(document.documentElement).scrollBehavior',
    )
    await page.context().close()
    return behaviour
  }
  expect([await of('reduce'), await of('no-preference')]).toEqual(['auto', 'smooth'])
})
