/** A server on this very machine is nobody's to be spared. */
export const isThisMachine = (url: string): boolean =>
  ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)
