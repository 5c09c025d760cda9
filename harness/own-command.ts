/** How a repository is set up and tested by hand; shell lines, since that is what people type. */
export interface OwnCommand {
  readonly setUp: string | null
  readonly test: string
}

const environmentFolder = '.venv-by-hand'
const inEnvironment = `. ${environmentFolder}/bin/activate`

/** An extra that a project does not have is a warning, a group that it does not have is an error. */
const pythonInstall = [
  "pip install -q pytest -e '.[test,tests,testing,dev]'",
  '(for group in tests test dev; do pip install -q --group "$group" 2>/dev/null || true; done)',
].join(' && ')

function installLine(has: (...names: readonly string[]) => boolean): string {
  if (has('pnpm-lock.yaml')) {
    return 'pnpm install --frozen-lockfile'
  }
  if (has('yarn.lock')) return 'yarn install'
  const isLocked = has('package-lock.json', 'npm-shrinkwrap.json')
  return `npm ${isLocked ? 'ci' : 'install'} --no-audit --no-fund`
}

/** What its root says about how it is tested, if that is one of the ways below; else `null`. */
export function ownCommand(
  rootFiles: readonly string[],
  packageJson: string | null,
): OwnCommand | null {
  const has = (...names: readonly string[]) => names.some((name) => rootFiles.includes(name))
  if (packageJson !== null && hasTestScript(packageJson)) {
    return { setUp: installLine(has), test: 'npm test' }
  }
  if (has('go.mod')) return { setUp: null, test: 'go test ./...' }
  if (has('Cargo.toml')) return { setUp: null, test: 'cargo test' }
  if (has('pom.xml')) return { setUp: null, test: 'mvn -B -q test' }
  if (has('pyproject.toml', 'setup.py', 'setup.cfg', 'tox.ini')) {
    return {
      setUp: `python3 -m venv ${environmentFolder} && ${inEnvironment} && ${pythonInstall}`,
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
