import type { Diagnosis } from '../../core/domain/diagnosis.ts'
import { missingProgramIn } from './missing-program.ts'
import { installOf } from './programs.ts'

/** What lacks is the `name` of a message, where it has one. */
type Known = readonly [message: RegExp, install: string | null]

/** Everything else, the surest first. Each is read in one line of at most 1,000 characters. */
const others: readonly Known[] = [
  [/command not found/i, null],
  // A toolchain that is too old, or not there in the version that the project asks for.
  [/go\.mod requires go >= \S+ \(running go/, null],
  [/go: download go[\d.]+\S* .*toolchain not available/, null],
  [/toolchain '[^']+' is not installed|requires rustc [\d.]+ or newer/, null],
  [/(?:invalid target release|release version \d+ not supported|invalid source release)/, null],
  [/UnsupportedClassVersionError|Unsupported class file major version/, null],
  [/Detected (?:Maven|JDK) version:? .* is not in the allowed range/i, null],
  [/supported Gradle version is [\d.]+\. Current|requires at least JVM runtime version/, null],
  [/CMake \S+ or higher is required|Meson version is \S+ but project requires/, null],
  [/Current Python version \([^)]*\) is not allowed by the project/, null],
  [/incompatible with the project's Python requirement|No interpreter found for Python/, null],
  [/ERR_PNPM_UNSUPPORTED_ENGINE|(?:ERR!|error) code EBADENGINE/, null],
  [/feature `edition\d+` is required/, null],
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
  [/No cached version of \S+ available for offline mode/, 'gradle dependencies'],
  [/\bNU1(?:101|301)\b/, 'dotnet restore'],
  [/Could not find \S+ in (?:any of the sources|locally installed gems)/, 'bundle install'],
  [/vendor\/autoload\.php\)?: Failed to open stream/i, 'composer install'],
  [/attempting to make an HTTP request, but --(?:offline|frozen)/, 'cargo fetch'],
  // Packages that an installer does not find, or not in the version that is asked for.
  [/(?:No matching distribution found for|satisfies the requirement) (?<name>[\w.-]+)/, null],
  [/404 +(?:The requested resource )?'(?<name>@?[\w./-]+)@[^']*' (?:is not in|could not be)/, null],
  [/(?:No matching version found for|notarget \S+) (?<name>@?[\w./-]+)@/, null],
  [/no matching package named `(?<name>[\w-]+)` found/, null],
  [/failed to select a version for (?:the requirement )?`(?<name>[\w-]+)/, null],
  [
    /^go: (?:module )?(?<name>[\w.-]+\.[\w.-]+\/[\w./~-]+?)(?:@\S+)?: (?:reading|invalid version|unrecognized import|not found|unknown revision)/,
    null,
  ],
  [/Could not find artifact (?<name>[\w.-]+:[\w.-]+):/, null],
  [/Could not resolve dependencies for project/, 'mvn dependency:go-offline'],
  [/Could not find gem '(?<name>[\w.-]+)/, null],
  [/requires (?<name>[\w.-]+\/[\w.-]+)[^,]*, (?:it could not be found|found \S+ but)/, null],
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
export function findLack(output: string): Diagnosis | null {
  for (const text of output.split('\n')) {
    const start = text.slice(0, longestLine)
    const message = start.trim().slice(0, longestShown)
    const program = missingProgramIn(start)
    if (program !== null)
      return { ...setUpFailed(message), lacks: program, install: installOf(program) }
    const [known, install = null] = others.find(([words]) => words.test(start)) ?? []
    if (known === undefined) continue
    return { ...setUpFailed(message), lacks: known.exec(start)?.groups?.name ?? null, install }
  }
  return null
}

/** What the tests need is not there, and nobody says what it is. */
export const setUpFailed = (message: string): Diagnosis => ({
  ...{ kind: 'set-up', message, file: null, line: null, lacks: null, install: null },
})
