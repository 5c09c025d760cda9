/** True for `owner/name` of a repository on GitHub. */
export const isRepositoryName = (text: string): boolean =>
  /^[A-Za-z0-9][\w-]{0,99}\/(?!\.{1,2}$)[\w.-]{1,100}$/.test(text)
