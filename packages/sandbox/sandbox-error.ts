/** This machine cannot isolate a command as it must be; the message says why, kind by kind. */
export class SandboxError extends Error {
  /** `isolation`: no allowed kind works here. `network`: none gives a command a network of its own. */
  readonly lacks: 'isolation' | 'network'

  constructor(lacks: SandboxError['lacks'], message: string) {
    super(message)
    this.name = 'SandboxError'
    this.lacks = lacks
  }
}
