import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]

/** Each point and paragraph of what SECURITY.md promises; a table has a paragraph of its own above it. */
const promises = (readFileSync(join(root, 'SECURITY.md'), 'utf8').split(/^## /m)[1] ?? '')
  .replaceAll(/^<!-- generated: [\s\S]*?^<!-- end: .*$/gm, '')
  .split('\n')
  .slice(1)
  .filter((line) => line !== '' && !/^(?:#|\||The numbers )/.test(line))

test('no promise stands without the test that shows it', () => {
  expect(promises.length).toBeGreaterThan(12)
  const shown = /`(?:packages\/[\w-]+\/)?test\/[\w./-]+\.test\.ts`/
  expect(promises.filter((promise) => !shown.test(promise))).toEqual([])
})

test('README is read in a minute, and shows no figure that misses its target', () => {
  const lines = readFileSync(join(root, 'README.md'), 'utf8').split('\n')
  expect(lines.length).toBeLessThan(121)
  expect(lines.filter((line) => line.includes('MISSED'))).toEqual([])
})

test.each(documents)('%s names only files that are there', (document) => {
  // What stands in a code block is an example.
  const text = readFileSync(join(root, document), 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '')
  const links = [
    ...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g),
    ...text.matchAll(/\bsrc(?:set)?="(?!https?:)([^"\s]+)/g),
  ].map(([, path = '']) => join(dirname(document), path))
  const ours = [
    ...text.matchAll(/`((?:src|packages|test|scripts|scores|docs|schema)\/[\w./-]+\.\w+)`/g),
  ].map(([, path = '']) => path)
  const named =
    document.startsWith('docs/examples/') || document === 'docs/tour.md'
      ? links
      : [...links, ...ours]
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
})
