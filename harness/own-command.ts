/** How a repository is set up and tested by hand; shell lines, since that is what people type. */
export interface OwnCommand {
  readonly setUp: string | null
  readonly test: string
}

const environmentFolder = '.venv-by-hand'
const inEnvironment = `. ${environmentFolder}/bin/activate`

/** What its root says about how it is tested, if that is one of the ways below; else `null`. */
export function ownCommand(
  rootFiles: readonly string[],
  packageJson: string | null,
): OwnCommand | null {
  const has = (...names: readonly string[]) => names.some((name) => rootFiles.includes(name))
  if (packageJson !== null && hasTestScript(packageJson)) {
    const install = has('package-lock.json', 'npm-shrinkwrap.json') ? 'ci' : 'install'
    return { setUp: `npm ${install} --no-audit --no-fund`, test: 'npm test' }
  }
  if (has('go.mod')) return { setUp: null, test: 'go test ./...' }
  if (has('Cargo.toml')) return { setUp: null, test: 'cargo test' }
  if (has('pom.xml')) return { setUp: null, test: 'mvn -B -q test' }
  if (has('pyproject.toml', 'setup.py', 'setup.cfg', 'tox.ini')) {
    const install = `${inEnvironment} && pip install -q pytest -e .`
    return {
      setUp: `python3 -m venv ${environmentFolder} && ${install}`,
      test: `${inEnvironment} && python -m pytest -q`,
    }
  }
  return null
}

function hasTestScript(packageJson: string): boolean {
  try {
    const { scripts }: { scripts?: { test?: unknown } } = JSON.parse(packageJson)
    return typeof scripts?.test === 'string'
  } catch {
    return false
  }
}
