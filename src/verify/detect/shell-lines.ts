/** Where Maven and Gradle put their reports, as patterns of `find -path`. */
export const surefireReports = '*/target/surefire-reports/TEST-*.xml'
export const gradleReports = '*/build/test-results/*/*.xml'

const skipped = String.raw`\( -name node_modules -o -name .git -o -name .executor-packages \) -prune`

/**
 * Runs a line whose reports have names that nobody knows before, and puts them together in one
 * file; reports that were there before do not count. The line's exit code stays.
 *
 * @param pattern of `find -path`, a constant of ours
 */
export function gathering(line: string, pattern: string, report: string): string {
  const find = `find . ${skipped} -o -type f -path '${pattern}' -exec`
  return `${find} rm -f {} + 2>/dev/null; ${line}; code=$?; ${find} cat {} + >${report} 2>/dev/null; exit $code`
}

/**
 * Lets a line write its report to standard output, shows it, and keeps it: of what is shown only the
 * beginning and the end may be left.
 */
export const keeping = (line: string, report: string): string =>
  `({ ${line}; } >${report}; code=$?; cat ${report}; exit $code)`

/** The flag where the sandbox shows no network but its own loopback, nothing elsewhere. */
export const ifOffline = (flag: string): string =>
  `$(test -r /proc/net/dev && ! grep -v -e '|' -e '^ *lo:' /proc/net/dev | grep -q : && echo ${flag})`

/** The first of two lines where its program is there. */
export const whereFound = (program: string, line: string, otherwise: string): string =>
  `if command -v ${program} >/dev/null 2>&1; then ${line}; else ${otherwise}; fi`
