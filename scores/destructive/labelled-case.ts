import type { DestructiveCategory } from '../../packages/judge/destructive/operation.ts'

/** `filesystem:3`: an operation of this category begins on line 3. */
export type Label = `${DestructiveCategory}:${number}`

/** A file, and every operation in it in order. None for a file that is harmless. */
export interface LabelledCase {
  readonly path: string
  readonly text: string
  readonly labels: readonly Label[]
}

/** Cases of one kind of file: a text, and its labels separated by spaces. */
export function casesOf(
  path: string,
  cases: readonly (readonly [text: string, labels?: string])[],
): readonly LabelledCase[] {
  return cases.map(([text, labels = '']) => ({
    path,
    text,
    labels: labels.split(' ').filter((label) => label !== '') as Label[],
  }))
}
