import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBench } from '../../../../packages/github-simulator/test/github/bench.ts'
import { openBrowser } from '../../../../scripts/open-browser.ts'
import { readCredentials } from '../../../../src/entry/app/set-up/credentials.ts'
import { setUpApp } from '../../../../src/entry/app/set-up/set-up-app.ts'
import { violationsIn } from '../../../axe.ts'
import { appPublicKey } from '../app-key.ts'
import { type OpenPages, openPages, pagesToken, registration } from '../pages/open-pages.ts'

let browser: Browser
let pages: OpenPages

beforeAll(async () => {
  browser = await openBrowser()
  pages = await openPages()
})
afterAll(async () => {
  await pages?.[Symbol.asyncDispose]()
  await browser?.close()
})

/** A window, and what its pages say: errors, refusals of a policy, dialogs. */
async function openWindow(options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const said: string[] = []
  page.on('console', (message) => said.push(message.text()))
  page.on('pageerror', (error) => said.push(error.message))
  page.on('dialog', (dialog) => {
    said.push(dialog.message())
    void dialog.dismiss()
  })
  return { page, said, context }
}

async function logIn(page: Page, login: string): Promise<void> {
  pages.bench.server.signIn(login)
  await page.goto(`${pages.url}/login`)
  await page.getByRole('link', { name: 'Log in with GitHub' }).click()
  await page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor()
}

const looks = [
  ['light', 1280],
  ['dark', 1280],
  ['light', 360],
  ['dark', 360],
] as const

describe.each(looks)('in %s colours at %i px', (colorScheme, width) => {
  it.each([
    '/',
    '/login',
    '/jobs',
    '/jobs/job-2',
    '/jobs/job-1',
    '/jobs/none',
    '/jobs/job-1/report',
  ])('%s fits, and reads well', async (path) => {
    const { page, said, context } = await openWindow({
      ...{ colorScheme, viewport: { width, height: 800 } },
    })
    await logIn(page, 'ada')
    await page.goto(`${pages.url}${path}`)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    expect(await page.evaluate('document.scripts.length')).toBe(path.endsWith('report') ? 1 : 0)
    expect(await violationsIn(page)).toEqual([])
    const ground = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    expect(ground).toBe(colorScheme === 'light' ? 'rgb(250, 249, 246)' : 'rgb(21, 20, 18)')
    // Chromium reports every answer of 404 as an error.
    expect(said.filter((text) => !text.includes('status of 404'))).toEqual([])
    await context.close()
  })
})

describe('a person', () => {
  it('goes from the start to a run and its report, and out again', async () => {
    const { page, said, context } = await openWindow()
    pages.bench.server.signIn('ada')
    await page.goto(pages.url)
    await page.getByRole('link', { name: 'Jobs' }).click()
    await page.getByRole('link', { name: 'Log in with GitHub' }).click()
    await page.getByRole('heading', { name: 'Done (1)' }).waitFor()
    await page.locator('.task', { hasText: 'done' }).getByRole('link').click()
    await page.getByRole('link', { name: 'The report of its run' }).click()
    // The report's own script works in its sandbox.
    await page.getByRole('searchbox').fill('no such words')
    expect(await page.getByText('No task matches.').isVisible()).toBe(true)
    await page.goto(`${pages.url}/jobs`)
    await page.getByRole('button', { name: 'Log out ada' }).click()
    expect(page.url()).toBe(`${pages.url}/`)
    await page.goto(`${pages.url}/jobs`)
    expect(page.url()).toBe(`${pages.url}/login`)
    expect(said).toEqual([])
    await context.close()
  })

  it('sees nothing of an installation that is not theirs', async () => {
    const { page, context } = await openWindow()
    await logIn(page, 'mallory')
    expect(await page.getByText('ada/engine').count()).toBe(0)
    for (const path of ['/jobs/job-1', '/jobs/job-1/report']) {
      expect((await page.goto(`${pages.url}${path}`))?.status()).toBe(404)
    }
    expect((await page.goto(`${pages.url}/jobs/job-5`))?.status()).toBe(200)
    await context.close()
  })

  it('is nobody with a forged cookie', async () => {
    const { page, context } = await openWindow()
    const value = Buffer.from('{"kind":"operator"}').toString('base64url')
    await context.addCookies([{ name: 'executor-session', value, url: pages.url }])
    await page.goto(`${pages.url}/jobs`)
    expect(page.url()).toBe(`${pages.url}/login`)
    await context.close()
  })
})

it('the operator logs in by the keyboard', async () => {
  const { page, said, context } = await openWindow()
  await page.goto(`${pages.url}/login`)
  await page.getByLabel('Token of the operator').fill('wrong')
  await page.keyboard.press('Enter')
  expect(await page.getByRole('alert').textContent()).toBe('The token is wrong.')
  await page.getByLabel('Token of the operator').fill(pagesToken)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Installations (2)' }).waitFor()
  expect(said.filter((text) => !text.includes('status of 403'))).toEqual([])
  await context.close()
})

describe('the set-up', () => {
  it.each(looks)('registers the App, in %s colours at %i px', async (colorScheme, width) => {
    const directory = await mkdtemp(join(tmpdir(), 'set-up-'))
    const app = { id: 77, slug: 'executor', publicKey: appPublicKey, registration }
    await using bench = await openBench({}, { app })
    bench.server.signIn('ada')
    const listening = Promise.withResolvers<string>()
    const { url: serverUrl, apiUrl } = bench.server
    const place = { directory, host: '127.0.0.1', port: 0, publicUrl: null, serverUrl, apiUrl }
    const tools = { log: (line: string) => listening.resolve(line), redact: (text: string) => text }
    const running = setUpApp(place, tools, new AbortController().signal)
    const [address = ''] = /http\S+$/.exec(await listening.promise) ?? []
    const { page, said, context } = await openWindow({
      ...{ colorScheme, viewport: { width, height: 800 } },
    })
    const check = async () => {
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      expect(await violationsIn(page)).toEqual([])
    }
    await page.goto(address.replace(/\?.*/, ''))
    expect(await page.locator('form').count()).toBe(0)
    await check()
    await page.goto(address)
    await check()
    await page.getByRole('button', { name: 'Register the App on GitHub' }).click()
    await page.getByRole('heading', { name: 'The App is registered' }).waitFor()
    await check()
    await running
    expect(await readCredentials(directory)).toMatchObject({ appId: 77 })
    expect(said).toEqual([])
    await context.close()
    await rm(directory, { recursive: true, force: true })
  })
})
