/**
 * Where this program is published. A fork or a mirror that releases it names itself here and nowhere else, then runs
 * `npm run generate`: docs/releasing.md.
 */
const publisher = {
  server: 'https://github.com',
  repository: 'roadmap-executor/roadmap-executor',
  /** The tag or branch of the Action that workflows use. */
  ref: 'v0',
} as const

export const projectUrl = `${publisher.server}/${publisher.repository}`

/** The Action's name in a workflow, after `uses:`. */
export const publishedAction = `${publisher.repository}@${publisher.ref}`
