import { expect, it } from 'vitest'
import { findLack } from '../diagnose.ts'

it.each([
  ['sh: 1: cargo: not found', 'apt-get install cargo'],
  ['/bin/sh: 1: vitest: not found', 'npm install --save-dev vitest'],
  ['bash: line 1: pnpm: command not found', 'npm install --global pnpm'],
  ['zsh: command not found: uv', 'pip install uv'],
  ['bundler: command not found: rspec', 'gem install rspec'],
  ['env: ‘ruby’: No such file or directory', 'apt-get install ruby'],
  ["/usr/bin/env: 'php': No such file or directory", 'apt-get install php-cli'],
  ['prlimit: failed to execute go: No such file or directory', 'apt-get install golang'],
  ['Error: spawn mvn ENOENT', 'apt-get install maven'],
  [
    'cgo: C compiler "gcc" not found: exec: "gcc": executable file not found in $PATH',
    'apt-get install build-essential',
  ],
  ['make: gcc: No such file or directory', 'apt-get install build-essential'],
  ['error: linker `cc` not found', 'apt-get install build-essential'],
  ['/usr/bin/python3: No module named pytest', 'pip install pytest'],
  ['No CMAKE_C_COMPILER could be found.', 'apt-get install build-essential'],
  ['ERROR: JAVA_HOME is not set and no java command could be found', 'apt-get install default-jdk'],
  ['sh: 1: our-own-tool: not found', null],
  ['go: go.mod requires go >= 1.24 (running go 1.22.1; GOTOOLCHAIN=local)', null],
  ['[ERROR] Detected Maven Version: 3.8.7 is not in the allowed range [3.9,).', null],
  ['Detected JDK version 1.8.0-392 (JAVA_HOME=/usr) is not in the allowed range [11,).', null],
  ['> Minimum supported Gradle version is 8.5. Current version is 8.0.', null],
  ['> Dependency requires at least JVM runtime version 11. This build uses a Java 8 JVM.', null],
  ['CMake 3.27 or higher is required.  You are running version 3.25.1', null],
  ['meson.build:1:0: ERROR: Meson version is 0.61.2 but project requires >=0.63', null],
  ['Current Python version (3.11.7) is not allowed by the project (^3.12).', null],
  ['error: No interpreter found for Python 3.13 in search path', null],
  ['ERR_PNPM_UNSUPPORTED_ENGINE  Unsupported environment (bad pnpm version)', null],
  ['npm error code EBADENGINE', null],
  ['feature `edition2024` is required', null],
  ['go: download go1.24 for linux/amd64: toolchain not available', null],
  ["error: toolchain '1.80.0-x86_64-unknown-linux-gnu' is not installed", null],
  ['error: release version 21 not supported', null],
  ['Your Ruby version is 3.1.2, but your Gemfile specified 3.3.0', null],
  ['Your lock file: your php version (8.1.2) does not satisfy that requirement.', null],
  ['missing go.sum entry for module providing package x/y', 'go mod tidy'],
  [
    'Cannot access central (https://x) in offline mode and the artifact a:b:jar:1 has not been downloaded from it before.',
    'mvn dependency:go-offline',
  ],
  ['> No cached version of org.junit:junit:5 available for offline mode.', 'gradle dependencies'],
  ['error NU1301: Unable to load the service index for source', 'dotnet restore'],
  ['require(/x/vendor/autoload.php): Failed to open stream: No such file', 'composer install'],
  ['connect ECONNREFUSED 127.0.0.1:5432', null],
  ["pyenv: version `3.13.9' is not installed (set by /project/.python-version)", null],
  ["pyenv: cannot rehash: /root/.pyenv/shims isn't writable", null],
  ['No preset version installed for command node', null],
  ['/opt/shims/ruby: line 21: /home/a/.rbenv/libexec/rbenv: No such file or directory', null],
])('%s', (line, installCommand) => {
  const lack = findLack(`fine\n${line}\nfine`)
  expect(lack?.install).toBe(installCommand)
  expect(lack?.message).toBe(line)
})

/** Real final output of installers that do not find a package which a project requires. */
it.each([
  ['ERROR: No matching distribution found for nosuch-pkg==1.0', 'nosuch-pkg'],
  [
    'ERROR: Could not find a version that satisfies the requirement nosuch.pkg>=2 (from versions: none)',
    'nosuch.pkg',
  ],
  [
    "npm error 404  The requested resource '@a/nosuch@^1.0.0' could not be found or you do not have permission to access it.",
    '@a/nosuch',
  ],
  ["npm ERR! 404  'nosuch@^1.0.0' is not in this registry.", 'nosuch'],
  ['npm error notarget No matching version found for left-pad@99.0.0.', 'left-pad'],
  ['error: no matching package named `nosuch-crate` found', 'nosuch-crate'],
  ['error: failed to select a version for the requirement `serde = "^99"`', 'serde'],
  [
    'go: example.com/nosuch/module@v1.0.0: reading https://x/y.mod: 404 Not Found',
    'example.com/nosuch/module',
  ],
  [
    '[ERROR] Failed to execute goal on project a: Could not resolve dependencies for project a:a:jar:1: Could not find artifact com.nosuch:lib:jar:1.0 in central (https://x)',
    'com.nosuch:lib',
  ],
  [
    "Could not find gem 'nosuch_gem' in rubygems repository https://x/ or installed locally.",
    'nosuch_gem',
  ],
  [
    '- Root composer.json requires acme/nosuch, it could not be found in any version',
    'acme/nosuch',
  ],
])('%s', (line, lacks) => {
  expect(findLack(`fine\n${line}`)).toMatchObject({ kind: 'set-up', lacks })
})

it.each([
  '',
  'AssertionError: user: not found',
  'expected 404 not found',
  'ENOENT: no such file or directory, open a.txt',
])('nothing in %j', (text) => {
  expect(findLack(text)).toBeNull()
})

it.each([
  ': '.repeat(500_000),
  'a: '.repeat(300_000),
  `${'sh: '.repeat(200)}\n`.repeat(2000),
  '\0'.repeat(1_000_000),
])('reads hostile text to its end', (text) => {
  expect(findLack(text)).toBeNull()
})
