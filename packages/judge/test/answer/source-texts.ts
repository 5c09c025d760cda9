/** Real texts in the languages that models edit, as material for edits. */
import { readFileSync } from 'node:fs'

export interface SourceText {
  readonly path: string
  readonly text: string
}

const own = [
  'cart.tsx',
  'deploy.yml',
  'inventory.py',
  'Ledger.java',
  'release.sh',
  'scheduler.rs',
  'server.go',
  'shop.css',
]
/** From packages whose versions are locked. */
const installed = ['picomatch/lib/scan.js', 'picomatch/README.md', 'commander/lib/option.js']

export function readSourceTexts(): readonly SourceText[] {
  const here = own.map((name) => ({
    path: `src/${name}`,
    text: readFileSync(new URL(`sources/${name}.txt`, import.meta.url), 'utf8'),
  }))
  const there = installed.map((name) => ({
    path: `vendor/${name}`,
    text: readFileSync(new URL(`../../../../node_modules/${name}`, import.meta.url), 'utf8'),
  }))
  return [...here, ...there]
}
