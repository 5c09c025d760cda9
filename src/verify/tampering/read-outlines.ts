import { readSyntax } from '../../text/syntax/read-syntax.ts'
import { noOutline, type TestFileOutline } from './outline.ts'
import { pythonTests } from './python-tests.ts'
import { readMasked } from './read-masked.ts'
import { scriptTests } from './script-tests.ts'

/** A file beyond this is data. */
const longestFile = 1_000_000

/** The tests of texts of one file, all in the same manner: by their syntax, or by their shape where one has none. */
export async function readOutlines(
  path: string,
  texts: readonly string[],
): Promise<readonly TestFileOutline[]> {
  if (texts.some((text) => text.length > longestFile)) return texts.map(() => noOutline)
  const found = await Promise.all(texts.map((text) => readTree(path, text)))
  const whole = found.filter((each) => each !== null)
  return whole.length === texts.length ? whole : texts.map((text) => readMasked(path, text))
}

/** The tests of one text. */
export async function readOutline(path: string, text: string): Promise<TestFileOutline> {
  const [outline = noOutline] = await readOutlines(path, [text])
  return outline
}

/** By the syntax; `null` where the text has to be read by its shape: what follows a mistake in Python is misread. */
async function readTree(path: string, text: string): Promise<TestFileOutline | null> {
  const isScript = /\.[cm]?[jt]sx?$/i.test(path)
  if (!isScript && !/\.pyi?$/i.test(path)) return null
  const { tree, error } = await readSyntax(path, text)
  if (isScript) return tree === null ? noOutline : scriptTests(tree, text)
  return tree === null || error !== null ? null : pythonTests(tree, text)
}
