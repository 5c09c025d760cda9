import { missingProgramIn } from './missing-program.ts'

/** What the machine lacks: nothing that a change to the code can mend. */
export interface Lack {
  /** What told it, shortened. */
  readonly line: string
  readonly installCommand: string | null
}

/** How a person gets a program; of those that each system has in its own way, Debian's. */
const installs: Readonly<Record<string, string>> = {
  bun: 'npm install --global bun',
  bundle: 'gem install bundler',
  bundler: 'gem install bundler',
  cargo: 'apt-get install cargo',
  cc: 'apt-get install build-essential',
  CMAKE_C_COMPILER: 'apt-get install build-essential',
  CMAKE_CXX_COMPILER: 'apt-get install build-essential',
  cmake: 'apt-get install cmake',
  composer: 'apt-get install composer',
  ctest: 'apt-get install cmake',
  'g++': 'apt-get install build-essential',
  gcc: 'apt-get install build-essential',
  go: 'apt-get install golang',
  gradle: 'apt-get install gradle',
  java: 'apt-get install default-jdk',
  JAVA_HOME: 'apt-get install default-jdk',
  javac: 'apt-get install default-jdk',
  jest: 'npm install --save-dev jest',
  make: 'apt-get install make',
  mocha: 'npm install --save-dev mocha',
  mvn: 'apt-get install maven',
  php: 'apt-get install php-cli',
  phpunit: 'composer require --dev phpunit/phpunit',
  pnpm: 'npm install --global pnpm',
  poetry: 'pip install poetry',
  pytest: 'pip install pytest',
  python3: 'apt-get install python3',
  rake: 'gem install rake',
  rspec: 'gem install rspec',
  ruby: 'apt-get install ruby',
  tsc: 'npm install --save-dev typescript',
  tsx: 'npm install --save-dev tsx',
  uv: 'pip install uv',
  vitest: 'npm install --save-dev vitest',
  yarn: 'npm install --global yarn',
}

type Known = readonly [message: RegExp, installCommand: string | null]

/** Everything else, the surest first. Each is read in one line of at most 1,000 characters. */
const others: readonly Known[] = [
  [/command not found/i, null],
  // A toolchain that is too old, or not there in the version that the project asks for.
  [/go\.mod requires go >= \S+ \(running go/, null],
  [/go: download go[\d.]+\S* .*toolchain not available/, null],
  [/toolchain '[^']+' is not installed|requires rustc [\d.]+ or newer/, null],
  [/(?:invalid target release|release version \d+ not supported|invalid source release)/, null],
  [/UnsupportedClassVersionError|Unsupported class file major version/, null],
  // Version managers, of a version or an installation that is not there.
  [
    /\b(?:py|rb|nod|go|j|php)env: (?:version ['`‘][^'`’]+['`’] is not installed|cannot rehash)/,
    null,
  ],
  [/No version is set for command \S+|No preset version installed for command|Volta error:/, null],
  [/\/(?:libexec|shims|bin)\/\S+: (?:No such file or directory|not found)$/, null],
  [/error while loading shared libraries: |: version `\w+' not found \(required by /, null],
  [/A compatible \.NET SDK was not found|NETSDK1045/, null],
  [/Your Ruby version is \S+, but your Gemfile specified/, null],
  [/your php version \([^)]*\) does not satisfy|requires? php [~^>=]/i, null],
  [/requires a different Python: |The engine "\w+" is incompatible with this module/, null],
  // Packages that were not loaded before the tests lost the network.
  [/missing go\.sum entry for module|updates to go\.mod needed/, 'go mod tidy'],
  [/module lookup disabled by GOPROXY=off/, 'go mod download'],
  [/in offline mode and the artifact \S+ has not been downloaded/, 'mvn dependency:go-offline'],
  [/Could not resolve dependencies for project/, 'mvn dependency:go-offline'],
  [/No cached version of \S+ available for offline mode/, 'gradle dependencies'],
  [/\bNU1(?:101|301)\b/, 'dotnet restore'],
  [/Could not find \S+ in (?:any of the sources|locally installed gems)/, 'bundle install'],
  [/vendor\/autoload\.php\)?: Failed to open stream/i, 'composer install'],
  [/attempting to make an HTTP request, but --(?:offline|frozen)/, 'cargo fetch'],
  // Services, and the machine itself.
  [/\bECONNREFUSED\b|\bEAI_AGAIN\b|\bENOTFOUND\b|Network is unreachable/, null],
  [/Temporary failure in name resolution|Could not resolve host/, null],
  [/Cannot connect to the Docker daemon/, null],
  [/\bENOSPC\b|No space left on device/, null],
  [/\bEACCES\b|Permission denied/, null],
]

const longestLine = 1000
const longestShown = 240

/** What this output says the machine lacks, or `null`. */
export function findLack(output: string): Lack | null {
  for (const text of output.split('\n')) {
    const start = text.slice(0, longestLine)
    const line = start.trim().slice(0, longestShown)
    const name = missingProgramIn(start)
    if (name !== null) return { line, installCommand: installs[name] ?? null }
    const known = others.find(([message]) => message.test(start))
    if (known !== undefined) return { line, installCommand: known[1] }
  }
  return null
}
