const longest = 150

/**
 * As much of a link's address as a reader expects behind it: scheme, host and a plain path. A
 * query, a fragment, a user, percent signs and whatever is no path say things that nobody sees.
 */
export function visibleUrl(url: string): string {
  const address = url.trim().replace(/[?#].*$/su, '')
  const isWeb = /^https?:\/\/[\w.-]+(?::\d+)?(?:\/[\w./@+~=,-]*)?$/i.test(address)
  const isPath = /^[\w./@+-]*$/.test(address)
  return (isWeb || isPath) && address.length <= longest ? address : ''
}
