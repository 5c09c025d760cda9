const grammar = /^[A-Za-z][A-Za-z0-9]{0,15}-[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
/** Prefixes of remarks, issues and runs, which are leased, stored and named beside tasks. */
const reserved = /^(?:comment|issue|run)-\d|^checks-(?:[\da-f]{40}|[\da-f]{64})$/

/** True for an id that is safe as a part of a git ref and as one argument of a command. */
export const isTaskId = (text: string): boolean =>
  grammar.test(text) &&
  !reserved.test(text) &&
  !text.includes('..') &&
  !text.endsWith('.') &&
  !text.toLowerCase().includes('.lock')
