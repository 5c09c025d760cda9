/** How a person gets programs, with `=` the package of another name; of those that each system has in its own way, Debian's. */
const ways: Readonly<Record<string, readonly string[]>> = {
  'npm install --save-dev': [
    'ava biome=@biomejs/biome c8 cypress eslint jest lerna mocha nx nyc playwright=@playwright/test',
    'prettier tap tsc=typescript tsx turbo vitest',
  ],
  'npm install --global': ['bun pnpm yarn'],
  'pip install': ['black coverage flake8 mypy nox poetry pylint pytest ruff tox uv'],
  'gem install': ['bundle=bundler bundler rake rspec rubocop'],
  'composer require --dev': ['phpunit=phpunit/phpunit'],
  'apt-get install': [
    'CMAKE_C_COMPILER=build-essential CMAKE_CXX_COMPILER=build-essential JAVA_HOME=default-jdk cargo',
    'cc=build-essential cmake composer ctest=cmake g++=build-essential gcc=build-essential go=golang',
    'gradle java=default-jdk javac=default-jdk make mvn=maven php=php-cli python3 ruby',
  ],
}

/** They come with a machine, or from wherever its other programs do. */
const runtimes = ['node', 'npm', 'npx', 'deno', 'dotnet', 'swift', 'just']

const installs = new Map(
  Object.entries(ways).flatMap(([way, rows]) =>
    rows
      .flatMap((row) => row.split(' '))
      .map((each) => {
        const [name = '', known = name] = each.split('=')
        return [name, `${way} ${known}`] as const
      }),
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
