import type { parse, parseExpression } from '@babel/parser'

type Known<T> = 0 extends 1 & T ? never : T
type Held<T> = T extends readonly (infer Item)[] ? Known<Item> : T
type Field<T> = { [Key in keyof T]-?: Held<Known<T[Key]>> }[keyof T]
type Children<T> = T extends { type: string } ? Extract<Field<T>, { type: string }> : never

type Root = ReturnType<typeof parse>['program'] | ReturnType<typeof parseExpression>
type Second = Root | Children<Root>
type Third = Second | Children<Second>
type Fourth = Third | Children<Third>

/** Any node of the parser's tree: its types, and those of what they hold. */
export type Node = Fourth | Children<Fourth>
