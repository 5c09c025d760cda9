import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { judgeFile } from './judge-file.ts'
import { allNames, scriptDeviations } from './known-deviations.ts'
import { countRow, type Result, type Score, type ScoreRow, timeScore } from './score.ts'

type Folder = keyof typeof scriptDeviations

/** Extensions of a module and of a script. */
type Extensions = readonly [module: string, script: string]
const javaScript: Extensions = ['.mjs', '.cjs']
const guessed: Extensions = ['.js', '.js']
const typeScript: Extensions = ['.mts', '.cts']

const corpus = dirname(fileURLToPath(import.meta.resolve('test262-parser-tests/package.json')))

/**
 * test262-parser-tests through the validator: `pass` and `pass-explicit` are programs, `fail` and
 * `early` are none. Read by the extension that says what they are, programs also as plain `.js`,
 * where that must be guessed, and as TypeScript, which holds all of JavaScript.
 */
export function scoreScriptFiles(): Promise<Score> {
  return timeScore('script-files', async () => [
    await scoreFolder('JavaScript, valid', 'pass', javaScript),
    await scoreFolder('JavaScript, valid', 'pass-explicit', javaScript),
    await scoreFolder('JavaScript, valid, module or script guessed', 'pass', guessed),
    await scoreFolder('TypeScript, valid', 'pass', typeScript),
    await scoreFolder('JavaScript, not of the grammar', 'fail', javaScript),
    await scoreFolder('JavaScript, early errors', 'early', javaScript),
  ])
}

async function scoreFolder(
  label: string,
  folder: Folder,
  extensions: Extensions,
): Promise<ScoreRow> {
  const names = await readdir(join(corpus, folder))
  const results: Result[] = []
  for (const name of names) results.push(await judgeScript(folder, name, extensions))
  const maxWrong = allNames(scriptDeviations[folder]).length / names.length
  const minRight =
    (names.length - allNames(scriptDeviations[folder]).length) / Math.max(1, names.length)
  return countRow(`${label} (test262-parser-tests ${folder})`, results, { minRight, maxWrong })
}

export async function judgeScript(
  folder: Folder,
  name: string,
  [module, script]: Extensions = javaScript,
): Promise<Result> {
  const text = await readFile(join(corpus, folder, name), 'utf8')
  const path = name.endsWith('.module.js')
    ? name.replace('.module.js', module)
    : name.replace('.js', script)
  return judgeFile(path, text, folder.startsWith('pass'))
}
