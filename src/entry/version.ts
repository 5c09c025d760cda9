import manifest from '../../package.json' with { type: 'json' }

/** Of this program. */
export const version = manifest.version

/** What the App's server needs besides, as `npm install` takes it: `name@range`. */
export const appPackages: readonly string[] = Object.entries(manifest.peerDependencies).map(
  ([name, range]) => `${name}@${range}`,
)
