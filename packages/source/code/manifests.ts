import { posix } from 'node:path'

const manifest =
  /^(?:package\.json|go\.mod|Cargo\.toml|pyproject\.toml|setup\.cfg|pom\.xml|build\.gradle(?:\.kts)?|composer\.json|Gemfile)$/

/** A package starts at such a file. */
export const isManifest = (path: string): boolean => manifest.test(posix.basename(path))

/** Returns true for files that declare packages to install. */
export const isDeclaring = (path: string): boolean =>
  isManifest(path) ||
  /(?:^|\/)(?:setup\.py|tox\.ini|Pipfile|[\w-]+\.gemspec|[\w-]*requirements[\w-]*\.(?:txt|in))$/.test(
    path,
  )
