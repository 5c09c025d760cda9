/**
 * Finds stiff phrases in comments, messages and documents: `npm run prose -- [path …]`. scripts/stiff-phrases.txt
 * lists the phrases and their replacements; AGENTS.md explains our style. Code in backticks is not prose.
 */
import { glob, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { parse } from '@babel/parser'
import { TextlintKernel } from '@textlint/kernel'
import markdown from '@textlint/textlint-plugin-markdown'
import plainText from '@textlint/textlint-plugin-text'
import stopWords from 'textlint-rule-stop-words'
import { packageNames } from './packages.ts'

const root = join(import.meta.dirname, '..')
const everything = [
  ...['src', 'scripts', 'docs', '.github', '*.md', 'packages/*/*.md'],
  ...packageNames.flatMap((name) => [`packages/${name}/*.ts`, `packages/${name}/!(test)/**`]),
]

const given = process.argv.slice(2)
const files = await listFiles(given.length === 0 ? everything : given)

const phrasesFile = join(import.meta.dirname, 'stiff-phrases.txt')
const phrases = (await readFile(phrasesFile, 'utf8'))
  .split('\n')
  .map((line) => line.split(' > ')[0])
/** Most files hold no phrase at all; reading them word by word would take half a minute. */
const anyPhrase = new RegExp(phrases.filter(Boolean).join('|').replaceAll("'", "['’‘]"), 'i')

const kernel = new TextlintKernel()
let count = 0
for (const file of files) {
  const text = await readFile(join(root, file), 'utf8')
  for (const { line, column, message } of await findPhrases(file, text)) {
    console.error(`${file}:${line}:${column} ${message}`)
    count += 1
  }
}
if (count > 0) {
  console.error(`${count} stiff phrases: AGENTS.md, "English", says how to write them.`)
  process.exitCode = 1
}

/** Lists the TypeScript and Markdown files below these paths and patterns, relative to the root. */
async function listFiles(places: readonly string[]): Promise<readonly string[]> {
  const isFolder = async (place: string): Promise<boolean> =>
    (await stat(join(root, place)).catch(() => null))?.isDirectory() ?? false
  const patterns = places.map(async (place) => ((await isFolder(place)) ? `${place}/**` : place))
  const found: string[] = []
  for await (const path of glob(await Promise.all(patterns), { cwd: root }))
    if (['.ts', '.md'].includes(extname(path)) && path !== 'CODE_OF_CONDUCT.md') found.push(path)
  return found.sort()
}

/** Finds the phrases in one file, with 1-based lines and columns. */
async function findPhrases(file: string, text: string) {
  if (!anyPhrase.test(text)) return []
  const isCode = extname(file) === '.ts'
  const { messages } = await kernel.lintText(
    isCode ? proseOf(text, file.startsWith('src/model/prompts/')) : text,
    {
      ext: isCode ? '.txt' : '.md',
      filePath: file,
      plugins: [
        { pluginId: 'markdown', plugin: markdown.default },
        { pluginId: 'text', plugin: plainText.default },
      ],
      rules: [
        {
          ruleId: 'stop-words',
          rule: stopWords,
          options: { defaultWords: false, words: phrasesFile },
        },
      ],
    },
  )
  return messages.map(({ loc, message }) => ({ ...loc.start, message }))
}

/**
 * Blanks everything in a source file but comments and strings of several words; lines and columns stay.
 * Prompts are tuned for models, not for readers: there, only comments count.
 */
function proseOf(source: string, isPrompt: boolean): string {
  const { comments, tokens } = parse(source, {
    sourceType: 'module',
    plugins: ['typescript'],
    tokens: true,
  })
  const texts = (tokens ?? []).filter(
    ({ type, value }: { type: { label: string }; value: unknown }) =>
      !isPrompt &&
      ['string', 'template'].includes(type.label) &&
      /\p{L}+ \p{L}+ \p{L}+/u.test(String(value)),
  )
  const kept = [...(comments ?? []), ...texts].sort((a, b) => a.start - b.start)
  const blank = (text: string): string => text.replace(/[^\n]/gu, ' ')
  let prose = ''
  for (const { start, end } of kept) {
    prose += blank(source.slice(prose.length, start))
    prose += source.slice(start, end).replace(/`[^`\n]*`|^\s*\*|\/\*+|\*\/|\/\//gmu, blank)
  }
  return prose
}
