/** A script or a recording that cannot be read: the message names every problem with its line. */
export class InvalidScript extends Error {
  override readonly name = 'InvalidScript'
}
