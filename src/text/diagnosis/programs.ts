/** How a person gets programs; of those that each system has in its own way, Debian's. */
const ways: Readonly<Record<string, string>> = {
  'npm install --save-dev':
    'ava biome c8 cypress eslint jest lerna mocha nx nyc playwright prettier tap tsc tsx turbo vitest',
  'npm install --global': 'bun pnpm yarn',
  'pip install': 'black coverage flake8 mypy nox poetry pylint pytest ruff tox uv',
  'gem install': 'bundle bundler rake rspec rubocop',
  'composer require --dev': 'phpunit',
  'apt-get install':
    'CMAKE_C_COMPILER CMAKE_CXX_COMPILER JAVA_HOME cargo cc cmake composer ctest g++ gcc go gradle java javac make mvn php python3 ruby',
}

const packageOf: Readonly<Record<string, string>> = {
  biome: '@biomejs/biome',
  bundle: 'bundler',
  cc: 'build-essential',
  CMAKE_C_COMPILER: 'build-essential',
  CMAKE_CXX_COMPILER: 'build-essential',
  ctest: 'cmake',
  'g++': 'build-essential',
  gcc: 'build-essential',
  go: 'golang',
  java: 'default-jdk',
  JAVA_HOME: 'default-jdk',
  javac: 'default-jdk',
  mvn: 'maven',
  php: 'php-cli',
  phpunit: 'phpunit/phpunit',
  playwright: '@playwright/test',
  tsc: 'typescript',
}

/** They come with a machine, or from wherever its other programs do. */
const runtimes = ['node', 'npm', 'npx', 'deno', 'dotnet', 'swift', 'just']

const installs = new Map(
  Object.entries(ways).flatMap(([way, names]) =>
    names.split(' ').map((name) => [name, `${way} ${packageOf[name] ?? name}`] as const),
  ),
)

/** The command that brings a program; `null` for one that nobody here knows. */
export const installOf = (program: string): string | null => installs.get(program) ?? null

/** True for tools that people know to install: what is missing is the tool, and its name is right. */
export const isKnownTool = (program: string): boolean =>
  installs.has(program) || runtimes.includes(program)

/** A sentence that says what to install, behind the one that says what is missing. */
export function adviceFor(program: string, install = installOf(program)): string {
  return install === null
    ? ` Install ${program} on the machine that runs this.`
    : ` Install it: ${install}`
}
