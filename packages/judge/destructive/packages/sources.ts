/**
 * A source in comparable form: a registry's origin, but a repository's whole address, because many
 * people's repositories share a host. `null` for a path, and for text that is no address.
 */
export function sourceOf(address: string): string | null {
  const plain = address.trim().replace(/^(?:registry|sparse)\+/, '')
  if (/^git[+@:]|^(?:ssh|hg|svn|bzr)[+:]|\.git(?:[#?@]|$)|^[\w.-]+@[\w.-]+:/i.test(plain)) {
    return plain.replace(/[#?].*$/, '').replace(/\/$/, '')
  }
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(plain)) return null
  return URL.parse(plain)?.origin.toLowerCase() ?? plain
}

export const isKnownSource = (address: string, known: ReadonlySet<string>): boolean =>
  known.has(sourceOf(address) ?? '')

/** A Maven project, in any version: `maven:org.example:app`. */
export function mavenProject(project: unknown): string {
  const { groupId = '', artifactId = '' } = Object(project)
  return `maven:${groupId}:${artifactId}`
}

const address = /(?:(?<![a-z\d+.-])[a-z][a-z\d+.-]{0,20}:\/\/|git@)[^\s"'<>()[\]{},;]{1,2000}/gi

/** Lists the sources that a text names: package managers' settings, manifests, and lock files. */
export function sourcesIn(text: string): ReadonlySet<string> {
  const found = [...text.matchAll(address)].map(([each]) => sourceOf(each))
  return new Set(found.filter((each) => each !== null))
}
