import { createRandom } from '../../bench/statistics.ts'
import type { Exercise, Language } from './exercise.ts'

/** Texts of a solution's files, in the order of the exercise. */
export type Solution = readonly string[]

export const referenceOf = ({ solutions }: Exercise): Solution =>
  solutions.map(({ reference }) => reference)

/** The reference with one syntax error, as a model makes them: a colon, or the last bracket, is missing. */
export function breakSyntax({ language, solutions }: Exercise): Solution {
  return solutions.map(({ reference }, index) =>
    index === 0 ? broken(language, reference) : reference,
  )
}

function broken(language: Language, text: string): string {
  const without =
    language === 'python'
      ? text.replace(/^(\s*def .*\)(?: *->.*)?):[ \t]*$/m, '$1')
      : text.replace(/\}(?=[^}]*$)/, '')
  return without === text ? `${text}\n)\n` : without
}

export const slips: readonly (readonly [RegExp, string])[] = [
  [/===/g, '!=='],
  [/(?<![=!<>])==(?!=)/g, '!='],
  [/!==/g, '==='],
  [/!=(?!=)/g, '=='],
  [/ < /g, ' >= '],
  [/ > /g, ' <= '],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/ and /g, ' or '],
  [/ && /g, ' || '],
  [/\bTrue\b/g, 'False'],
  [/\btrue\b/g, 'false'],
  [/(?<=[[(, ])1\b(?![.\d])/g, '2'],
  [/(?<=[[(, ])0\b(?![.\dx])/g, '1'],
  [/(?<=['"])([a-z]{3,})(?=['" ])/g, '$1x'],
]
export const noCode = /^\s*(?:#|\/\/|\*|\/\*|import\b|from\b|package\b|"""|')/

/** The reference with one slip in its logic, each in another place, in an order that the seed draws. */
export function spoilLogic(exercise: Exercise, seed: number): readonly Solution[] {
  const random = createRandom(seed)
  return exercise.solutions
    .flatMap(({ reference }, index) =>
      slipped(reference).map((text) => referenceOf(exercise).with(index, text)),
    )
    .map((solution) => ({ solution, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ solution }) => solution)
}

function slipped(text: string): readonly string[] {
  const lines = text.split('\n')
  return lines.flatMap((line, at) => {
    if (noCode.test(line)) return []
    return slips.flatMap(([from, to]) => {
      const other = line.replace(from, to)
      return other === line ? [] : [lines.with(at, other).join('\n')]
    })
  })
}
