import { isTestFile, languageOf } from '../../../../packages/source/source.ts'
import type { Task } from '../../../../packages/task/task.ts'
import { pathsIn } from '../../../../packages/text/text.ts'
import {
  codeLessons,
  type Lesson,
  type LessonLanguage,
  otherLessons,
  testLessons,
} from './lessons.ts'

/** The basis of the choice; all of it is known before the model is asked. */
export interface LessonInput {
  readonly task: Pick<Task, 'title' | 'details' | 'files'>
  readonly plan: { readonly files: readonly string[] } | null
  /** The project map: its facts name the language and the test runner. */
  readonly map: string
  readonly files: readonly { readonly path: string }[]
}

const kinds: Readonly<Record<string, keyof typeof otherLessons>> = {
  ...{ json: 'json', jsonc: 'json', yaml: 'yaml', toml: 'toml' },
  ...{ shell: 'script', dockerfile: 'script', makefile: 'script' },
  ...{ markdown: 'docs', text: 'docs', css: 'style', scss: 'style', less: 'style' },
}

/** Languages without a lesson of their own. */
const kin: Readonly<Record<string, LessonLanguage>> = {
  ...{ jsx: 'javascript', vue: 'javascript', svelte: 'javascript' },
  ...{ tsx: 'typescript', kotlin: 'java', cpp: 'c' },
}

function codeLanguageOf(path: string): LessonLanguage | undefined {
  const language = languageOf(path)
  return language in codeLessons ? (language as LessonLanguage) : kin[language]
}

/** Words that show the subject of a task without a path; every other task is about code. */
export const aboutTests = /\b(?:tests?|specs?|coverage)\b/i
const aboutDocs = /\b(?:readme|docs?|document|documentation|changelog|guide|tutorial)\b/i
const aboutScripts = /\b(?:shell|bash|scripts?)\b/i

/**
 * Chooses the worked example nearest to this task: by the files it names, or else by the words of its title; in the
 * language of those files, of the code shown, or of the project.
 */
export function chooseLesson(input: LessonInput): Lesson {
  const { title, details, files } = input.task
  const named = [...files, ...pathsIn(`${title}\n${details}`), ...(input.plan?.files ?? [])]
  const code = named
    .filter((path) => !isTestFile(path))
    .map(codeLanguageOf)
    .find(Boolean)
  if (code !== undefined) return codeLessons[code]
  if (named.some((path) => isTestFile(path))) return testLesson(input, named)
  const other = named.map((path) => kinds[languageOf(path)]).find(Boolean)
  if (other !== undefined) return otherLessons[other]
  if (aboutTests.test(title)) return testLesson(input, named)
  if (aboutDocs.test(title)) return otherLessons.docs
  if (aboutScripts.test(title)) return otherLessons.script
  return codeLessons[languageFor(input, named)]
}

const named: ReadonlyMap<Lesson, string> = new Map([
  ...Object.entries(codeLessons).map(([name, lesson]) => [lesson, name] as const),
  ...Object.entries(testLessons).map(([name, lesson]) => [lesson, `tests, ${name}`] as const),
  ...Object.entries(otherLessons).map(([name, lesson]) => [lesson, name] as const),
])

/** `python`, `tests, go`, `docs`: for figures of what served. */
export const nameLesson = (lesson: Lesson): string => named.get(lesson) ?? 'other'

function testLesson(input: LessonInput, named: readonly string[]): Lesson {
  const language = languageFor(input, named)
  if (/script$/.test(language) && /\b(?:vitest|jest|mocha|bun test)\b/.test(input.map)) {
    return testLessons.expect
  }
  return language === 'c' ? codeLessons.c : testLessons[language]
}

/** The language of the named files, or else of most files shown, or else of the project's manifest. */
function languageFor({ files, map }: LessonInput, named: readonly string[]): LessonLanguage {
  const first = named.map(codeLanguageOf).find(Boolean)
  if (first !== undefined) return first
  const counts = new Map<LessonLanguage, number>()
  for (const language of files.flatMap(({ path }) => codeLanguageOf(path) ?? [])) {
    counts.set(language, (counts.get(language) ?? 0) + 1)
  }
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a)
  return most?.[0] ?? languageOfProject(map)
}

function languageOfProject(map: string): LessonLanguage {
  if (/^go\.mod:/m.test(map)) return 'go'
  if (/^Cargo\.toml:/m.test(map)) return 'rust'
  if (/^(?:pyproject\.toml|requirements\.txt):/m.test(map)) return 'python'
  return /\btypescript\b/.test(map) ? 'typescript' : 'javascript'
}
