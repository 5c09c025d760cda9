import { z } from 'zod'
import { object, type Stored, text } from './stored.ts'

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
}
