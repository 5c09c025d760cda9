/**
 * A Python requirement by the grammar of PEP 508, in the regular expressions that JavaScript and Python share: a name
 * with extras, versions and a marker on one line. It has no address, no path, no option and no control character, so
 * that pip can read nothing else into it; pip reads an option wherever a word begins with `-`.
 */

const space = String.raw`[ \t]*`
const name = String.raw`[a-z0-9](?:[\w.-]*[a-z0-9])?`
const version = String.raw`(?:===?|~=|!=|<=?|>=?)${space}[a-z0-9*][\w.*+!-]*`
const versions = `${version}(?:${space},${space}${version})*${space},?`
const quoted = String.raw`(?:\x22[ !#-&(-\x5b\x5d-~]*\x22|\x27[ !#-&(-\x5b\x5d-~]*\x27)`
const operand = String.raw`(?:[a-z_]+(?:\.[a-z_]+)?|${quoted})`
const operator = String.raw`(?:${space}(?:===?|~=|!=|<=?|>=?)${space}|[ \t]+(?:not[ \t]+)?in[ \t]+)`
const comparison = String.raw`(?:\([ \t]*){0,5}${operand}${operator}${operand}(?:[ \t]*\)){0,5}`
const marker = String.raw`(?!.*[ \t]-)${space}${comparison}(?:[ \t]*(?:and|or)[ \t(]+${comparison})*`

/** The source of an expression without anchors, to be matched in full and without regard to case. */
export const requirementGrammar = String.raw`${name}${space}(?:\[${space}(?:${name}(?:${space},${space}${name})*)?${space}\])?${space}(?:\(${space}(?:${versions})?${space}\)|${versions})?${space}(?:;${marker})?`
