import manifest from '../../package.json' with { type: 'json' }

export const version = manifest.version

/** The packages that the App's server needs in addition, as `npm install` takes them: `name@range`. */
export const appPackages = (): readonly string[] =>
  Object.entries(manifest.peerDependencies).map(([name, range]) => `${name}@${range}`)
