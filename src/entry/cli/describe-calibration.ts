import type { Calibration, Share } from '../../core/domain/calibration.ts'
import { isWeakAt, longestWhole } from '../../model/size/complexity.ts'

/** One line: what was measured, or how to measure it. */
export function describeCalibration(known: Calibration | null): string {
  if (known === null) {
    return 'none of this model at this address; executor calibrate measures what it can do'
  }
  const { at, forms, json, tools, repairs } = known
  const rates = [
    ...(forms.whole ? [`whole files ${ratio(forms.whole)}`] : []),
    ...(forms.edits ? [`edits ${ratio(forms.edits)}`] : []),
    ...[`JSON ${ratio(json)}`, `tool calls ${ratio(tools)}`, `repairs ${ratio(repairs)}`],
  ]
  return `${at.slice(0, 10)}: ${rates.join(', ')}`
}

/** A table in words, and what follows from it. */
export function calibrationTable(found: Calibration): string {
  const { forms, echoes, claims, json, tools, repairs } = found
  const usable = (name: string, share: Share | undefined) =>
    share === undefined ? [] : [[name, `${ratio(share)} usable`]]
  const rows = [
    ...usable('whole files', forms.whole),
    ...usable('edits', forms.edits),
    ...usable('functions', forms.function),
    ['echoes', `${ratio(echoes)} answers repeated a test that they were shown`],
    ['claims', `${ratio(claims)} answers called an unfinished task done`],
    ['JSON', `${ratio(json)} usable`],
    ['tool calls', `${ratio(tools)} usable`],
    ['repairs', `${ratio(repairs)} usable`],
  ]
  const lines = rows.map(([name = '', what]) => `  ${name.padEnd(12)} ${what}`)
  return [`${found.model} at ${found.baseUrl}`, ...lines, consequence(found)].join('\n')
}

function consequence({ forms }: Calibration): string {
  const tokens = longestWhole.toLocaleString('en')
  return isWeakAt(forms.edits)
    ? `Runs ask this model for whole files, up to ${tokens} tokens, in place of edits. model-options.form overrides it.`
    : 'Runs ask this model for edits of long files, as usual. model-options.form overrides it.'
}

const ratio = ({ good, of }: Share): string => `${good} of ${of}`
