/** Lines that are only ever appended, kept in files of so many each: what is full is not sent again. */
import type { Shared } from './shared-state.ts'

const linesPerFile = 64

export interface LineLog {
  append(lines: readonly string[]): void
  /** Replaces one line, which must be there. */
  replace(index: number, line: string): void
  readonly length: number
  /** The files by path, as they are to be. */
  files(): Iterable<readonly [path: string, text: string]>
}

/** `folder` ends without a slash: `runs/x/journal` makes `runs/x/journal/0000.jsonl`. */
export function createLineLog(folder: string, lines: readonly string[] = []): LineLog {
  const all = [...lines]
  const texts = new Map<number, string>()
  const fileOf = (index: number) => Math.floor(index / linesPerFile)
  return {
    append(more) {
      for (const line of more) {
        texts.delete(fileOf(all.length))
        all.push(line)
      }
    },
    replace(index, line) {
      texts.delete(fileOf(index))
      all[index] = line
    },
    get length() {
      return all.length
    },
    *files() {
      for (let file = 0; file * linesPerFile < all.length; file++) {
        const text =
          texts.get(file) ?? joinRecords(all.slice(file * linesPerFile, (file + 1) * linesPerFile))
        texts.set(file, text)
        yield [`${folder}/${String(file).padStart(4, '0')}.jsonl`, text]
      }
    },
  }
}

/** The lines of those files that are there. */
export async function readLinesAt(
  { read }: Pick<Shared, 'read'>,
  paths: readonly string[],
): Promise<readonly string[]> {
  const texts = await read(paths)
  return paths.flatMap((path) => splitRecords(texts.get(path) ?? ''))
}

export const joinRecords = (lines: readonly string[]): string =>
  lines.map((line) => `${line}\n`).join('')

export const splitRecords = (text: string): readonly string[] =>
  text.split('\n').filter((line) => line.trim() !== '')
