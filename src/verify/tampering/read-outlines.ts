import { noOutline, type TestFileOutline } from './outline.ts'
import { readMasked } from './read-masked.ts'
import { readPython } from './read-python.ts'
import { readScript } from './read-script.ts'

/** A file beyond this is data. */
const longestFile = 1_000_000

/** The tests of texts of one file, all in the same manner: by their syntax, or by their shape where one has none. */
export async function readOutlines(
  path: string,
  texts: readonly string[],
): Promise<readonly TestFileOutline[]> {
  if (texts.some((text) => text.length > longestFile)) return texts.map(() => noOutline)
  const read = /\.[cm]?[jt]sx?$/i.test(path)
    ? (text: string) => readScript(path, text)
    : /\.pyi?$/i.test(path)
      ? readPython
      : () => null
  const found = await Promise.all(texts.map(read))
  const whole = found.filter((each) => each !== null)
  return whole.length === texts.length ? whole : texts.map((text) => readMasked(path, text))
}

/** The tests of one text. */
export async function readOutline(path: string, text: string): Promise<TestFileOutline> {
  const [outline = noOutline] = await readOutlines(path, [text])
  return outline
}
