import type { Exercise, Language } from './exercise.ts'

export const taskId = (index: number): string => `T-${index + 1}`

/** All exercises as one repository, with a task for each: every test in it is red. */
export function layOut(
  exercises: readonly Exercise[],
  settings: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const [first] = exercises
  const tasks = exercises.map(
    ({ solutions, tests }, index) =>
      `- [ ] ${taskId(index)}: Implement ${solutions.map(({ path }) => `\`${path}\``).join(', ')} so that \`${tests[0]}\` passes\n`,
  )
  return {
    ...Object.assign({}, ...exercises.map(({ files }) => files)),
    ...(first === undefined ? {} : rootFiles(first.language, settings)),
    '.gitignore': 'node_modules/\n__pycache__/\n.pytest_cache/\n',
    'ROADMAP.md': `# Exercises\n\n${tasks.join('')}`,
  }
}

function rootFiles(
  language: Language,
  settings: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (language === 'python') return { 'pytest.ini': '[pytest]\n' }
  if (language === 'go') {
    const version = /^go .*$/m.exec(settings['go.mod'] ?? '')?.[0] ?? 'go 1.18'
    return { 'go.mod': `module exercises\n\n${version}\n` }
  }
  return {
    'package.json': rootManifest(settings['package.json'] ?? '{}'),
    ...(settings['babel.config.js'] && { 'babel.config.js': settings['babel.config.js'] }),
  }
}

/** The packages that tests need, without those that lint or describe types. */
function rootManifest(own: string): string {
  const { devDependencies = {} }: { devDependencies?: Record<string, string> } = JSON.parse(own)
  const needed = Object.entries(devDependencies).filter(([name]) => !/eslint|^@types\//.test(name))
  const manifest = {
    name: 'exercises',
    private: true,
    scripts: { test: 'jest' },
    devDependencies: Object.fromEntries(needed),
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}
