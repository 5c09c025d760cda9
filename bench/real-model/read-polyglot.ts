/** Exercises of Aider-AI/polyglot-benchmark, shortest tests first: one repository each. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { git } from '../../harness/git.ts'
import { runChild } from '../../harness/run-child.ts'
import { environment } from '../../harness/run-program.ts'
import { readTree } from '../strategies/read-tree.ts'
import type { Choice, RealTask, Start, TaskReader } from './real-task.ts'

type Texts = ReadonlyMap<string, string>

interface Settings {
  readonly files: { readonly solution: readonly string[]; readonly test: readonly string[] }
}

const languages = ['python', 'javascript'] as const
type Language = (typeof languages)[number]

const docs = '.docs/instructions.md'

export const practiceFolder = (language: string): string => `${language}/exercises/practice/`

export const readPolyglot: TaskReader = async (clone, choice) => {
  const language = languages.find((name) => name === choice.language)
  if (language === undefined) throw new Error(`--language is one of ${languages.join(', ')}`)
  const under = practiceFolder(language)
  const tree = await readTree(clone, await git(clone, 'rev-parse', 'HEAD'), under)
  const names = [...new Set([...tree.keys()].map((path) => path.split('/')[3] ?? ''))]
  const modules = language === 'javascript' ? await installJest(choice) : null
  return names
    .map((name) => layOutExercise(name, language, within(tree, `${under}${name}/`), modules))
    .toSorted((a, b) => a.testLength - b.testLength)
    .slice(0, choice.n)
    .map(({ task }) => task)
}

const within = (tree: Texts, folder: string): Texts =>
  new Map(
    [...tree].flatMap(([path, text]) =>
      path.startsWith(folder) ? [[path.slice(folder.length), text] as const] : [],
    ),
  )

interface Modules {
  readonly folder: string
  /** `package.json`, and what npm locked it to. */
  readonly manifests: Texts
}

/** The exercise without its solution; of JavaScript, all tests run, also those that wait for the first. */
export function layOutExercise(
  name: string,
  language: Language,
  texts: Texts,
  modules: Modules | null,
): { readonly testLength: number; readonly task: RealTask } {
  const { files }: Settings = JSON.parse(texts.get('.meta/config.json') ?? '{}')
  const { solution, test } = files
  const own = [...texts]
    .filter(([path]) => !/^(?:\.(?!docs\/)|LICENSE|package\.json|babel\.config)/.test(path))
    .map(([path, text]) => {
      const isTest = test.includes(path) && language === 'javascript'
      return [path, isTest ? text.replaceAll(/\bx(test|it|describe)\(/g, '$1(') : text] as const
    })
  const text = `Implement ${solution.map((path) => `\`${path}\``).join(', ')} as \`${docs}\` says`
  const from = new Map([
    ...own,
    [docs, instructionsOf(texts)] as const,
    ['ROADMAP.md', `# Roadmap\n\n- [ ] T-1: ${text}\n`] as const,
    ['.gitignore', 'node_modules\n__pycache__/\n.pytest_cache/\n'] as const,
    ...settingsOf(language, modules),
  ])
  from.delete('.docs/instructions.append.md')
  const start: Start = {
    ...{ name: `${language}-${name}`, from },
    ...(modules !== null && { modules: modules.folder }),
  }
  const guards = ['package.json', 'babel.config.js', 'pytest.ini', 'conftest.py']
  return {
    testLength: test.reduce((sum, path) => sum + (texts.get(path) ?? '').length, 0),
    task: {
      ...{ id: `${language}/${name}`, roadmapId: 'T-1', text, start, files: solution },
      shown: [docs, ...test],
      guarded: [...test, ...guards],
      command:
        language === 'python'
          ? `python3 -m pytest -q ${test.join(' ')}`
          : `./node_modules/.bin/jest ${test.join(' ')}`,
    },
  }
}

const instructionsOf = (texts: Texts): string =>
  [docs, '.docs/instructions.append.md'].map((path) => texts.get(path) ?? '').join('\n')

const settingsOf = (
  language: Language,
  modules: Modules | null,
): readonly (readonly [string, string])[] =>
  language === 'python'
    ? [['pytest.ini', '[pytest]\npython_files = *_test.py\npythonpath = .\n']]
    : [['babel.config.js', babelConfig], ...(modules?.manifests ?? [])]

const babelConfig = `module.exports = { presets: [['@babel/preset-env', { targets: { node: 'current' } }]] }\n`

const manifest = {
  name: 'exercise',
  private: true,
  scripts: { test: 'jest' },
  devDependencies: {
    '@babel/core': '^7.25.2',
    '@babel/preset-env': '^7.25.2',
    'babel-jest': '^29.7.0',
    jest: '^29.7.0',
  },
}

/** Installs jest once; every exercise links to it, so that no run installs anything. */
async function installJest({ cache }: Choice): Promise<Modules> {
  const root = join(cache, 'jest')
  const lock = join(root, 'package-lock.json')
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  await mkdir(root, { recursive: true })
  await writeFile(join(root, 'package.json'), text)
  const install = ['npm', 'install', '--no-audit', '--no-fund']
  const { code, output } = await runChild(install, root, environment(cache), longestInstall)
  if (code !== 0) throw new Error(`jest cannot be installed: ${output}`)
  return {
    folder: join(root, 'node_modules'),
    manifests: new Map([
      ['package.json', text],
      ['package-lock.json', await readFile(lock, 'utf8')],
    ]),
  }
}

/** Milliseconds. */
const longestInstall = 300_000
