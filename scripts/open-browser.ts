/** Headless Chromium, for tests of a page's layout and for pictures. */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** Names the program where it is none of those below. */
const variable = 'CHROMIUM'

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** It reaches nothing by itself, and keeps no profile. */
const flags = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
]

/** @throws Error where there is no Chromium, which says how to install one */
export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env[variable] ?? places.find((place) => existsSync(place))
  if (executablePath === undefined)
    throw new Error(
      `No Chromium found. Install it (Debian: apt-get install chromium; macOS: brew install --cask chromium), or set ${variable} to the path of Chromium or Chrome.`,
    )
  return chromium.launch({ executablePath, args: flags })
}
