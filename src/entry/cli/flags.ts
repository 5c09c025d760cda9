/** The flags of a command, by commander's names: the switches, and those with a value. */
export type Flags<Switches extends string, Valued extends string = never> = {
  readonly [Name in Switches]?: boolean
} & { readonly [Name in Valued]?: string }
