/**
 * What `executor calibrate` found, for every repository of this user: `calibrations.json` in the executor's cache,
 * replaced as a whole. A damaged, oversized or foreign file counts as empty, and so does a calibration of another
 * model or address.
 */
import { join } from 'node:path'
import { z } from 'zod'
import { readPlain, replaceFile } from '../../packages/files/files.ts'
import { parseJson } from '../../packages/text/text.ts'
import {
  type Calibration,
  calibrationSchema,
  endpointAddress,
  type MeasuredForms,
} from '../core/domain/calibration.ts'
import { explainDisk } from './explain-disk.ts'
import { makeDirectory } from './file-store/state-files.ts'

/** In bytes; fifty calibrations take a fifth of it. */
const largestFile = 200_000

const mostKept = 50

const fileSchema = z.object({ version: z.literal(1), calibrations: z.array(z.unknown()) })

const pathIn = (directory: string): string => join(directory, 'calibrations.json')

/** Reads every sound calibration; never fails. */
async function readCalibrations(directory: string): Promise<readonly Calibration[]> {
  const { text } = await readPlain(pathIn(directory), largestFile)
  const { data } = fileSchema.safeParse(parseJson(text))
  return (data?.calibrations ?? []).flatMap((each) => calibrationSchema.safeParse(each).data ?? [])
}

/** The calibration of this model at this address, or `null`. */
export async function findCalibration(
  directory: string,
  { name, baseUrl }: { readonly name: string; readonly baseUrl: string },
): Promise<Calibration | null> {
  const address = endpointAddress(baseUrl)
  const all = await readCalibrations(directory)
  return all.find((each) => each.model === name && each.baseUrl === address) ?? null
}

/** Usable answers by form, for each model of this address. */
export async function measuredFormsAt(
  directory: string,
  baseUrl: string,
): Promise<Readonly<Record<string, MeasuredForms>>> {
  const address = endpointAddress(baseUrl)
  const here = (await readCalibrations(directory)).filter((each) => each.baseUrl === address)
  return Object.fromEntries(here.map(({ model, forms }) => [model, forms]))
}

/**
 * Keeps a calibration in place of an earlier one of the same model and address.
 *
 * @throws ExecutorError `disk_unwritable`
 */
export async function keepCalibration(directory: string, found: Calibration): Promise<void> {
  const others = (await readCalibrations(directory)).filter(
    ({ model, baseUrl }) => model !== found.model || baseUrl !== found.baseUrl,
  )
  const calibrations = [found, ...others].slice(0, mostKept)
  await explainDisk(async () => {
    await makeDirectory(directory)
    await replaceFile(
      pathIn(directory),
      `${JSON.stringify({ version: 1, calibrations }, null, 1)}\n`,
    )
  })
}
