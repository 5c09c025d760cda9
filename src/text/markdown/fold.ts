/** A part that is opened by a click; the summary is our own words. */
export const fold = (summary: string, body: string): string =>
  `<details><summary>${summary}</summary>\n\n${body}\n\n</details>`
