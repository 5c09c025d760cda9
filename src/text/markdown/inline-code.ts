/** As code on one line: no back-tick ends it, and no pipe the cell of a table. */
export const inlineCode = (text: string): string => `\`${text.replaceAll(/[`|\s]+/g, ' ').trim()}\``
