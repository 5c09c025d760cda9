/** How the programs of tests and linters are had; any other is named. */
const ways: Readonly<Record<string, readonly string[]>> = {
  'npm install --save-dev': [
    'vitest',
    'jest',
    'mocha',
    'ava',
    'tap',
    'eslint',
    'prettier',
    'tsc',
    'tsx',
    'biome',
    'nyc',
    'c8',
    'playwright',
    'cypress',
    'nx',
    'turbo',
    'lerna',
  ],
  'pip install': [
    'pytest',
    'tox',
    'nox',
    'ruff',
    'mypy',
    'flake8',
    'black',
    'pylint',
    'coverage',
    'poetry',
    'uv',
  ],
  'gem install': ['rspec', 'rubocop', 'bundle', 'rake'],
  'npm install --global': ['pnpm', 'yarn', 'bun'],
}

/** They come with a machine, or from wherever its other programs do. */
const runtimes = ['node', 'npm', 'npx', 'deno', 'python3', 'dotnet', 'java', 'swift', 'just']

const packageOf: Readonly<Record<string, string>> = {
  tsc: 'typescript',
  biome: '@biomejs/biome',
  playwright: '@playwright/test',
  bundle: 'bundler',
}

/** True for tools that people know to install: what is missing is the tool, and its name is right. */
export const isKnownTool = (program: string): boolean =>
  [...runtimes, ...Object.values(ways).flat()].includes(program)

/** A sentence that says what to install, behind the one that says what is missing. */
export function adviceFor(program: string): string {
  const way = Object.entries(ways).find(([, programs]) => programs.includes(program))?.[0]
  const name = Object.hasOwn(packageOf, program) ? packageOf[program] : program
  return way === undefined
    ? ` Install ${program} on the machine that runs this.`
    : ` Install it: ${way} ${name}`
}
