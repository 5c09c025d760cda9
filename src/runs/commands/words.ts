import { fenced, neutraliseLine } from '../../text/markdown/neutralise.ts'

/** A login in a reply: nobody is called by it. */
export const loginText = ({ login }: { readonly login: string }): string =>
  `\`${login.replaceAll(/[^\w[\]-]/g, '')}\``

/** Words of others within a sentence of ours. */
export const quoted = (text: string): string => neutraliseLine(text.slice(0, 300))

/** A command to copy. */
export const toCopy = (command: string): string => fenced(command)

export const short = (sha: string): string => `\`${sha.slice(0, 7)}\``

/** Why the forge did not do what it was asked to. */
export const forgeSaid = (detail: string): string => `GitHub says: ${quoted(detail)}`
