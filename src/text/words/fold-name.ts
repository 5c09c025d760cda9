const ascii = /^[\x20-\x7E]*$/

/**
 * What a file system that ignores case, width, accents' encoding or invisible characters may
 * take a name for. Two names with one folding may be one file somewhere.
 */
export function foldName(name: string): string {
  if (ascii.test(name)) return name.toLowerCase()
  return name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFC')
}
