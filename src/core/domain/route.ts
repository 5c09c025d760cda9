import { z } from 'zod'
import { object, type Stored, text } from '../../../packages/text/text.ts'

/** Ways to produce a change: one request, a plan first, or a loop of tools. */
export const ways = ['single', 'two_phase', 'tools'] as const

export const waySchema = z.enum(ways)

export type TaskWay = (typeof ways)[number]

/** What a task names, as far as it can say which way will serve: files (not tests) and telling words. */
export const shapeSchema = z.enum(['no_file', 'few_words', 'one_file', 'few_files', 'many_files'])

export type TaskShape = z.infer<typeof shapeSchema>

export const complexitySchema = z.enum(['low', 'medium', 'high'])

export type Complexity = z.infer<typeof complexitySchema>

/** The size of a task, by its words alone. A plan may know its complexity better. */
export const taskSizeSchema = object({ shape: shapeSchema, complexity: complexitySchema })

export type TaskSize = Stored<typeof taskSizeSchema>

/** The way that `strategy: auto` chose for an attempt, with the reason in a few words. */
export const routeSchema = object({ way: waySchema, reason: text })

export type Route = Stored<typeof routeSchema>

/**
 * What a first request holds or leaves out, learned from earlier first answers (`core/history/refine.ts`). A reminder is
 * one sentence more; `no_lesson` leaves out the worked example; `less_code` shows less code.
 */
export const refinements = [
  'copy_edits',
  'close_code',
  'import_known',
  'stay_in_scope',
  'keep_tests',
  'no_lesson',
  'less_code',
] as const

export const refinementSchema = z.enum(refinements)

export type Refinement = z.infer<typeof refinementSchema>

/** Choices made when an attempt begins. */
export interface RouteChoice {
  readonly route?: Route
  readonly refinement?: Refinement
}

/** First answers by the facts of their request and how they ended. */
export interface FirstAnswers {
  readonly shape: TaskShape
  /** A refinement; empty for none. Another version may have known others. */
  readonly refinement: string
  /** The size of the code that was shown, in words. */
  readonly context: string
  /** The last error of the attempt; empty without one. */
  readonly errorType: string
  readonly samples: number
  /** Served without a repair. */
  readonly first: number
}

/** How a way served earlier tasks of one shape. */
export interface ShapeFigures {
  readonly shape: TaskShape
  /** A way; another version may have known others. */
  readonly way: string
  readonly executions: number
  readonly served: number
  readonly failed: number
  /** Of all executions. */
  readonly tokens: number
}

/** What earlier runs with one model tell. */
export interface RouteRecord {
  readonly figures: readonly ShapeFigures[]
  /** Tasks that one way failed and a better one completed. */
  readonly misroutes: readonly {
    readonly shape: TaskShape
    readonly way: string
    readonly better: string
    readonly cases: number
  }[]
  /** Of first attempts with one request for the code. */
  readonly firstAnswers: readonly FirstAnswers[]
}
